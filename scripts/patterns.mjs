// npm run patterns: checks new regular expressions, and writes the record of those that are linear.
import { join } from 'node:path';
import { handOver, prepareMachine, ROOT } from './machine.mjs';

const node = await prepareMachine({ redis: false });
await handOver(node, [join(ROOT, 'tests', 'patterns', 'record-patterns.ts')]);
