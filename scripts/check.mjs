// npm run check: lint, types, dead code, architecture, documents, commits and the pure tests, side by side.
import { handOver, PNPM, prepareMachine } from './machine.mjs';

const CHECKS = ['check:lint', 'check:types', 'check:dead-code', 'check:architecture', 'check:commits', 'check:unit'];

await prepareMachine({ redis: false });
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
    ...CHECKS,
    '--continue',
    '--ui=stream',
    ...process.argv.slice(2),
  ],
  { env: { TURBO_TELEMETRY_DISABLED: '1', TURBO_NO_UPDATE_NOTIFIER: '1' } },
);
