import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { audit } from '../audit/audit.ts';
import type { Country } from '../core/country.ts';
import { readWallet } from '../ledger/read-wallet.ts';
import { unrestricted } from '../lists/scope.ts';
import { aMerchant, openTestDomain, type TestDomain } from '../testing/index.ts';
import { aTopUp } from '../testing/payins.ts';
import { by, placePayout } from '../testing/payouts.ts';
import {
  aCycle,
  closeDays,
  lastSettlementOf,
  letReconciliationKnowAll,
  moveEntriesTo,
  paysAt,
  runSettlements,
} from '../testing/settlements.ts';
import {
  approveSettlement,
  confirmSettlement,
  failSettlement,
  findSettlement,
  paySettlement,
} from './change-settlement.ts';
import { draftSettlements } from './draft-settlements.ts';
import { loadSettlements, pageSettlementEntries } from './list-settlements.ts';

// Settlements on a real database. The runs are on days of November 2026, to which movements are moved back.

const agreed = by('ann', 'bob');
let fixture: TestDomain;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
});
afterAll(() => fixture.close());

/** A merchant with a payin over 100.00 (97.50 without its fee) at a moment. */
async function paidAt(country: Country, at: string): Promise<string> {
  const { merchantId } = await aMerchant(fixture.domain, country);
  await pays(merchantId, country, at);
  return merchantId;
}

const pays = (merchantId: string, country: Country, at: string) => paysAt(fixture.domain, merchantId, country, at);
const run = (country: Country, day: string) => runSettlements(fixture.domain, country, day);
const lastOf = (merchantId: string) => lastSettlementOf(fixture.domain, merchantId);

const stateOf = async (ref: { merchantId: string; settlementNo: string }) =>
  findSettlement(fixture.domain, ref).then((found) => found && { state: found.state, amount: found.amount });
const availableOf = async (merchantId: string) => (await readWallet(fixture.domain, merchantId)).available;

test.each<[Country, string, string]>([
  ['IN', '2026-11-18T18:29:59Z', '2026-11-18T18:30:00Z'],
  ['TH', '2026-11-18T16:59:59Z', '2026-11-18T17:00:00Z'],
])('%s: a day ends at midnight of the country', async (country, before, after) => {
  const merchantId = await paidAt(country, before);
  await pays(merchantId, country, after);
  await aCycle(fixture.domain, merchantId);
  await closeDays(fixture.domain, country, ['2026-11-18', '2026-11-19']);
  await run(country, '2026-11-19');
  const ref = await lastOf(merchantId);
  const drafted = await findSettlement(fixture.domain, ref);
  expect(drafted).toMatchObject({ cutOff: '2026-11-18', amount: '97.50', closing: '97.50', pending: '97.50' });
  await run(country, '2026-11-20');
  expect(await findSettlement(fixture.domain, ref)).toMatchObject({
    cutOff: '2026-11-19',
    amount: '195.00',
    version: 2,
  });
});

test('the first settlement waits for the begin date of its cycle', async () => {
  const merchantId = await paidAt('CN', '2026-11-18T10:00:00Z');
  await aCycle(fixture.domain, merchantId, { beginsOn: '2026-11-20' });
  expect(await run('CN', '2026-11-19')).toEqual([]);
  expect(await run('CN', '2026-11-20')).toHaveLength(1);
  expect(await stateOf(await lastOf(merchantId))).toEqual({ state: 'draft', amount: '97.50' });
});

test('a day is not settled if it is open, was opened again, or is not known to the reconciliation', async () => {
  const { domain } = fixture;
  const merchantId = await paidAt('PK', '2026-11-10T10:00:00Z');
  await aCycle(domain, merchantId);
  await run('PK', '2026-11-19');
  const ref = await lastOf(merchantId);
  expect(await stateOf(ref)).toEqual({ state: 'draft', amount: '0.00' });
  await letReconciliationKnowAll(domain, 'PK');
  await run('PK', '2026-11-19');
  expect(await stateOf(ref)).toEqual({ state: 'draft', amount: '0.00' });
  expect(await approveSettlement(domain, ref, {}, agreed)).toMatchObject({ rejection: 'nothing_to_settle' });
  await closeDays(domain, 'PK', ['2026-11-10']);
  await run('PK', '2026-11-19');
  expect(await stateOf(ref)).toEqual({ state: 'draft', amount: '97.50' });
  await domain.database.pool.query(
    "update reconciliation_day set state = 'open', closed_by = null, approver = null, closed_at = null where day = '2026-11-10'",
  );
  expect(await approveSettlement(domain, ref, {}, agreed)).toMatchObject({ rejection: 'version_outdated' });
  await closeDays(domain, 'PK', ['2026-11-10']);
  expect(await approveSettlement(domain, ref, {}, agreed)).toMatchObject({ ok: true });
});

