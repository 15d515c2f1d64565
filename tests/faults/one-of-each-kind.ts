import { faults } from './faults.ts';

/**
 * What npm test tries, in lines of about the same length; tests/nightly/faults.test.ts tries the others. First in a line is what its orders
 * need long to recover from: the lease of a piece of work lasts 25 s.
 */
export const oneOfEachKind = [
  ['kill -9 of worker', 'Redis emptied (FLUSHALL)', 'Redis frozen for 5 s'],
  ['rest-adapter frozen within a transaction, 13 s', 'PostgreSQL restarted (immediate)'],
  ['answers of COMMIT lost', 'a session that holds a wallet row for 10 s'],
].map((line) => line.map(faultOf));

function faultOf(name: string) {
  const found = faults.find((fault) => fault.name === name);
  if (!found) throw new Error(`There is no fault "${name}".`);
  return found;
}
