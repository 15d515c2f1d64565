import { SANDBOX_PROCESSES } from './processes.ts';
import { runSandbox } from './run-sandbox.ts';
import { prepareDatabase } from './seed.ts';

await runSandbox({ processes: SANDBOX_PROCESSES, prepareDatabase });
