import { testRollingRestart } from '../fleet-restarts.ts';

// Each process is restarted several times.
testRollingRestart({ rounds: 3, clients: 8 });
