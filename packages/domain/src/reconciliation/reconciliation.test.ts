import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { setChannel } from '../channels/set-channel.ts';
import type { ChannelAnswer } from '../core/channel-answer.ts';
import type { Order } from '../core/order.ts';
import { unrestricted } from '../lists/scope.ts';
import { openTestDomain, orderNow, type TestDomain } from '../testing/index.ts';
import { paid, placePayin } from '../testing/payins.ts';
import { aFundedMerchant, by, placePayout } from '../testing/payouts.ts';
import { aLine, anImport, backdateLedger, dayAgo, reconcileAll } from '../testing/statements.ts';
import { resolveBreak } from './breaks/resolve-break.ts';
import { closeDay, reopenDay } from './days/close-day.ts';
import { listReconciliationDays } from './list-days.ts';
import { loadStatements } from './list-statements.ts';
import type { Break } from './types.ts';

// Statements against the ledger, on a real database. The ledger's day is the one before yesterday.

const country = 'PK';
const tenant = 'PLATFORM-PK';
const day = dayAgo(country, 2);
const currency = 'PKR';
const agreed = by('ann', 'bob');

let fixture: TestDomain;
let merchantId: string;
let channelId: string;
let channels = 0;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
  ({ merchantId } = await aFundedMerchant(fixture.domain, country, '50000.00'));
});
afterAll(() => fixture.close());
// Each test has a channel of its own.
beforeEach(async () => {
  channels += 1;
  channelId = `day-${channels}`;
  await setChannel(fixture.domain, { channelId, adapter: 'fake', baseUrl: 'http://fake.test', credentials: {} });
});

const report = (order: Order, answer: ChannelAnswer) =>
  fixture.domain.commit({ type: 'applyReport', ref: order, channelId, answer, during: 'callback' });

/** A payin of 100.00 that was paid under this reference. */
async function aPaidPayin(reference: string): Promise<Order> {
  const payin = await placePayin(fixture.domain, merchantId, country, { channelId });
  await report(payin, paid(reference));
  return payin;
}

const line = (changes: Partial<Parameters<typeof aLine>[0]> = {}) => aLine({ currency, bookedOn: day, ...changes });

async function breaks(): Promise<Pick<Break, 'kind' | 'state' | 'amount' | 'day'>[]> {
  const { rows } = await fixture.domain.database.pool.query(
    'select kind, state, amount::text as amount, day::text as day from reconciliation_break where channel_id = $1 order by break_no',
    [channelId],
  );
  return rows;
}

/** The numbers of the channel's breaks, in the order of `breaks`. */
async function breakNos(): Promise<number[]> {
  const { rows } = await fixture.domain.database.pool.query<{ no: number }>(
    'select break_no::integer as no from reconciliation_break where channel_id = $1 order by break_no',
    [channelId],
  );
  return rows.map(({ no }) => no);
}

const theDay = async () => {
  const filter = { from: day, to: day, channelIds: [channelId] };
  const [found] = await listReconciliationDays(fixture.domain, unrestricted, filter);
  return found;
};

/** What the ledger says that the channel holds, in minor units. */
async function held(): Promise<number> {
  const { rows } = await fixture.domain.database.pool.query<{ held: string }>(
    `select coalesce(sum(case when debit = $1 then amount else -amount end), 0)::text as held from transfer where $1 in (debit, credit)`,
    [`channel:${channelId}`],
  );
  return Math.round(Number(rows[0]?.held) * 100);
}

