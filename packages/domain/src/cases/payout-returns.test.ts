import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { requestOperation } from '../approvals/request-operation.ts';
import { audit } from '../audit/audit.ts';
import type { OperatorContext } from '../core/operator-rights.ts';
import type { Order } from '../core/order.ts';
import { readWallet } from '../ledger/read-wallet.ts';
import { openTestDomain, orderNow, type TestDomain } from '../testing/index.ts';
import { anOperator } from '../testing/operators.ts';
import { aReport, paid } from '../testing/payins.ts';
import { aFundedMerchant, by, placePayout } from '../testing/payouts.ts';

// A payout of 100.00 with a fee of 2.50 that the bank returns in parts, and what becomes of its fee.

let fixture: TestDomain;
let ann: OperatorContext;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url, { batchSize: 4 });
  ann = await anOperator(fixture.domain, ['finance']);
});
afterAll(async () => {
  const { violations } = await audit(fixture.domain);
  await fixture.close();
  expect(violations).toEqual([]);
});

async function aPaidPayout(isRefundable: boolean): Promise<Order> {
  const { merchantId } = await aFundedMerchant(fixture.domain, 'IN', '1000.00');
  const feeTerms = { percent: '2.5', fixed: '0.00', ...(isRefundable && { isRefundable: true as const }) };
  const order = await placePayout(fixture.domain, merchantId, 'IN', { feeTerms });
  await fixture.domain.commit(aReport(order, paid()));
  return order;
}
const comesBack = (order: Order, reference: string, amount: string): Promise<unknown> =>
  fixture.domain.commit(
    aReport(order, { outcome: 'returned', payments: [], returned: { reference, amount }, reason: 'closed account' }),
  );
async function credit({ merchantId }: Order, caseNo: number): Promise<string> {
  const input = { merchantId, caseNo };
  const done = await requestOperation(fixture.domain, ann, 'creditCase', input, 'it came back');
  if (!done.ok) return done.rejection;
  return (await readWallet(fixture.domain, merchantId)).available;
}

test('each part that the bank returns is credited to the payout, and in all no more than its amount', async () => {
  const order = await aPaidPayout(false);
  await comesBack(order, 'R1', '60.00');
  expect(await credit(order, 1)).toBe('957.50');
  await comesBack(order, 'R2', '50.00');
  expect(await credit(order, 2)).toBe('997.50');
  const { rows } = await fixture.domain.database.pool.query(
    'select type, available_change as change, booking_no as "bookingNo" from wallet_entry where merchant_id = $1 and order_no = $2 and type = $3 order by entry_no',
    [order.merchantId, order.orderNo, 'PAYOUT_RETURN'],
  );
  expect(rows).toEqual([
    { type: 'PAYOUT_RETURN', change: '60.00', bookingNo: `CASE/${order.merchantId}/1` },
    { type: 'PAYOUT_RETURN', change: '40.00', bookingNo: `CASE/${order.merchantId}/2` },
  ]);
  // What is beyond the payout's amount is a case of its own, and does not belong to the payout.
  expect(await credit(order, 3)).toBe('case_not_creditable');
  expect((await orderNow(fixture.domain, order)).status).toBe('completed');
});

test('the fee is given back with the last part, if the terms of the payout say so', async () => {
  const order = await aPaidPayout(true);
  await comesBack(order, 'R1', '60.00');
  expect(await credit(order, 1)).toBe('957.50');
  await comesBack(order, 'R2', '40.00');
  expect(await credit(order, 2)).toBe('1000.00');
  const { rows } = await fixture.domain.database.pool.query(
    'select type, available_change as change, counter, corrects from wallet_entry where merchant_id = $1 and booking_no = $2',
    [order.merchantId, `FEE/${order.orderNo}`],
  );
  expect(rows).toEqual([{ type: 'ADJUSTMENT', change: '2.50', counter: 'fee_revenue', corrects: order.orderNo }]);
});

test('20 concurrent credits of two parts credit each of them once', async () => {
  const order = await aPaidPayout(true);
  await comesBack(order, 'R1', '60.00');
  await comesBack(order, 'R2', '40.00');
  const { merchantId, orderNo } = order;
  const by = { actor: 'ann', approver: null, reason: 'a test' };
  const done = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      fixture.domain.commit({ type: 'creditCase', merchantId, orderNo, caseNo: 1 + (i % 2), by }),
    ),
  );
  expect(done.filter(({ ok }) => ok)).toHaveLength(2);
  expect((await readWallet(fixture.domain, merchantId)).available).toBe('1000.00');
});

/** A failed payout that its channel paid all the same, whose case two operators have ended. */
async function anEndedPayout(type: 'chargeCase' | 'writeOffCase'): Promise<Order> {
  const { merchantId } = await aFundedMerchant(fixture.domain, 'IN', '1000.00');
  const order = await placePayout(fixture.domain, merchantId, 'IN');
  await fixture.domain.commit(aReport(order, { outcome: 'failed', reason: 'no' }));
  await fixture.domain.commit(aReport(order, paid()));
  const ended = { type, merchantId, caseNo: 1, orderNo: order.orderNo, by: by('ann', 'bob') } as const;
  expect(await fixture.domain.commit(ended)).toMatchObject({ ok: true });
  return order;
}
const balanceOf = async (account: string, { merchantId }: Order): Promise<string> => {
  const { rows } = await fixture.domain.database.pool.query<{ held: string }>(
    'select coalesce(sum(case when credit = $2 then amount else -amount end), 0.00)::text as held from transfer where merchant_id = $1 and $2 in (debit, credit)',
    [merchantId, account],
  );
  return rows[0]?.held ?? '';
};

