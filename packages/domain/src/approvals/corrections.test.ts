import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { audit } from '../audit/audit.ts';
import type { OperatorContext } from '../core/operator-rights.ts';
import { readWallet } from '../ledger/index.ts';
import { readAccountBalances } from '../ledger/list-account-balances.ts';
import { unrestricted } from '../lists/scope.ts';
import { openTestDomain, type TestDomain } from '../testing/index.ts';
import { anOperator } from '../testing/operators.ts';
import { aReport, aTopUp, paid } from '../testing/payins.ts';
import { aFundedMerchant, placePayout } from '../testing/payouts.ts';
import { approvalById } from './approvals.ts';
import { approve } from './approve.ts';
import type { OperationName } from './operations.ts';
import { requestOperation } from './request-operation.ts';

// Corrections of wallets and of cases: the account that each is booked against, and that two operators agree to its effect.

let fixture: TestDomain;
let ann: OperatorContext;
let bob: OperatorContext;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url, { batchSize: 4 });
  [ann, bob] = [await anOperator(fixture.domain, ['finance']), await anOperator(fixture.domain, ['finance'])];
});
afterAll(async () => {
  const { violations } = await audit(fixture.domain);
  await fixture.close();
  expect(violations).toEqual([]);
});

const ask = async (name: OperationName, input: object, approver?: OperatorContext): Promise<string> => {
  const done = await requestOperation(fixture.domain, ann, name, input, 'a test', { approver });
  if (!done.ok) return done.rejection;
  return done.state === 'pending' ? done.approval.approvalId : 'executed';
};
/** What each account has moved for the merchant, by account. */
async function balancesOf(merchantId: string): Promise<Record<string, string>> {
  const rows = await readAccountBalances(fixture.domain, unrestricted, { merchantIds: [merchantId] });
  return Object.fromEntries(rows.map(({ account, balance }) => [account, balance]));
}
const availableOf = async (merchantId: string): Promise<string> =>
  (await readWallet(fixture.domain, merchantId)).available;

test('a fee that is given back changes the account of fees, and not that of the bank', async () => {
  const { merchantId } = await aFundedMerchant(fixture.domain, 'IN', '100.00');
  const fee = { merchantId, kind: 'fee', amount: '2.50', bookingNo: 'F-1', corrects: 'PO1', remark: 'fee of PO1' };
  expect(await ask('adjustWallet', fee)).toBe('executed');
  expect(await availableOf(merchantId)).toBe('102.50');
  expect(await balancesOf(merchantId)).toEqual({ external: '-100.00', fee_revenue: '-2.50' });
  const text = 'select counter, corrects from wallet_entry where merchant_id = $1 and booking_no = $2';
  const { rows } = await fixture.domain.database.pool.query(text, [merchantId, 'F-1']);
  expect(rows).toEqual([{ counter: 'fee_revenue', corrects: 'PO1' }]);
});

test('an adjustment without a kind is invalid, and one of a variance names an existing channel', async () => {
  const { merchantId } = await aFundedMerchant(fixture.domain, 'IN', '100.00');
  const input = { merchantId, amount: '-1.00', bookingNo: 'V-1', remark: 'r' };
  expect(await ask('adjustWallet', input)).toBe('invalid_input');
  expect(await ask('adjustWallet', { ...input, kind: 'variance' })).toBe('channel_of_variance');
  expect(await ask('adjustWallet', { ...input, kind: 'variance', channelId: 'nowhere' })).toBe('channel_not_found');
  expect(await ask('adjustWallet', { ...input, kind: 'variance', channelId: 'fake' })).toBe('executed');
  expect(await balancesOf(merchantId)).toEqual({ external: '-100.00', 'variance:fake': '1.00' });
});

