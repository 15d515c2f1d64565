import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTamperedLedger, type TamperedLedger } from '../../../test/tampered-ledger.ts';
import { inSnapshot } from '../snapshot.ts';
import { endsOfPeriods } from './period-ends.ts';

let ledger: TamperedLedger;
beforeAll(async () => {
  ledger = await openTamperedLedger();
  // Entry 1 is of the first moment of January 2001, 2 and 3 are of that of February, and so on up to 100. Entries 12 and 50 to 60 are missing.
  await ledger.byHand(
    `insert into wallet_entry (merchant_id, entry_no, type, available_change, frozen_change, available_before, available_after, frozen_before, frozen_after, booking_no, batch_no, created_at)
     select 'EDGES', n, 'TOP_UP', 1, 0, n - 1, n, 0, 0, 'B' || n, 0, ('2001-01-01'::timestamp + floor(n / 2) * interval '1 month') at time zone 'UTC'
     from generate_series(1, 100) n where n <> 12 and n not between 50 and 60`,
  );
});
afterAll(() => ledger.close());

const noRows = { entryNo: 0, transferNo: 0, auditNo: 0, batchNo: 0 };

test.each([
  ['2000-12', 0, 0],
  ['2001-01', 0, 1],
  ['2001-02', 0, 3],
  ['2001-02', 2, 3],
  ['2001-02', 7, 7],
  ['2001-06', 0, 11],
  ['2001-07', 0, 13],
  ['2003-03', 0, 49],
  ['2005-02', 0, 99],
  ['2005-03', 0, 100],
  ['2026-01', 60, 100],
])('the last entry of the month %s, read up to entry %i so far, is entry %i', async (period, from, end) => {
  const last = { entryNo: 100, transferNo: 12, auditNo: 0, batchNo: 1 };
  const periods = new Map([['EDGES', { period, from: { ...noRows, entryNo: from }, last }]]);
  const ends = await inSnapshot(ledger.domain, (read) => endsOfPeriods(read, periods));
  expect(ends).toEqual(new Map([['EDGES', { ...noRows, entryNo: end }]]));
});
