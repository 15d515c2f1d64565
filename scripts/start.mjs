// npm start: everything that a local Tidegate needs, in the foreground.
import { join } from 'node:path';
import { ensureConsole } from './console.mjs';
import { handOver, prepareMachine, ROOT } from './machine.mjs';

const node = await prepareMachine({ redis: !(process.env.REDIS_URL || process.env.REDIS_URL_FILE) });
if ((await ensureConsole(node)) !== 0) console.log('The console cannot be built: see above. Everything else starts.');
const main = join(ROOT, 'tools', 'sandbox', 'src', 'main.ts');
await handOver(node, [main, ...process.argv.slice(2)], { ipc: true });
