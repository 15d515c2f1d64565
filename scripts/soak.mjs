// npm run soak -- --minutes 10 [--seed N]: the faults of tests/faults, in random order under load, for as long as you like.
import { join } from 'node:path';
import { handOver, prepareMachine, ROOT } from './machine.mjs';

const node = await prepareMachine({ redis: true });
await handOver(node, [join(ROOT, 'tests', 'faults', 'soak.ts'), ...process.argv.slice(2)]);
