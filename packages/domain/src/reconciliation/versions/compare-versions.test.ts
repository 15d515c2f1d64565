import { Readable } from 'node:stream';
import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setChannel } from '../../channels/set-channel.ts';
import { openTestDomain, type TestDomain } from '../../testing/index.ts';
import { paid, placePayin } from '../../testing/payins.ts';
import { aFundedMerchant, by } from '../../testing/payouts.ts';
import {
  aLine,
  anImport,
  backdateLedger,
  dayAgo,
  noSummary,
  reconcileAll,
  statementText,
} from '../../testing/statements.ts';
import { waitFor } from '../../testing/wait-for.ts';
import { decideBreakSql, explainLineSql, lockBreakSql } from '../breaks/queries.ts';
import { resolveBreak } from '../breaks/resolve-break.ts';
import { setReconciliation } from '../days/set-reconciliation.ts';
import { fetchStatements } from '../fetching/fetch-statements.ts';
import { requestFetch } from '../fetching/request-fetch.ts';
import { heldCreditsSql } from '../missing-credits/queries.ts';

const country = 'PK';
const day = dayAgo(country, 2);
const channelId = 'fake';
const heldSum = `select coalesce(sum(held), 0.00)::text as held from (${heldCreditsSql}) h`;
let fixture: TestDomain;
let rows: readonly object[];
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
  fixture.channel.statementFormats = ['json-lines'];
  fixture.channel.fetchStatement = async ({ day: on }) =>
    on === day
      ? { outcome: 'ready', bytes: Readable.from([Buffer.from(statementText(rows))]) }
      : { outcome: 'not_ready', detail: 'none yet' };
});
afterAll(() => fixture.close());

const line = (channelRef: string, gross = '100.00', fee = '0.00') =>
  aLine({ currency: 'PKR', bookedOn: day, channelRef, gross, fee, net: (Number(gross) - Number(fee)).toFixed(2) });
const read = async (text: string): Promise<unknown[]> =>
  (await fixture.domain.database.pool.query({ text, rowMode: 'array' })).rows;
const openBreaks = () =>
  read(
    "select kind, amount::text from reconciliation_break where state = 'open' order by kind, reconciliation_break.amount",
  );

/** Lets the day be fetched, and matched. */
async function fetchAgain(...lines: readonly object[]): Promise<void> {
  rows = lines;
  const requested = await requestFetch(fixture.domain, { country, channelId, day, format: null }, by('ann'));
  expect(requested).toMatchObject({ ok: true });
  await fetchStatements(fixture.domain, new AbortController().signal);
  await reconcileAll(fixture.domain);
  await fetchStatements(fixture.domain, new AbortController().signal);
  expect(await read(`select state from statement_fetch where day = '${day}'`)).toEqual([['fetched']]);
}

test('if a day is fetched again, equal lines count once, and changed and missing lines become breaks', async () => {
  const { domain } = fixture;
  const { merchantId } = await aFundedMerchant(domain, country);
  for (const reference of ['R-1', 'R-2', 'R-3', 'R-4']) {
    const payin = await placePayin(domain, merchantId, country, { channelId });
    await domain.commit({ type: 'applyReport', ref: payin, channelId, answer: paid(reference), during: 'query' });
  }
  await backdateLedger(domain, 2);
  await setReconciliation(domain, { country, channelId, beginsOn: day, fetches: false }, by('ann', 'bob'));
  const first = [line('R-1', '100.00', '2.00'), line('R-2'), line('R-3'), line('U-1', '40.00')];
  await fetchAgain(...first);
  const ofFirst = [
    ['fee', '-2.00'],
    ['missing_at_channel', '-100.00'],
    ['missing_in_ledger', '40.00'],
  ];
  expect(await openBreaks()).toEqual(ofFirst);

  // The same lines in another order, and with a balance.
  await fetchAgain(...first.map((one) => ({ ...one, balanceAfter: '1.00' })).reverse());
  expect(await openBreaks()).toEqual(ofFirst);
  const counted = () => read(`select lines, statement_net::text from reconciliation_day where day = '${day}'`);
  expect(await counted()).toEqual([[4, '338.00']]);

  // R-2 and the unknown U-1 are changed, R-3 is missing, R-4 is new.
  const corrected = [first[0] ?? {}, line('R-2', '90.00', '1.00'), line('U-1', '45.00'), line('R-4')];
  await fetchAgain(...corrected);
  expect(await openBreaks()).toEqual([
    ['amount', '-10.00'],
    ['fee', '-2.00'],
    ['fee', '-1.00'],
    ['missing_at_channel', '-100.00'],
    ['missing_in_ledger', '45.00'],
  ]);
  // Both are of the merchant's orders, so they are held out of settlements, and can be charged.
  const owned = await read(
    "select amount::text, owner_id, order_no is not null from reconciliation_break where state = 'open' and amount in (-100, -10) order by reconciliation_break.amount",
  );
  expect(owned).toEqual([
    ['-100.00', merchantId, true],
    ['-10.00', merchantId, true],
  ]);
  expect(await counted()).toEqual([[4, '332.00']]);
  // It is back, and is matched again.
  await fetchAgain(...corrected, line('R-3'));
  expect(await openBreaks()).toEqual([
    ['amount', '-10.00'],
    ['fee', '-2.00'],
    ['fee', '-1.00'],
    ['missing_in_ledger', '45.00'],
  ]);
});

