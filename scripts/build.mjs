// npm run build: each process as plain JavaScript with its production packages, in packages/<process>/dist.
import { runTasks } from './machine.mjs';
import { PROCESSES } from './processes.mjs';

await runTasks('build', ...PROCESSES.map((name) => `--filter=@tidegate/${name}`));
