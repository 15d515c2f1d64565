import { testRollingRestart } from '../fleet-restarts.ts';

// Processes that were restarted are restarted again.
testRollingRestart({ rounds: 3, clients: 8 });
