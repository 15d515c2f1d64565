// npm run check: lint, types, dead code, architecture, documents, commits and the pure tests, side by side.
import { runTasks } from './machine.mjs';

const CHECKS = ['check:lint', 'check:types', 'check:dead-code', 'check:architecture', 'check:commits', 'check:unit'];
/** The console is built, because a check limits the size of its first load. */
const BUILDS = ['@tidegate/console#build'];

await runTasks(...CHECKS, ...BUILDS, '--continue');