test('a line that is gone after it was corrected is of the same entry, and is not matched with it again', async () => {
  const { domain } = fixture;
  const { merchantId } = await aFundedMerchant(domain, country);
  const payin = await placePayin(domain, merchantId, country, { channelId });
  await domain.commit({ type: 'applyReport', ref: payin, channelId, answer: paid('C-1'), during: 'query' });
  await backdateLedger(domain, 2);
  for (const gross of ['100.00', '90.00']) await fetchAgain(line('C-1', gross));
  await fetchAgain(line('C-2'));
  const ofEntry = () =>
    read(
      `select kind, amount::text, state, order_no from reconciliation_break where owner_id = '${merchantId}' order by break_no`,
    );
  expect(await ofEntry()).toEqual([
    ['amount', '-10.00', 'open', payin.orderNo],
    ['missing_at_channel', '-90.00', 'open', payin.orderNo],
  ]);
  // Both end, and what is held is what the order brought.
  const { rows } = await domain.database.pool.query<{ breakNo: number }>(
    'select break_no::integer as "breakNo" from reconciliation_break where owner_id = $1',
    [merchantId],
  );
  for (const { breakNo } of rows) {
    const ending = { merchantId: 'PLATFORM-PK', breakNo, outcome: 'posted', otherBreakNo: null } as const;
    expect(await resolveBreak(domain, ending, by('ann', 'bob'))).toMatchObject({ ok: true });
  }
  expect((await domain.database.pool.query(heldSum, [merchantId])).rows).toEqual([{ held: '97.50' }]);
  // It comes back, and takes the posting over it back.
  await fetchAgain(line('C-2'), line('C-1', '90.00'));
  const answering = 'select amount::text, answers is not null from reconciliation_break order by break_no desc limit 1';
  expect(await read(answering)).toEqual([['90.00', true]]);
});

test('a line that is resolved while its next version is imported keeps its resolution, and only the difference becomes a break', async () => {
  const { pool, orm } = fixture.domain.database;
  const open = () =>
    read(`select b.break_no::integer, b.kind, b.amount::text from reconciliation_break b join statement_line l using (merchant_id, file_no, line_no)
      where b.state = 'open' and l.channel_ref = 'V-1'`) as Promise<[breakNo: number, kind: string, amount: string][]>;
  await fetchAgain(line('V-1', '45.00'));
  const [[breakNo] = []] = await open();
  const deciding = await pool.connect();
  await deciding.query('begin');
  await deciding.query(lockBreakSql(orm), ['PLATFORM-PK', breakNo]);
  const fetched = fetchAgain(line('V-1', '50.00'));
  await waitFor('the import to wait for the decision', async () => {
    const waiting = "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    return (await read(waiting)).length > 0;
  });
  await deciding.query(decideBreakSql, ['PLATFORM-PK', breakNo, 'posted', 'ann', 'bob', 'seen at the bank']);
  await deciding.query(explainLineSql, ['PLATFORM-PK', breakNo, breakNo, 'posted']);
  await deciding.query('commit');
  deciding.release();
  await fetched;
  expect(await open()).toEqual([[expect.any(Number), 'amount', '5.00']]);
});

