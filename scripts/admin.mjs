// npm run admin -- <command>: an operator's command line, for the first set-up and for emergencies.
import { join } from 'node:path';
import { handOver, prepareMachine, ROOT } from './machine.mjs';

const node = await prepareMachine({ redis: false });
await handOver(node, [join(ROOT, 'packages', 'admin', 'src', 'main.ts'), ...process.argv.slice(2)]);