test('what comes back after its case was charged goes back to the merchant, in parts, and no more than the charge', async () => {
  const order = await anEndedPayout('chargeCase');
  await comesBack(order, 'R1', '60.00');
  expect(await credit(order, 2)).toBe('960.00');
  // The bank returns more than had left.
  await comesBack(order, 'R2', '70.00');
  expect(await credit(order, 3)).toBe('1000.00');
  expect(await credit(order, 4)).toBe('case_not_creditable');
  const { rows } = await fixture.domain.database.pool.query(
    'select state, came_back::text as back from money_case where merchant_id = $1 and case_no = 1',
    [order.merchantId],
  );
  expect(rows).toEqual([{ state: 'charged', back: '100.00' }]);
});

test('what comes back after it was written off takes the write-off back, and brings the merchant nothing', async () => {
  const order = await anEndedPayout('writeOffCase');
  await comesBack(order, 'R1', '60.00');
  expect(await credit(order, 2)).toBe('1000.00');
  expect(await balanceOf('written_off:fake', order)).toBe('-40.00');
});

test('what comes back of a payout that was paid twice ends the case over the second payment, and then is the merchant’s', async () => {
  const order = await aPaidPayout(false);
  const { merchantId } = order;
  await fixture.domain.commit(aReport(order, paid('P2')));
  await comesBack(order, 'R1', '100.00');
  expect(await credit(order, 2)).toBe('897.50');
  const { rows } = await fixture.domain.database.pool.query(
    'select state, came_back::text as back from money_case where merchant_id = $1 order by case_no',
    [merchantId],
  );
  expect(rows).toEqual([
    { state: 'returned', back: '100.00' },
    { state: 'credited', back: '0.00' },
  ]);
  expect(await balanceOf('suspense', order)).toBe('0.00');
  await comesBack(order, 'R2', '100.00');
  expect(await credit(order, 3)).toBe('997.50');
});

test('parts that come back close the case over what had left', async () => {
  const { merchantId } = await aFundedMerchant(fixture.domain, 'IN', '1000.00');
  const order = await placePayout(fixture.domain, merchantId, 'IN');
  await fixture.domain.commit(aReport(order, { outcome: 'failed', reason: 'no' }));
  await fixture.domain.commit(aReport(order, paid()));
  await comesBack(order, 'R1', '60.00');
  await comesBack(order, 'R2', '40.00');
  const { rows } = await fixture.domain.database.pool.query(
    'select kind, state from money_case where merchant_id = $1 order by case_no',
    [merchantId],
  );
  expect(rows).toEqual([{ kind: 'payout_paid_again', state: 'returned' }]);
  expect(await balanceOf('suspense', order)).toBe('0.00');
});

test('a part that is credited to the wallet counts among what came back of the payout', async () => {
  const order = await aPaidPayout(false);
  const { merchantId, orderNo } = order;
  await comesBack(order, 'R1', '60.00');
  const toWallet = {
    type: 'creditCase',
    merchantId,
    orderNo,
    caseNo: 1,
    toMerchantId: merchantId,
    toWallet: true,
  } as const;
  expect(await fixture.domain.commit({ ...toWallet, by: by('ann', 'bob') })).toMatchObject({ ok: true });
  await comesBack(order, 'R2', '100.00');
  expect(await credit(order, 2)).toBe('997.50');
});

test('the write-off of an unknown payout is taken back when its money returns', async () => {
  const { domain } = fixture;
  const merchantId = 'PLATFORM-IN';
  const bob = await anOperator(domain, ['finance']);
  const booked = { type: 'bookUnmatched', merchantId, channelId: 'fake', orderNo: 'POUNKNOWN' } as const;
  const last = async (): Promise<number> => {
    const { rows } = await domain.database.pool.query<{ no: number }>(
      'select max(case_no)::integer as no from money_case where merchant_id = $1',
      [merchantId],
    );
    return rows[0]?.no ?? 0;
  };
  await domain.commit({ ...booked, direction: 'out', reference: 'P1', amount: '30.00' });
  const out = { merchantId, caseNo: await last() };
  const writtenOff = await requestOperation(domain, ann, 'writeOffCase', out, 'nobody has it', { approver: bob });
  expect(writtenOff).toMatchObject({ ok: true, state: 'executed' });
  await domain.commit({ ...booked, direction: 'back', reference: 'R1', amount: '30.00' });
  const back = { merchantId, caseNo: await last() };
  const credited = await requestOperation(domain, ann, 'creditCase', back, 'it came back');
  expect(credited).toMatchObject({ ok: true, state: 'executed' });
  const { rows } = await domain.database.pool.query(
    `select state, came_back::text as back from money_case where merchant_id = $1 and case_no in ($2, $3) order by case_no`,
    [merchantId, out.caseNo, back.caseNo],
  );
  expect(rows).toEqual([
    { state: 'written_off', back: '30.00' },
    { state: 'credited', back: '0.00' },
  ]);
});
