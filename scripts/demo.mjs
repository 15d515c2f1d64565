// npm run demo: payins of every country, payouts of IN and PK, and work for operators.
import { join } from 'node:path';
import { handOver, prepareMachine, ROOT } from './machine.mjs';

const node = await prepareMachine({ redis: !(process.env.REDIS_URL || process.env.REDIS_URL_FILE) });
const demo = join(ROOT, 'tools', 'sandbox', 'src', 'demo.ts');
await handOver(node, [demo, ...process.argv.slice(2)], { ipc: true });