test('a wrong booking is reversed once, by two operators, against its own account', async () => {
  const { merchantId } = await aFundedMerchant(fixture.domain, 'IN', '100.00');
  await ask('adjustWallet', { merchantId, kind: 'dispute', amount: '-7.00', bookingNo: 'D-1', remark: 'r' });
  expect(await balancesOf(merchantId)).toEqual({ external: '-100.00', dispute: '7.00' });
  const reversal = { merchantId, bookingNo: 'D-1', remark: 'not of this merchant' };
  const one = await ask('reverseBooking', reversal);
  expect(await ask('reverseBooking', reversal)).toBe('approval_waits');
  expect((await approvalById(fixture.domain, one))?.effect).toContain('available +7.00');
  expect(await availableOf(merchantId)).toBe('93.00');
  expect(await approve(fixture.domain, bob, one)).toMatchObject({ ok: true, value: { state: 'executed' } });
  expect(await availableOf(merchantId)).toBe('100.00');
  expect(await balancesOf(merchantId)).toEqual({ external: '-100.00', dispute: '0.00' });
  expect(await ask('reverseBooking', reversal, bob)).toBe('booking_reversed');
  expect(await ask('reverseBooking', { ...reversal, bookingNo: 'REVERSAL/D-1' })).toBe('invalid_input');
  expect(await ask('reverseBooking', { ...reversal, bookingNo: 'D-2' })).toBe('booking_not_found');
});

test('20 concurrent reversals of one top-up take it back once', async () => {
  const { merchantId } = await aFundedMerchant(fixture.domain, 'IN', '100.00');
  await fixture.domain.commit(aTopUp(merchantId, 'T-1', '30.00'));
  const by = { actor: 'ann', approver: 'bob', reason: 'a test' };
  const named = { merchantId, bookingNo: 'REVERSAL/T-1', reverses: 'T-1', remark: 'never came', by };
  const done = await Promise.all(
    Array.from({ length: 20 }, () => fixture.domain.commit({ type: 'reverseBooking', ...named })),
  );
  expect(done.filter(({ ok }) => ok)).toHaveLength(1);
  expect(await availableOf(merchantId)).toBe('100.00');
});

/** A payout that its channel paid after it had failed: case 1. */
async function paidAfterItFailed(): Promise<string> {
  const { merchantId } = await aFundedMerchant(fixture.domain, 'IN', '1000.00');
  const order = await placePayout(fixture.domain, merchantId, 'IN');
  await fixture.domain.commit(aReport(order, { outcome: 'failed', reason: 'no' }));
  await fixture.domain.commit(aReport(order, paid()));
  return merchantId;
}

// biome-ignore format: a table is read by its columns
test.each<[OperationName, state: string, available: string, Record<string, string>]>([
  ['chargeCase', 'charged', '900.00', { external: '-1000.00', 'channel:fake': '100.00', suspense: '0.00' }],
  ['writeOffCase', 'written_off', '1000.00', { external: '-1000.00', 'channel:fake': '100.00', suspense: '0.00', 'written_off:fake': '-100.00' }],
])('%s ends a case about money that left as %s, with the effect that was shown', async (name, state, available, balances) => {
  const merchantId = await paidAfterItFailed();
  const approvalId = await ask(name, { merchantId, caseNo: 1 });
  const { effect } = (await approvalById(fixture.domain, approvalId)) ?? {};
  expect(effect).toContain(`becomes ${state}`);
  expect(await approve(fixture.domain, ann, approvalId)).toMatchObject({ rejection: 'own_approval' });
  expect(await approve(fixture.domain, bob, approvalId)).toMatchObject({ ok: true, value: { state: 'executed', effect } });
  expect(await availableOf(merchantId)).toBe(available);
  expect(await balancesOf(merchantId)).toEqual(balances);
  const { rows } = await fixture.domain.database.pool.query('select state from money_case where merchant_id = $1', [merchantId]);
  expect(rows).toEqual([{ state }]);
  expect(await ask(name, { merchantId, caseNo: 1 }, bob)).toBe('case_closed');
});

test('the database refuses to charge a case of money that came in, or to write it off', async () => {
  const { merchantId } = await aFundedMerchant(fixture.domain, 'IN', '1000.00');
  const order = await placePayout(fixture.domain, merchantId, 'IN');
  const returned = { reference: 'R1', amount: '100.00' };
  await fixture.domain.commit(aReport(order, paid()));
  await fixture.domain.commit(aReport(order, { outcome: 'returned', payments: [], returned, reason: 'closed' }));
  for (const state of ['charged', 'written_off'])
    await expect(
      fixture.domain.database.pool.query(
        'update money_case set state = $2, closed_at = clock_timestamp() where merchant_id = $1',
        [merchantId, state],
      ),
    ).rejects.toThrow(/money_case_left_check/);
});
