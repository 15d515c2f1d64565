// npm run merchant -- <command>: the merchants' command line. With a sandbox here it speaks to it, unless told otherwise.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { handOver, prepareMachine, ROOT } from './machine.mjs';

const node = await prepareMachine({ redis: false });
const sandboxFile = resolve(ROOT, process.env.TIDEGATE_DATA_DIR ?? '.data', 'sandbox.json');
const isTold = ['TIDEGATE_SETTINGS', 'TIDEGATE_BASE_URL'].some((name) => process.env[name] !== undefined);
const env =
  isTold || existsSync(join(ROOT, 'tidegate.json')) || !existsSync(sandboxFile)
    ? {}
    : { TIDEGATE_SETTINGS: sandboxFile };
await handOver(node, [join(ROOT, 'packages', 'client', 'src', 'cli', 'main.ts'), ...process.argv.slice(2)], { env });
