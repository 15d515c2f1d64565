import { oneOfEachKind } from './faults/one-of-each-kind.ts';
import { lightLoad } from './faults/run-fault.ts';
import { tryFaults } from './faults/try-faults.ts';

tryFaults(oneOfEachKind, lightLoad, true);
