// npm run merchant -- <command>: the merchants' command line. It uses the sandbox of this folder unless options say otherwise.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { handOver, prepareMachine, ROOT } from './machine.mjs';

// Without the `--` npm takes the flags for its own, and the rest is another command.
const takenOption = ['merchant', 'country', 'settings', 'base_url', 'request', 'public_key'].find(
  (name) => process.env[`npm_config_${name}`] !== undefined,
);
if (takenOption !== undefined) {
  console.error(
    `npm took --${takenOption.replaceAll('_', '-')} as its own option. Write -- before the command: npm run merchant -- wallet --merchant IN10001`,
  );
  process.exit(2);
}
const node = await prepareMachine({ redis: false });
const sandboxFile = resolve(ROOT, process.env.TIDEGATE_DATA_DIR ?? '.data', 'sandbox.json');
const isReceived = ['TIDEGATE_SETTINGS', 'TIDEGATE_BASE_URL'].some((name) => process.env[name] !== undefined);
const env =
  isReceived || existsSync(join(ROOT, 'tidegate.json')) || !existsSync(sandboxFile)
    ? {}
    : { TIDEGATE_SETTINGS: sandboxFile };
await handOver(node, [join(ROOT, 'packages', 'client', 'src', 'cli', 'main.ts'), ...process.argv.slice(2)], { env });