test('lines are matched by channel reference, order number and bank reference, and two people close the day', async () => {
  const { domain } = fixture;
  const payins = [await aPaidPayin('A-1'), await aPaidPayin('A-2'), await aPaidPayin('A-3'), await aPaidPayin('A-4')];
  const payout = await placePayout(domain, merchantId, country, { channelId });
  await report(payout, paid('UTR-5'));
  await backdateLedger(domain, 2);
  const fileNo = await anImport(
    domain,
    country,
    [
      line({ channelRef: 'A-1' }),
      line({ orderNo: payins[1]?.orderNo ?? '' }),
      line({ bankRef: 'A-3' }),
      line(),
      line({ type: 'payout', direction: 'out', bankRef: 'UTR-5' }),
      {
        account: 'ACC',
        currency,
        from: day,
        to: day,
        opening: '0.00',
        closing: '300.00',
        lines: 5,
        totalIn: '400.00',
        totalOut: '100.00',
      },
    ],
    channelId,
  );
  await reconcileAll(domain);
  const [file] = await loadStatements(domain, unrestricted, [{ merchantId: tenant, fileNo }]);
  expect(file).toMatchObject({
    state: 'imported',
    lines: 5,
    unparsed: 0,
    firstDay: day,
    lastDay: day,
    closing: '300.00',
  });
  expect(await breaks()).toEqual([]);
  const rules = await domain.database.pool.query('select rule from matched_line where file_no = $1 order by line_no', [
    fileNo,
  ]);
  expect(rules.rows.map(({ rule }) => rule).join(' ')).toBe(
    'channel_reference order_number bank_reference amount_and_day bank_reference',
  );
  expect(await theDay()).toMatchObject({
    state: 'open',
    isCovered: true,
    isDue: false,
    lines: 5,
    expectations: 5,
    statementNet: '300.00',
    ledgerNet: '300.00',
  });

  const ref = { country, channelId, day } as const;
  expect(await closeDay(domain, ref, by('ann'))).toMatchObject({ rejection: 'second_operator_needed' });
  expect(await closeDay(domain, ref, agreed)).toMatchObject({ ok: true });
  expect(await theDay()).toMatchObject({ state: 'closed', closedBy: 'ann', approver: 'bob' });
  expect(await closeDay(domain, ref, agreed)).toMatchObject({ rejection: 'day_closed' });
  expect(await reopenDay(domain, ref, by('ann'))).toMatchObject({ ok: true });
  expect(await theDay()).toMatchObject({ state: 'open', closedBy: null, reopenedBy: 'ann' });
});

test('uploading the same file again returns the first statement, and matching again changes nothing', async () => {
  const { domain } = fixture;
  await aPaidPayin('B-1');
  await backdateLedger(domain, 2);
  const rows = [line({ channelRef: 'B-1' }), line({ channelRef: 'B-2' })];
  const first = await anImport(domain, country, rows, channelId);
  await reconcileAll(domain);
  expect(await anImport(domain, country, rows, channelId)).toBe(first);
  await domain.database.pool.query('update reconciliation_day set is_due = true');
  const before = await breaks();
  await reconcileAll(domain);
  expect(await breaks()).toEqual(before);
  expect(before).toEqual([{ kind: 'missing_in_ledger', state: 'open', amount: '100.00', day }]);
});

test('a file that repeats the lines of another one charges their fees once', async () => {
  const { domain } = fixture;
  const first = line({ channelRef: 'R-1', fee: '2.00', net: '98.00' });
  await anImport(domain, country, [first], channelId);
  await reconcileAll(domain);
  await anImport(domain, country, [first, line({ channelRef: 'R-2', fee: '3.00', net: '97.00' })], channelId);
  await reconcileAll(domain);
  const fees = (await breaks()).filter(({ kind }) => kind === 'fee');
  expect(fees.map(({ amount }) => amount)).toEqual(['-2.00', '-3.00']);
});

test('every kind of difference becomes a break, and after posting or writing off the ledger equals the statement', async () => {
  const { domain } = fixture;
  await aPaidPayin('C-1');
  await aPaidPayin('C-2');
  const open = await placePayin(domain, merchantId, country, { channelId });
  await aPaidPayin('C-4');
  await aPaidPayin('C-5');
  await backdateLedger(domain, 2);
  await anImport(
    domain,
    country,
    [
      line({ channelRef: 'C-1', gross: '90.00', net: '90.00' }),
      line({ channelRef: 'C-2', fee: '2.00', net: '98.00' }),
      line({ channelRef: 'C-2', fee: '0.00' }),
      line({ channelRef: 'C-3', orderNo: open.orderNo }),
      line({ channelRef: 'C-4', currency: 'USD' }),
      line({ channelRef: 'C-6', gross: '70.00', net: '70.00' }),
      line({ channelRef: 'C-7', type: 'payout_return', gross: '40.00', net: '40.00' }),
      line({ type: 'fee', direction: 'out', gross: '5.00', net: '5.00' }),
      'no row',
    ],
    channelId,
  );
  await reconcileAll(domain);
  const found = await breaks();
  expect(found.map(({ kind, amount }) => `${kind} ${amount}`).sort()).toEqual([
    'amount -10.00',
    'currency -100.00',
    'duplicate 100.00',
    'fee -2.00',
    'fee -5.00',
    'late_reversal 40.00',
    'missing_at_channel -100.00',
    'missing_in_ledger 70.00',
    'status 100.00',
    'unparsed 0.00',
  ]);
  expect(await closeDay(domain, { country, channelId, day }, agreed)).toMatchObject({
    rejection: 'day_not_closable',
  });
  const nos = await breakNos();
  for (const [i, { kind }] of found.entries()) {
    const breakNo = nos[i] ?? 0;
    const outcome = kind === 'unparsed' || kind === 'currency' ? 'written_off' : 'posted';
    const done = await resolveBreak(domain, { merchantId: tenant, breakNo, outcome, otherBreakNo: null }, agreed);
    expect(done, kind).toMatchObject({ ok: true });
  }
  await reconcileAll(domain);
  await reconcileAll(domain);
  expect((await breaks()).filter(({ state }) => state === 'open' || state === 'posting')).toEqual([]);
  // 90 + 98 + 100 + 100 + 70 + 40 - 5; the line in dollars is another account's.
  expect(await held()).toBe(49_300);
  expect((await orderNow(domain, open)).status).toBe('completed');
  const cases = await domain.database.pool.query('select kind, amount::text as amount from money_case order by 1');
  expect(cases.rows).toContainEqual({ kind: 'unmatched', amount: '70.00' });
  expect(await closeDay(domain, { country, channelId, day }, agreed)).toMatchObject({ ok: true });
});

