import { faults } from './faults.ts';

/** What npm test tries; tests/nightly/faults.test.ts tries the others. */
export const oneOfEachKind = new Set([
  'kill -9 of worker',
  'rest-adapter frozen within a transaction, 13 s',
  'Redis emptied (FLUSHALL)',
  'Redis frozen for 5 s',
  'answers of COMMIT lost',
  'PostgreSQL restarted (immediate)',
  'a session that holds a wallet row for 10 s',
]);

const unknown = [...oneOfEachKind].filter((name) => !faults.some((fault) => fault.name === name));
if (unknown.length > 0) throw new Error(`There is no fault "${unknown.join('", "')}".`);
