import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { longDeadline, paid } from '../testing/contract-subject.ts';
import { type OpenedFake, openFake } from './testing/open-fake.ts';

let opened: OpenedFake;
beforeAll(async () => {
  opened = await openFake();
});
afterEach(() => vi.useRealTimers());
afterAll(() => opened.close());

async function paidRefund(refundAmount: string) {
  const order = opened.order();
  await opened.channel.create(order, longDeadline());
  const { payments } = await paid(opened.channel, order);
  const reference = payments[0]?.reference ?? '';
  return { ...order, refundNo: `RF${order.orderNo}`, reference, refundAmount, reason: 'paid twice' };
}

const refund = (fixture: Awaited<ReturnType<typeof paidRefund>>) => opened.channel.refund?.(fixture, longDeadline());
const query = (fixture: Awaited<ReturnType<typeof paidRefund>>) =>
  opened.channel.queryRefund?.(fixture, longDeadline());
const refundsOf = (orderNo: string) => opened.fake.trade(orderNo)?.refunds.map(({ amount }) => amount);

test('a refund that is sent many times is one refund', async () => {
  const fixture = await paidRefund('40.00');
  expect(await query(fixture)).toMatchObject({ outcome: 'unknown', why: 'not_found' });
  const refunded = { outcome: 'refunded', refundRef: fixture.refundNo };
  expect(await Promise.all([refund(fixture), refund(fixture), refund(fixture)])).toEqual([
    refunded,
    refunded,
    refunded,
  ]);
  expect(await query(fixture)).toEqual(refunded);
  expect(refundsOf(fixture.orderNo)).toEqual(['40.00']);
});

test('a refund whose answer was lost is found by its query and by its repetition', async () => {
  const fixture = await paidRefund('100.00');
  opened.fake.server.faults.next('answer_lost');
  expect(await refund(fixture)).toMatchObject({ outcome: 'unknown', why: 'no_answer' });
  expect(await query(fixture)).toMatchObject({ outcome: 'refunded' });
  expect(await refund(fixture)).toMatchObject({ outcome: 'refunded' });
  expect(refundsOf(fixture.orderNo)).toEqual(['100.00']);
  expect(await opened.channel.query(fixture, longDeadline())).toMatchObject({ outcome: 'failed' });
});

test('a refund of more than the remaining amount is refused by a query a minute later, and no money is refunded', async () => {
  const fixture = await paidRefund('60.00');
  await refund(fixture);
  const second = { ...fixture, refundNo: `${fixture.refundNo}B` };
  expect(await refund(second)).toMatchObject({ outcome: 'unknown', why: 'no_answer' });
  expect(await query(second)).toMatchObject({ outcome: 'unknown', why: 'not_found' });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
  expect(await query(second)).toMatchObject({ outcome: 'refused', reason: expect.stringMatching(/more than/) });
  expect(await refund(second)).toMatchObject({ outcome: 'refused' });
  expect(refundsOf(fixture.orderNo)).toEqual(['60.00']);
});

test('a refund that was refused once is never sent again', async () => {
  const order = opened.order({ amount: '80.01' });
  await opened.channel.create(order, longDeadline());
  const reference = opened.fake.trade(order.orderNo)?.tradeNo ?? '';
  const given = { ...order, refundNo: `RF${order.orderNo}`, reference, refundAmount: '10.00', reason: 'paid twice' };
  expect(await refund(given)).toMatchObject({ outcome: 'unknown' });
  await opened.control('pay', { orderNo: order.orderNo });
  expect(await refund(given)).toMatchObject({ outcome: 'unknown', why: 'not_found' });
  expect(refundsOf(order.orderNo)).toEqual([]);
});

test('a refund number that was used with another amount has an unknown outcome, never a refusal', async () => {
  const fixture = await paidRefund('60.00');
  await refund(fixture);
  const other = { ...fixture, refundAmount: '50.00' };
  expect(await refund(other)).toMatchObject({ outcome: 'unknown' });
  expect(await query(other)).toMatchObject({ outcome: 'unknown', why: 'no_answer' });
});

test('a refund with a system error has an unknown outcome, whether the money was refunded or not', async () => {
  for (const takesEffect of [false, true]) {
    const fixture = await paidRefund('10.00');
    await opened.control('busy', { times: 1, takesEffect });
    // The query after the error finds the refund that took effect.
    expect(await refund(fixture)).toMatchObject({ outcome: takesEffect ? 'refunded' : 'unknown' });
    expect(await refund(fixture)).toMatchObject({ outcome: 'refunded' });
    expect(refundsOf(fixture.orderNo)).toEqual(['10.00']);
  }
});
