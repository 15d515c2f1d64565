import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { audit } from '../audit/audit.ts';
import { unrestricted } from '../lists/scope.ts';
import { readFigures } from '../orders/figures/read-figures.ts';
import { rollUpFacets, rollUpOrders } from '../orders/figures/roll-up/roll-up-orders.ts';
import { fillOrderSearch } from '../orders/search/fill-order-search.ts';
import { approveSettlement, findSettlement } from '../settlement/change-settlement.ts';
import { pageSettlementEntries } from '../settlement/list-settlements.ts';
import { aMerchant, openTestDomain, type TestDomain } from '../testing/index.ts';
import { aReport, paid, placePayin } from '../testing/payins.ts';
import { aFundedMerchant, by, placePayout } from '../testing/payouts.ts';
import { aCycle, closeDays, lastSettlementOf, paysAt, runSettlements } from '../testing/settlements.ts';
import { aSteppingClock, type SteppingClock } from '../testing/stepping-clock.ts';
import { waitFor } from '../testing/wait-for.ts';

// The clock of the database steps back.

let fixture: TestDomain;
let clock: SteppingClock;
beforeAll(async () => {
  const { url } = await createTestDatabase();
  clock = await aSteppingClock(url);
  fixture = await openTestDomain(url);
});
beforeEach(() => clock.stepBack('0'));
afterAll(() => fixture.close());

const rows = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await fixture.domain.database.pool.query<Row>(text, values)).rows;

async function aPaidPayin(merchantId: string) {
  const order = await placePayin(fixture.domain, merchantId, 'TH');
  expect(await fixture.domain.commit(aReport(order, paid(`P-${order.orderNo}`)))).toMatchObject({ ok: true });
  return order;
}

/** Until the roll-ups have everything up to now behind them: they keep a second behind. */
async function rollUpToNow(): Promise<void> {
  const { domain } = fixture;
  const [now] = await rows<{ at: string }>('select clock_timestamp()::text as at');
  await waitFor('the roll-ups', async () => {
    await rollUpOrders(domain);
    await rollUpFacets(domain);
    await fillOrderSearch(domain);
    const passed = `select from order_figures_progress o, order_facets_progress f, order_search_progress s where least(o.until, f.until, s.until) > $1`;
    return (await rows(passed, [now?.at])).length > 0;
  });
}

test('a merchant whose day is settled is settled again after the clock stepped back into that day', async () => {
  const { domain } = fixture;
  const { merchantId } = await aMerchant(domain, 'TH');
  await paysAt(domain, merchantId, 'TH', '2026-11-10T05:00:00Z');
  await aCycle(domain, merchantId);
  await closeDays(domain, 'TH', ['2026-11-10', '2026-11-11']);
  await runSettlements(domain, 'TH', '2026-11-12');
  const first = await lastSettlementOf(domain, merchantId);
  expect(await approveSettlement(domain, first, {}, by('ann', 'bob'))).toMatchObject({ ok: true });

  const [back] = await rows<{ by: string }>(`select (clock_timestamp() - '2026-11-10T06:00:00Z')::text as by`);
  await clock.stepBack(back?.by ?? '');
  await aPaidPayin(merchantId);
  await clock.stepBack('0');
  await runSettlements(domain, 'TH', '2026-11-13');
  const second = await findSettlement(domain, await lastSettlementOf(domain, merchantId));
  expect(second).toMatchObject({ state: 'draft', opening: '97.50', closing: '0.00', pending: '97.50' });
});

