import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { audit } from '../audit/audit.ts';
import type { OperatorContext } from '../core/operator-rights.ts';
import { readWallet } from '../ledger/read-wallet.ts';
import { aMerchant, openTestDomain, type TestDomain } from '../testing/index.ts';
import { anOperator, request } from '../testing/operators.ts';
import { aReport, paid, placePayin } from '../testing/payins.ts';
import { aFundedMerchant } from '../testing/payouts.ts';
import { approve } from './approve.ts';
import type { OperationName } from './operations.ts';
import { requestOperation } from './request-operation.ts';

// What an operator may move in a day without a second one, through two processes on one database; the limit is 10000.00.

let fixture: TestDomain;
let other: TestDomain;
beforeAll(async () => {
  const { url } = await createTestDatabase();
  fixture = await openTestDomain(url);
  other = await openTestDomain(url);
});
afterAll(async () => {
  const { violations } = await audit(fixture.domain);
  await Promise.all([fixture.close(), other.close()]);
  expect(violations).toEqual([]);
});

let bookings = 0;
const booking = (merchantId: string, amount: string, bookingNo = `B-${++bookings}`): object => ({
  merchantId,
  amount,
  bookingNo,
  remark: 'r',
});
const aRichMerchant = async (): Promise<string> =>
  (await aFundedMerchant(fixture.domain, 'PK', '50000.00', 'market')).merchantId;
const anAccountant = (): Promise<OperatorContext> => anOperator(fixture.domain, ['finance']);
const does = (who: OperatorContext, name: OperationName, input: object, domain = fixture.domain): Promise<string> =>
  request(domain, who, name, input);

async function aManualPayin(merchantId: string, amount: string): Promise<string> {
  return (
    await placePayin(fixture.domain, merchantId, 'PK', { mode: 'manual', amount, netAmount: amount, feeAmount: '0.00' })
  ).orderNo;
}

/** A payin that was paid after its end: its money is in a case. */
async function aCase(merchantId: string, amount: string): Promise<object> {
  const changes = { amount, netAmount: amount, feeAmount: '0.00' };
  const payin = await placePayin(fixture.domain, merchantId, 'PK', changes);
  await fixture.domain.commit(aReport(payin, { outcome: 'failed', reason: 'no' }));
  await fixture.domain.commit(aReport(payin, paid(`L-${payin.orderNo}`, amount)));
  const text = 'select case_no::integer as "caseNo" from money_case where merchant_id = $1 and order_no = $2';
  const { rows } = await fixture.domain.database.pool.query(text, [merchantId, payin.orderNo]);
  return { merchantId, caseNo: rows[0].caseNo };
}

test('split settlements count together, for each operator separately', async () => {
  const merchantId = await aRichMerchant();
  const who = await anAccountant();
  expect(await does(who, 'settleWallet', booking(merchantId, '6000'))).toBe('executed');
  expect(await does(who, 'settleWallet', booking(merchantId, '4000.01'))).toBe('pending');
  expect(await does(who, 'settleWallet', booking(merchantId, '4000'))).toBe('executed');
  expect(await does(who, 'settleWallet', booking(merchantId, '0.01'))).toBe('pending');
  expect(await does(await anAccountant(), 'settleWallet', booking(merchantId, '10000'))).toBe('executed');
});

test('all movements count together: top-ups, adjustments, confirmed funds and credited cases', async () => {
  const merchantId = await aRichMerchant();
  const who = await anAccountant();
  const steps: [OperationName, object][] = [
    ['topUpWallet', booking(merchantId, '2000')],
    ['adjustWallet', { ...booking(merchantId, '-2000'), kind: 'fee' }],
    ['adjustWallet', { ...booking(merchantId, '2000'), kind: 'fee' }],
    ['confirmFunds', { orderNo: await aManualPayin(merchantId, '2000.00'), amount: '2000', reference: 'R0' }],
    ['creditCase', await aCase(merchantId, '2000.00')],
  ];
  for (const [name, input] of steps) expect([name, await does(who, name, input)]).toEqual([name, 'executed']);
  const above: [OperationName, object][] = [
    ['topUpWallet', booking(merchantId, '0.01')],
    ['settleWallet', booking(merchantId, '0.01')],
    ['adjustWallet', { ...booking(merchantId, '-0.01'), kind: 'fee' }],
    ['confirmFunds', { orderNo: await aManualPayin(merchantId, '1.00'), amount: '1', reference: 'R2' }],
    ['creditCase', await aCase(merchantId, '1.00')],
  ];
  for (const [name, input] of above) expect([name, await does(who, name, input)]).toEqual([name, 'pending']);
});

