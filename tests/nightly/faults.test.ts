import { heavyLoad } from '../faults/run-fault.ts';
import { tryFaults } from '../faults/try-faults.ts';

tryFaults(() => true, heavyLoad);
