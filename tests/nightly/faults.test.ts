import { type Fault, faults } from '../faults/faults.ts';
import { oneOfEachKind } from '../faults/one-of-each-kind.ts';
import { heavyLoad, nightlyLoad } from '../faults/run-fault.ts';
import { tryFaults } from '../faults/try-faults.ts';

const line = (...places: Fault['place'][]) =>
  places.flatMap((place) => faults.filter((fault) => fault.place === place));
// One after the other: some last longer than orders may take to end.
const lines = [line('processes', 'upstream'), line('redis', 'commits'), line('postgres')];
const tried = oneOfEachKind.flat();

// Those that npm test leaves out. With TIDEGATE_TEST_DEPTH all of them, with 1,000 orders in flight: that needs an idle machine.
if (process.env.TIDEGATE_TEST_DEPTH === undefined)
  tryFaults(
    lines.map((all) => all.filter((fault) => !tried.includes(fault))),
    nightlyLoad,
    false,
  );
else tryFaults(lines, heavyLoad, false);