test('money that a statement proves is booked once, also if the channel reports it afterwards', async () => {
  const { domain } = fixture;
  const payin = await placePayin(domain, merchantId, country, { channelId });
  await report(payin, { outcome: 'failed', reason: 'no' });
  await anImport(domain, country, [line({ channelRef: 'D-1', orderNo: payin.orderNo })], channelId);
  await reconcileAll(domain);
  expect(await breaks()).toMatchObject([{ kind: 'missing_in_ledger' }]);
  await resolveBreak(
    domain,
    { merchantId: tenant, breakNo: (await breakNos())[0] ?? 0, outcome: 'posted', otherBreakNo: null },
    agreed,
  );
  await reconcileAll(domain);
  expect(await breaks()).toMatchObject([{ state: 'posted' }]);
  await report(payin, paid('D-1'));
  const { rows } = await domain.database.pool.query('select kind from money_case where channel_id = $1', [channelId]);
  expect(rows).toEqual([{ kind: 'late' }]);
});

test('money that the ledger already has is not booked again: its break reopens and is posted as a difference', async () => {
  const { domain } = fixture;
  const payin = await aPaidPayin('K-1');
  await backdateLedger(domain, 2);
  const again = { bankRef: 'K-1', orderNo: payin.orderNo };
  await anImport(domain, country, [line({ channelRef: 'K-1' }), line(again)], channelId);
  await reconcileAll(domain);
  expect(await breaks()).toMatchObject([{ kind: 'missing_in_ledger', state: 'open' }]);
  const [breakNo = 0] = await breakNos();
  const post = () =>
    resolveBreak(domain, { merchantId: tenant, breakNo, outcome: 'posted', otherBreakNo: null }, agreed);
  expect(await post()).toMatchObject({ value: { state: 'posting' } });
  await reconcileAll(domain);
  const { rows } = await domain.database.pool.query(
    'select state, reason from reconciliation_break where break_no = $1',
    [breakNo],
  );
  expect(rows).toEqual([{ state: 'open', reason: expect.stringContaining('has a payment of this reference already') }]);
  expect(await held()).toBe(10_000);
  expect(await post()).toMatchObject({ value: { state: 'posted' } });
  await reconcileAll(domain);
  expect(await held()).toBe(20_000);
  expect(await closeDay(domain, { country, channelId, day }, agreed)).toMatchObject({ ok: true });
});

test('a late file explains missing lines, and two breaks can be linked only if their amounts cancel out', async () => {
  const { domain } = fixture;
  await aPaidPayin('F-1');
  await aPaidPayin('F-2');
  await backdateLedger(domain, 2);
  await anImport(domain, country, [line({ type: 'fee', direction: 'out', gross: '1.00', net: '1.00' })], channelId);
  await reconcileAll(domain);
  await anImport(domain, country, [line({ channelRef: 'F-1' }), line({ channelRef: 'X-9' })], channelId);
  await reconcileAll(domain);
  const kinds = await breaks();
  const found = kinds.map(({ kind, state }) => `${kind} ${state}`).sort();
  expect(found.join()).toBe('fee open,missing_at_channel matched,missing_at_channel open,missing_in_ledger open');
  const nos = await breakNos();
  const no = (kind: string): number => nos[kinds.findIndex((one) => one.kind === kind && one.state === 'open')] ?? 0;
  const link = (breakNo: number, otherBreakNo: number) =>
    resolveBreak(domain, { merchantId: tenant, breakNo, outcome: 'linked', otherBreakNo }, agreed);
  expect(await link(no('missing_in_ledger'), no('fee'))).toMatchObject({ rejection: 'break_not_resolvable' });
  expect(await link(no('missing_in_ledger'), no('missing_at_channel'))).toMatchObject({ ok: true });
  expect((await breaks()).filter(({ state }) => state === 'linked')).toHaveLength(2);
});