test('an approved movement counts for neither operator', async () => {
  const merchantId = await aRichMerchant();
  const [ann, bob] = [await anAccountant(), await anAccountant()];
  const payin = await aManualPayin(merchantId, '10000.01');
  const wishes: [OperationName, object][] = [
    ['topUpWallet', booking(merchantId, '20000')],
    ['confirmFunds', { orderNo: payin, amount: '10000.01', reference: 'R1' }],
    ['creditCase', await aCase(merchantId, '10000.01')],
  ];
  for (const [name, input] of wishes) {
    const requested = await requestOperation(fixture.domain, ann, name, input, 'a test');
    if (!requested.ok || requested.state !== 'pending') throw new Error(`${name}: ${JSON.stringify(requested)}`);
    expect(await approve(fixture.domain, bob, requested.approval.approvalId)).toMatchObject({ ok: true });
  }
  expect((await readWallet(fixture.domain, merchantId)).available).toBe('90000.02');
  for (const who of [ann, bob]) expect(await does(who, 'topUpWallet', booking(merchantId, '10000'))).toBe('executed');
});

test('each currency has its own sum', async () => {
  const who = await anAccountant();
  const { merchantId: ofIndia } = await aMerchant(fixture.domain, 'IN');
  expect(await does(who, 'topUpWallet', booking(await aRichMerchant(), '10000'))).toBe('executed');
  expect(await does(who, 'topUpWallet', booking(ofIndia, '10000'))).toBe('executed');
  expect(await does(who, 'topUpWallet', booking(ofIndia, '0.01'))).toBe('pending');
});

test('refused and repeated movements do not count', async () => {
  const merchantId = await aRichMerchant();
  const who = await anAccountant();
  expect(await does(who, 'settleWallet', booking(merchantId, '50000.01'))).toBe('balance_insufficient');
  const orderNo = await aManualPayin(merchantId, '10000.00');
  const funds = { orderNo, amount: '10000', reference: 'R3' };
  for (const _ of [1, 2]) expect(await does(who, 'confirmFunds', funds)).toBe('executed');
  const one = await anAccountant();
  for (const _ of [1, 2]) expect(await does(one, 'topUpWallet', booking(merchantId, '10000', 'ONCE'))).toBe('executed');
});

test('of concurrent movements through two processes only those within the limit are executed alone', async () => {
  const merchants = await Promise.all([aRichMerchant(), aRichMerchant(), aRichMerchant()]);
  const who = await anAccountant();
  const results = await Promise.all(
    Array.from({ length: 24 }, (_, i) =>
      does(who, 'topUpWallet', booking(merchants[i % 3] ?? '', '1000'), i % 2 ? other.domain : fixture.domain),
    ),
  );
  expect(results.filter((one) => one === 'executed')).toHaveLength(10);
  expect(results.filter((one) => one === 'pending')).toHaveLength(14);
});

test('the limit starts again each day', async () => {
  const merchantId = await aRichMerchant();
  const who = await anAccountant();
  expect(await does(who, 'topUpWallet', booking(merchantId, '10000'))).toBe('executed');
  await fixture.domain.database.pool.query('update operator_day set day = day - 1 where operator_id = $1', [
    who.operatorId,
  ]);
  expect(await does(who, 'topUpWallet', booking(merchantId, '10000'))).toBe('executed');
});
