import { testRollingRestart } from './fleet-restarts.ts';

testRollingRestart({ rounds: 1, clients: 4 });
