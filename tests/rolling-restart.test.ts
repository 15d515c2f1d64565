import { testRollingRestart } from './fleet-restarts.ts';

testRollingRestart(1);
