import { oneOfEachKind } from '../faults/one-of-each-kind.ts';
import { heavyLoad, lightLoad } from '../faults/run-fault.ts';
import { tryFaults } from '../faults/try-faults.ts';

// Those that npm test leaves out. With TIDEGATE_TEST_DEPTH all of them, with 1,000 orders in flight: that needs an idle machine.
if (process.env.TIDEGATE_TEST_DEPTH === undefined) tryFaults(({ name }) => !oneOfEachKind.has(name), lightLoad);
else tryFaults(() => true, heavyLoad);
