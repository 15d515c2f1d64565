import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { requestOperation } from '../approvals/request-operation.ts';
import { audit } from '../audit/audit.ts';
import type { OperatorContext } from '../core/operator-rights.ts';
import type { Order } from '../core/order.ts';
import { readWallet } from '../ledger/read-wallet.ts';
import { unrestricted } from '../lists/scope.ts';
import { loadOrderMoney } from '../orders/load-order-money.ts';
import { aMerchant, openTestDomain, orderNow, type TestDomain } from '../testing/index.ts';
import { anOperator, requestAndWithdraw } from '../testing/operators.ts';
import { aReport, paid, placePayin } from '../testing/payins.ts';

// Crediting cases on a real database: several together, for another merchant, and without an order.

let fixture: TestDomain;
let ann: OperatorContext;
let bob: OperatorContext;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url, { batchSize: 4 });
  ann = await anOperator(fixture.domain, ['finance']);
  bob = await anOperator(fixture.domain, ['finance']);
});
afterAll(async () => {
  const { violations } = await audit(fixture.domain);
  await fixture.close();
  expect(violations).toEqual([]);
});

const failed = async (merchantId: string): Promise<Order> => {
  const order = await placePayin(fixture.domain, merchantId, 'TH');
  await fixture.domain.commit(aReport(order, { outcome: 'failed', reason: 'no' }));
  return order;
};
const unmatched = async (reference: string, amount: string, orderNo = 'PI9'): Promise<string> => {
  const money = { channelId: 'fake', orderNo, reference, amount, direction: 'in' } as const;
  await fixture.domain.commit({ type: 'bookUnmatched', merchantId: 'PLATFORM-TH', ...money });
  const { rows } = await fixture.domain.database.pool.query<{ no: string }>(
    "select case_no as no from money_case where merchant_id = 'PLATFORM-TH' and reference = $1 order by case_no desc limit 1",
    [reference],
  );
  return rows[0]?.no ?? '';
};
const moneyNow = async ({ merchantId, orderNo }: Order) => {
  const [report] = await loadOrderMoney(fixture.domain, unrestricted, [{ merchantId, orderNo }]);
  return report?.money;
};
const credit = async (input: object, approver?: OperatorContext, who = ann): Promise<string> => {
  const result = await requestOperation(fixture.domain, who, 'creditCase', input, 'the bank confirms it', { approver });
  return result.ok ? result.state : result.rejection;
};

test('two late part payments complete the order, and the surplus stays a case', async () => {
  const { merchantId } = await aMerchant(fixture.domain, 'TH');
  const order = await failed(merchantId);
  for (const [reference, amount] of [
    ['P1', '60.00'],
    ['P2', '60.00'],
  ] as const)
    await fixture.domain.commit(aReport(order, paid(reference, amount)));
  expect(await credit({ merchantId, caseNo: 1 })).toBe('case_not_creditable');
  const answers = await Promise.all([1, 2].map(() => credit({ merchantId, caseNo: 1, alsoCaseNos: ['2'] })));
  expect(answers.sort()).toEqual(['case_closed', 'executed']);
  expect((await orderNow(fixture.domain, order)).status).toBe('completed');
  expect((await readWallet(fixture.domain, merchantId)).available).toBe('97.50');
  // The rest goes to the wallet, if two operators agree.
  const rest = { merchantId, caseNo: 3, toMerchantId: merchantId };
  expect(await requestAndWithdraw(fixture.domain, ann, 'creditCase', rest)).toBe('pending');
  expect(await credit(rest, bob)).toBe('executed');
  expect((await readWallet(fixture.domain, merchantId)).available).toBe('117.50');
});

test('of money credited to an order of another payer, each order shows what its own payer sent', async () => {
  const { merchantId } = await aMerchant(fixture.domain, 'TH');
  const [parts, late] = [await failed(merchantId), await failed(merchantId)];
  await fixture.domain.commit(aReport(parts, paid('P1', '40.00')));
  await fixture.domain.commit(aReport(late, paid('P1', '400.00')));
  expect(await credit({ merchantId, caseNo: 1, alsoCaseNos: ['2'] }, bob)).toBe('executed');
  const [ofParts, ofLate] = await Promise.all([parts, late].map((order) => moneyNow(order)));
  expect(ofParts).toMatchObject({ arrived: '100.00', credited: '100.00', held: '0.00' });
  expect(ofLate).toMatchObject({ arrived: '400.00', creditedOtherwise: '60.00', held: '340.00' });
});

test('unmatched money is credited to the order of a merchant, or to its wallet by two operators', async () => {
  const { merchantId } = await aMerchant(fixture.domain, 'TH');
  const order = await failed(merchantId);
  const caseNo = Number(await unmatched('U1', '100.01'));
  const more = Number(await unmatched('U2', '7.00'));
  const of = { merchantId: 'PLATFORM-TH' };
  expect(await credit({ ...of, caseNo })).toBe('case_not_creditable');
  expect(await credit({ ...of, caseNo, orderNo: order.orderNo })).toBe('executed');
  expect(await orderNow(fixture.domain, order)).toMatchObject({ status: 'completed', paidAmount: '100.00' });
  expect(await credit({ ...of, caseNo: more, toMerchantId: merchantId }, bob)).toBe('executed');
  expect(await credit({ ...of, caseNo: more, toMerchantId: merchantId }, bob)).toBe('case_closed');
  expect((await readWallet(fixture.domain, merchantId)).available).toBe('104.50');
});

test('payments of two unknown orders with one reference are credited together', async () => {
  const { merchantId } = await aMerchant(fixture.domain, 'TH');
  const order = await failed(merchantId);
  const caseNo = Number(await unmatched('SAME', '60.00', 'PI7'));
  const other = await unmatched('SAME', '40.00', 'PI8');
  const of = { merchantId: 'PLATFORM-TH', caseNo, alsoCaseNos: [other] };
  expect(await credit({ ...of, orderNo: order.orderNo })).toBe('executed');
  expect(await orderNow(fixture.domain, order)).toMatchObject({ status: 'completed', paidAmount: '100.00' });
});

test('an operator credits no merchant outside of the restriction, also with money of the platform', async () => {
  const { merchantId } = await aMerchant(fixture.domain, 'TH');
  const { merchantId: another } = await aMerchant(fixture.domain, 'PK');
  const order = await failed(merchantId);
  const caseNo = Number(await unmatched('U3', '100.00'));
  const restricted = { ...ann, merchantIds: ['PLATFORM-TH'] };
  const of = { merchantId: 'PLATFORM-TH', caseNo };
  expect(await credit({ ...of, orderNo: order.orderNo }, undefined, restricted)).toBe('order_not_found');
  expect(await credit({ ...of, toMerchantId: merchantId }, bob, restricted)).toBe('merchant_not_found');
  expect(await credit({ ...of, toMerchantId: merchantId }, { ...bob, merchantIds: ['PLATFORM-TH'] })).toBe(
    'merchant_not_found',
  );
  // Another country's merchant has another currency.
  expect(await credit({ ...of, toMerchantId: another }, bob)).toBe('case_not_creditable');
});
