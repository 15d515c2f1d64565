import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../../../tools/sandbox/src/testing.ts';
import { openTestDomain, type TestDomain } from '../testing/open-test-domain.ts';
import { aReport, placePayin } from '../testing/payins.ts';
import { aFundedMerchant } from '../testing/payouts.ts';
import { anApprovedSettlement } from '../testing/settlements.ts';
import { moneyOfApprovals } from './money-of-approvals.ts';

let fixture: TestDomain;
let merchantId: string;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
  ({ merchantId } = await aFundedMerchant(fixture.domain, 'PK'));
});
afterAll(() => fixture.close());

let count = 0;

/** The money of a request, as approvals keep it. */
async function moneyOf(operation: string, input: object, tenant = merchantId): Promise<object | null> {
  const approvalId = `AP${++count}`;
  await fixture.domain.database.pool.query(
    `insert into approval (merchant_id, approval_id, operation, subject, input, asked_by, reason, asked_at, expires_at, state)
     values ($1, $2, $3, 'it', $4, 'ann', 'a test', clock_timestamp(), clock_timestamp() + interval '1 day', 'pending')`,
    [tenant, approvalId, operation, JSON.stringify(input)],
  );
  const [unknown, money = null] = await moneyOfApprovals(fixture.domain, ['AP0', approvalId]);
  expect(unknown).toBeNull();
  return money;
}

const rupees = (amount: string) => ({ type: 'money', amount, currency: 'PKR' });

test('a booking, an order, cases and a break have their amounts, other operations none', async () => {
  const { domain } = fixture;
  expect(await moneyOf('adjustWallet', { merchantId, amount: '-12.50' })).toEqual(rupees('-12.50'));
  const order = await placePayin(domain, merchantId, 'PK');
  expect(await moneyOf('resolvePayout', { orderNo: order.orderNo })).toEqual(rupees('100.00'));
  const payments = ['P1', 'P2', 'P3'].map((reference) => ({ reference, amount: '100.00' }));
  await domain.commit(aReport(order, { outcome: 'paid', payments }));
  expect(await moneyOf('returnCase', { merchantId, caseNo: 1 })).toEqual(rupees('100.00'));
  expect(await moneyOf('creditCase', { merchantId, caseNo: 1, alsoCaseNos: [2] })).toEqual(rupees('200.00'));
  expect(await moneyOf('setFeeRule', { merchantId, percent: '2.5' })).toBeNull();
  const tenant = 'PLATFORM-PK';
  await domain.database.pool.query(
    `insert into reconciliation_break (merchant_id, break_no, channel_id, day, subject, kind, amount)
     values ($1, 7, 'fake', '2026-11-17', 'a test', 'fee', -3.25)`,
    [tenant],
  );
  expect(await moneyOf('resolveBreak', { country: 'PK', breakNo: 7 }, tenant)).toEqual(rupees('-3.25'));
});

test('a settlement has the amount that was seen, and a bank file what it would pay now', async () => {
  const { domain } = fixture;
  const ref = await anApprovedSettlement(domain, 'PK', '80.00');
  await anApprovedSettlement(domain, 'PK', '50.00');
  await anApprovedSettlement(domain, 'IN', '33.00');
  const tenant = ref.merchantId;
  expect(await moneyOf('confirmSettlement', ref, tenant)).toEqual(rupees('80.00'));
  expect(await moneyOf('approveSettlement', { ...ref, seenAmount: '70.00' }, tenant)).toEqual(rupees('70.00'));
  expect(await moneyOf('createSettlementFile', { country: 'PK' }, 'PLATFORM-PK')).toEqual(rupees('130.00'));
  expect(await moneyOf('createSettlementFile', { country: 'TH' }, 'PLATFORM-TH')).toBeNull();
});
