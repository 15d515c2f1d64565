import { testRollingRestart } from '../fleet-restarts.ts';

// Processes that were restarted are restarted again.
testRollingRestart(3);
