// npm run pictures: takes the pictures of README.md and docs/operators with Chromium.
import { join } from 'node:path';
import { handOver, prepareMachine, ROOT } from './machine.mjs';

const node = await prepareMachine({ redis: true, browser: true });
await handOver(node, [join(ROOT, 'tests', 'pictures', 'take-pictures.ts')]);
