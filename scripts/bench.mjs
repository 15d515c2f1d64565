// npm run bench: what this machine can carry, each figure next to its limit or to what it is compared with.
import { join } from 'node:path';
import { handOver, prepareMachine, ROOT } from './machine.mjs';

const node = await prepareMachine({ redis: true });
const bench = join(ROOT, 'tools', 'bench', 'src', 'main.ts');
await handOver(node, [bench, ...process.argv.slice(2)]);
