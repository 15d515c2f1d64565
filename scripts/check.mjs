// npm run check: lint, types, dead code, architecture, documents, commits and the pure tests, side by side.
import { runTasks } from './machine.mjs';

const CHECKS = ['check:lint', 'check:types', 'check:dead-code', 'check:architecture', 'check:commits', 'check:unit'];
/**
 * The console is built, because a check limits the size of its first load. Its pure tests are a task of their own: a change
 * of the console repeats none of the service's.
 */
const OF_CONSOLE = ['@tidegate/console#build', '@tidegate/console#unit'];

await runTasks(...CHECKS, ...OF_CONSOLE, '--continue');
