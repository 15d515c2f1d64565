import { readFileSync } from 'node:fs';
import type { FakeOptions } from '../fake-provider/index.ts';
import { fakes } from './index.ts';

// Runs the fake of one provider: `main.ts PROVIDER FILE`. The file has its options as JSON.

const [provider, file] = process.argv.slice(2);
const fake = fakes.find((one) => one.provider === provider);
if (fake === undefined || file === undefined) {
  console.error(`usage: main.ts ${fakes.map((one) => one.provider).join('|')} FILE`);
  process.exit(2);
}
const options = JSON.parse(readFileSync(file, 'utf8')) as FakeOptions;
const say = (line: object) => console.log(JSON.stringify({ time: new Date().toISOString(), ...line }));
const running = await fake.start({ ...options, log: say });
say({ message: `the fake of ${provider} is ready`, url: running.url });

let ending = false;
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, async () => {
    if (ending) return;
    ending = true;
    await running.close();
    say({ message: `the fake of ${provider} has ended`, signal });
  });
}