test('a credit that a previous version recorded on a settled day is settled with the next closed day', async () => {
  const { domain } = fixture;
  const { merchantId } = await aMerchant(domain, 'TH');
  await paysAt(domain, merchantId, 'TH', '2026-11-10T05:00:00Z');
  await aCycle(domain, merchantId);
  await closeDays(domain, 'TH', ['2026-11-10', '2026-11-11']);
  const settle = async (day: string) => {
    await runSettlements(domain, 'TH', day);
    return lastSettlementOf(domain, merchantId);
  };
  expect(await approveSettlement(domain, await settle('2026-11-12'), {}, by('ann', 'bob'))).toMatchObject({ ok: true });
  // It follows a payin of a later day, which waits.
  await paysAt(domain, merchantId, 'TH', '2026-11-14T05:00:00Z');
  await paysAt(domain, merchantId, 'TH', '2026-11-10T06:00:00Z');
  const waiting = await settle('2026-11-13');
  expect(await findSettlement(domain, waiting)).toMatchObject({ closing: '0.00', pending: '195.00' });
  await closeDays(domain, 'TH', ['2026-11-10', '2026-11-12', '2026-11-13', '2026-11-14']);
  const due = await settle('2026-11-17');
  expect(await findSettlement(domain, due)).toMatchObject({ closing: '195.00', pending: '0.00', amount: '195.00' });
  const page = { list: 'wallet_entries', size: 5, after: null, before: null, backward: false } as const;
  const entries = await pageSettlementEntries(domain, unrestricted, { merchantId }, page);
  expect(entries.rows.map(({ availableChange }) => availableChange)).toEqual(['97.50', '97.50', '-97.50']);
  expect(await approveSettlement(domain, due, {}, by('ann', 'bob'))).toMatchObject({ ok: true });
  const next = await settle('2026-11-18');
  expect(await findSettlement(domain, next)).toMatchObject({
    seq: 3,
    closing: '0.00',
    pending: '0.00',
    amount: '0.00',
  });
});

test('no row of a merchant has a time before the row before, although the clock stepped back', async () => {
  const { merchantId } = await aMerchant(fixture.domain, 'TH');
  await aPaidPayin(merchantId);
  await clock.stepBack('2 hours');
  await aPaidPayin(merchantId);
  const sinceBefore = (table: string, at: string, no: string) =>
    rows<{ back: number }>(
      `select count(*) filter (where ${at} < before)::integer as back from (
         select ${at}, lag(${at}) over (order by ${no}) as before from ${table} where merchant_id = $1) t`,
      [merchantId],
    );
  expect(await sinceBefore('wallet_entry', 'created_at', 'entry_no')).toEqual([{ back: 0 }]);
  expect(await sinceBefore('transfer', 'created_at', 'transfer_no')).toEqual([{ back: 0 }]);
  expect(await sinceBefore('ledger_batch', 'at', 'batch_no')).toEqual([{ back: 0 }]);
  expect(await sinceBefore('audit_record', 'at', 'audit_no')).toEqual([{ back: 0 }]);
  const { violations } = await audit(fixture.domain);
  expect(violations.filter((found) => found.merchantId === merchantId)).toEqual([]);
});

test('an order that ends after the clock stepped back is in the figures, and can be found', async () => {
  const { domain } = fixture;
  const quiet = await aMerchant(domain, 'TH');
  await rollUpToNow();
  await clock.stepBack('2 hours');
  const order = await aPaidPayin(quiet.merchantId);
  await clock.stepBack('0');
  await rollUpToNow();
  const { groups } = await readFigures(domain, unrestricted, {
    from: Date.now() - 86_400_000,
    to: Date.now() + 60_000,
    merchantIds: [quiet.merchantId],
  });
  expect(groups).toMatchObject([{ orders: 1, completed: 1, completedAmount: '100.00' }]);
  expect(await rows('select from order_search where order_no = $1', [order.orderNo])).toHaveLength(1);
});

test('work is due by the clock as it is, although later times are recorded', async () => {
  const { domain } = fixture;
  const { merchantId } = await aFundedMerchant(domain, 'IN');
  await clock.stepBack('2 hours');
  const order = await placePayout(domain, merchantId, 'IN');
  const due =
    'select next_action_at <= clock_timestamp() as "isDue", created_at > clock_timestamp() as "isLater" from orders where order_no = $1';
  expect(await rows(due, [order.orderNo])).toEqual([{ isDue: true, isLater: true }]);
  const claim = { type: 'claimWork', ref: order, action: 'submit', lease: 25_000 } as const;
  expect(await domain.commit(claim)).toMatchObject({ ok: true });
  expect(await domain.commit(claim)).toMatchObject({ ok: false, rejection: 'not_due' });
});
