import { tryFaults } from '../faults/try-faults.ts';

tryFaults(() => true);
