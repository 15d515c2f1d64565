// npm run build: each process as plain JavaScript with its production packages, in packages/<process>/dist.
import { handOver, PNPM, prepareMachine } from './machine.mjs';
import { PROCESSES } from './processes.mjs';

await prepareMachine({ redis: false });
const filters = PROCESSES.map((name) => `--filter=@tidegate/${name}`);
// turbo wants pnpm on the PATH: npx puts it there.
await handOver(
  'npx',
  [
    '--yes',
    '--prefer-offline',
    PNPM,
    'exec',
    'turbo',
    'run',
    'build',
    ...filters,
    '--ui=stream',
    ...process.argv.slice(2),
  ],
  { env: { TURBO_TELEMETRY_DISABLED: '1', TURBO_NO_UPDATE_NOTIFIER: '1' } },
);
