import { Readable } from 'node:stream';
import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDomain, type TestDomain } from '../../testing/index.ts';
import { paid, placePayin } from '../../testing/payins.ts';
import { aFundedMerchant, by } from '../../testing/payouts.ts';
import { aLine, backdateLedger, dayAgo, reconcileAll, statementText } from '../../testing/statements.ts';
import { waitFor } from '../../testing/wait-for.ts';
import { decideBreakSql, explainLineSql, lockBreakSql } from '../breaks/statements.ts';
import { setReconciliation } from '../days/set-reconciliation.ts';
import { fetchStatements } from '../fetching/fetch-statements.ts';
import { requestFetch } from '../fetching/request-fetch.ts';

const country = 'PK';
const day = dayAgo(country, 2);
const channelId = 'fake';
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
  const named = await read(
    "select subject, order_no is not null from reconciliation_break where subject like 'withdrawn %'",
  );
  expect(named).toEqual([[expect.stringMatching(/^withdrawn [0-9]+\/3\/0$/), false]]);
  expect(await counted()).toEqual([[4, '332.00']]);
  await fetchAgain(...corrected, line('R-3'));
  // It is back: two breaks that cancel each other out.
  expect((await openBreaks()).slice(3)).toEqual([
    ['missing_at_channel', '-100.00'],
    ['missing_in_ledger', '45.00'],
    ['missing_in_ledger', '100.00'],
  ]);
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