test('a version that leaves the balance unchanged shows its period again, and its lines count once', async () => {
  const { domain } = fixture;
  await setChannel(domain, { channelId: 'even', adapter: 'fake', baseUrl: 'http://even.test', credentials: {} });
  const shows = async (closing: string, ...lines: readonly object[]) => {
    const period = { ...noSummary, from: day, to: day, opening: '500.00', closing };
    const fileNo = await anImport(domain, country, [...lines, period], 'even');
    await reconcileAll(domain);
    return fileNo;
  };
  const out = { ...line('E-2'), type: 'payout', direction: 'out' } as const;
  await shows('570.00', line('E-1'), out, line('E-3', '70.00'));
  await shows('500.00', line('E-1'), out, line('E-4', '30.00'), {
    ...line('E-5', '30.00'),
    type: 'payout',
    direction: 'out',
  });
  const found = `select kind, amount::text from reconciliation_break b where channel_id = 'even' and state = 'open' order by b.amount`;
  expect(await read(found)).toEqual([
    ['missing_in_ledger', '-100.00'],
    ['missing_in_ledger', '-30.00'],
    ['missing_in_ledger', '30.00'],
    ['missing_in_ledger', '100.00'],
  ]);
});

test('a statement that opens like an earlier one of its day, to which others lead, continues the day and withdraws nothing', async () => {
  const { domain } = fixture;
  await setChannel(domain, { channelId: 'swept', adapter: 'fake', baseUrl: 'http://swept.test', credentials: {} });
  const shows = async (opening: string, closing: string, ...lines: readonly object[]) => {
    await anImport(domain, country, [...lines, { ...noSummary, from: day, to: day, opening, closing }], 'swept');
    await reconcileAll(domain);
  };
  const swept = (channelRef: string, gross: string) => ({
    ...line(channelRef, gross),
    type: 'payout',
    direction: 'out',
  });
  await shows('0.00', '100.00', line('W-1'));
  await shows('100.00', '0.00', swept('W-2', '100.00'));
  await shows('0.00', '70.00', line('W-3', '70.00'));
  const found = `select b.kind, b.amount::text from reconciliation_break b where channel_id = 'swept' and state = 'open' and kind <> 'balance' order by b.amount`;
  const all = ['-100.00', '70.00', '100.00'].map((amount) => ['missing_in_ledger', amount]);
  expect(await read(found)).toEqual(all);
  // Nor does one after a statement that did not change the balance.
  await shows('70.00', '70.00', line('W-5', '20.00'), swept('W-6', '20.00'));
  await shows('70.00', '80.00', line('W-7', '10.00'));
  const more = ['-20.00', '10.00', '20.00'].map((amount) => ['missing_in_ledger', amount]);
  expect(await read(found)).toEqual(expect.arrayContaining([...all, ...more]));
  // A version of the first one shows a line of it again.
  await shows('0.00', '105.00', line('W-1', '90.00'), line('W-4', '15.00'));
  const corrected = ['-100.00', '-20.00', '10.00', '15.00', '20.00', '70.00', '90.00'].map((amount) => [
    'missing_in_ledger',
    amount,
  ]);
  expect(await read(found)).toEqual(corrected);
});

test('a matched line whose settlement the bank corrects is a break, so that people look what it was matched with', async () => {
  const { domain } = fixture;
  const { merchantId } = await aFundedMerchant(domain, country);
  const payin = await placePayin(domain, merchantId, country, { channelId });
  await domain.commit({ type: 'applyReport', ref: payin, channelId, answer: paid('S-1'), during: 'query' });
  await backdateLedger(domain, 2);
  await fetchAgain({ ...line('S-1'), settlementRef: 'A' });
  const before = (await openBreaks()).length;
  await fetchAgain({ ...line('S-1'), settlementRef: 'B' });
  const subject =
    "select kind, amount::text from reconciliation_break where subject like 'correction %' and owner_id = ";
  expect(await read(`${subject}'${merchantId}'`)).toEqual([['amount', '0.00']]);
  expect(await openBreaks()).toHaveLength(before + 1);
});

test('the same bytes are the newest version again if another one came between', async () => {
  const { domain } = fixture;
  const { merchantId } = await aFundedMerchant(domain, country);
  const payin = await placePayin(domain, merchantId, country, { channelId });
  await domain.commit({ type: 'applyReport', ref: payin, channelId, answer: paid('V-1'), during: 'query' });
  await backdateLedger(domain, 2);
  const over = () =>
    read(`select amount::text from reconciliation_break where owner_id = '${merchantId}' and state = 'open'`);
  await fetchAgain(line('V-1'), line('V-2', '1.00'));
  expect(await over()).toEqual([]);
  await fetchAgain(line('V-2', '1.00'));
  expect(await over()).toEqual([['-100.00']]);
  await fetchAgain(line('V-1'), line('V-2', '1.00'));
  expect(await over()).toEqual([]);
});
