// npm run demo: one payin per country, watched from its creation to its notification.
import { join } from 'node:path';
import { handOver, prepareMachine, ROOT } from './machine.mjs';

const node = await prepareMachine({ redis: !(process.env.REDIS_URL || process.env.REDIS_URL_FILE) });
const demo = join(ROOT, 'packages', 'sandbox', 'src', 'demo.ts');
await handOver(node, [demo, ...process.argv.slice(2)], { ipc: true });