test('a settlement is drafted, approved, paid, confirmed and returned once, although each step is repeated', async () => {
  const { domain } = fixture;
  const merchantId = await paidAt('CN', '2026-11-17T02:00:00Z');
  await aCycle(domain, merchantId, { keep: '7.50' });
  await closeDays(domain, 'CN', ['2026-11-17']);
  const [drafted] = await Promise.all([1, 2, 3].map(() => run('CN', '2026-11-18')));
  expect(drafted).toHaveLength(1);
  const ref = await lastOf(merchantId);
  expect(await findSettlement(domain, ref)).toMatchObject({ amount: '90.00', version: 1, opening: '0.00' });
  const approved = await Promise.all([1, 2, 3].map(() => approveSettlement(domain, ref, { version: 1 }, agreed)));
  expect(approved.map((one) => (one.ok ? 'ok' : one.rejection)).sort()).toEqual([
    'ok',
    'settlement_not_there',
    'settlement_not_there',
  ]);
  expect(await availableOf(merchantId)).toBe('7.50');
  // One of two claims the payment, so only one transfers it.
  const claims = await Promise.all(['ann', 'cid'].map((who) => paySettlement(domain, ref, 'R-1', by(who))));
  expect(claims.map(({ ok }) => ok).sort()).toEqual([false, true]);
  const stale = { detail: 'was not sent', seen: 'approved' } as const;
  expect(await failSettlement(domain, ref, stale, agreed)).toMatchObject({ rejection: 'version_outdated' });
  expect(await confirmSettlement(domain, ref, 'R-1', agreed)).toMatchObject({
    ok: true,
    value: { state: 'confirmed' },
  });
  const failed = await Promise.all([1, 2].map(() => failSettlement(domain, ref, { detail: 'account closed' }, agreed)));
  expect(failed.map(({ ok }) => ok).sort()).toEqual([false, true]);
  expect(await availableOf(merchantId)).toBe('97.50');
  const { rows } = await domain.database.pool.query(
    'select type, available_change::text as change, booking_no as no from wallet_entry where merchant_id = $1 order by entry_no',
    [merchantId],
  );
  expect(rows.slice(1)).toEqual([
    { type: 'SETTLEMENT', change: '-90.00', no: ref.settlementNo },
    { type: 'ADJUSTMENT', change: '90.00', no: `${ref.settlementNo}-returned` },
  ]);
  const cases = await domain.database.pool.query(
    'select kind, reference, amount::text from money_case where merchant_id = $1',
    [merchantId],
  );
  expect(cases.rows).toEqual([{ kind: 'settlement_failed', reference: ref.settlementNo, amount: '90.00' }]);
  // As a version would that does not know such cases.
  const credited = "update money_case set state = 'credited', closed_at = clock_timestamp() where merchant_id = $1";
  await expect(domain.database.pool.query(credited, [merchantId])).rejects.toThrow('not_credited');
  expect(
    (await audit(domain)).violations.filter((one) => one.merchantId === merchantId && one.rule.includes('suspense')),
  ).toEqual([]);
});

test('the money of a returned settlement is settled again, and the entries match the sums', async () => {
  const { domain } = fixture;
  const merchantId = await paidAt('IN', '2026-11-11T02:00:00Z');
  await aCycle(domain, merchantId);
  await closeDays(domain, 'IN', ['2026-11-11']);
  await run('IN', '2026-11-12');
  const first = await lastOf(merchantId);
  expect(await approveSettlement(domain, first, {}, agreed)).toMatchObject({ ok: true });
  expect(await failSettlement(domain, first, { detail: 'no such account' }, agreed)).toMatchObject({ ok: true });
  await domain.commit(aTopUp(merchantId, 'T-1', '50.00'));
  await moveEntriesTo(domain, merchantId, '2026-11-12T03:00:00Z', 1);
  const payout = await placePayout(domain, merchantId, 'IN');
  await run('IN', '2026-11-16');
  const second = await lastOf(merchantId);
  const [found] = await loadSettlements(domain, unrestricted, [second]);
  expect(second.settlementNo).not.toBe(first.settlementNo);
  expect(found?.sums.map(({ kind, amount }) => `${kind} ${amount}`)).toEqual([
    `payouts -${payout.netAmount}`,
    'top_ups 50.00',
    'adjustments 97.50',
    'settlements -97.50',
  ]);
  expect(found).toMatchObject({ opening: '97.50', amount: await availableOf(merchantId), pending: '0.00' });
  const page = await pageSettlementEntries(domain, unrestricted, second, {
    list: 'wallet_entries',
    size: 2,
    after: null,
    before: null,
    backward: false,
  });
  expect(page.rows.map(({ type }) => type)).toEqual(['PAYOUT_FREEZE', 'TOP_UP']);
});

test('a run on a day without known holidays, or in the future, computes nothing', async () => {
  const { domain } = fixture;
  const merchantId = await paidAt('IN', '2026-11-10T10:00:00Z');
  await aCycle(domain, merchantId);
  const draft = (day: string) => draftSettlements(domain, { country: 'IN', day }, by('ann'));
  expect(await draft('2025-12-30')).toMatchObject({ rejection: 'holidays_unknown' });
  expect(await draft('2999-01-04')).toMatchObject({ rejection: 'invalid_input', fields: [{ path: 'day' }] });
  expect(await run('IN', '2026-11-22')).toEqual([]);
});
