import type { ChannelOrder, ChannelRefund } from '@tidegate/domain/channels';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type OpnSetup, openOpn, within } from './testing/open-opn.ts';

let opn: OpnSetup;
beforeAll(async () => {
  opn = await openOpn();
});
afterAll(() => opn.close());

let refunds = 0;
const paidOrder = async (): Promise<{ order: ChannelOrder; reference: string }> => {
  const order = opn.order();
  await opn.channel.create(order, within(10_000));
  const [charge] = await opn.charges(order.orderNo);
  await opn.control('change', { charge: order.orderNo, to: 'pay' });
  return { order, reference: charge?.id ?? '' };
};
const refundOf = (order: ChannelOrder, reference: string, refundAmount = order.amount): ChannelRefund => {
  refunds += 1;
  return { ...order, reference, refundAmount, refundNo: `RF${process.pid}X${refunds}`, reason: 'case closed' };
};
const send = (refund: ChannelRefund, ms = 10_000, channel = opn.channel) => channel.refund?.(refund, within(ms));
const find = (refund: ChannelRefund) => opn.channel.queryRefund?.(refund, within(10_000));
const refundsAtOpn = async (orderNo: string): Promise<number> => {
  const [charge] = (await opn.charges(orderNo)) as unknown as { refunds: { total: number } }[];
  return charge?.refunds.total ?? 0;
};

test('a refund is accepted, and then refunded', async () => {
  const { order, reference } = await paidOrder();
  const refund = refundOf(order, reference);
  expect(await send(refund)).toMatchObject({ outcome: 'accepted', refundRef: expect.stringMatching(/^rfnd_/) });
  await vi.waitFor(async () => expect(await find(refund)).toMatchObject({ outcome: 'refunded' }), { timeout: 10_000 });
});

test('the same refund sent many times, also by other processes, is refunded once', async () => {
  const { order, reference } = await paidOrder();
  const refund = refundOf(order, reference, '20.00');
  await Promise.all([1, 2, 3, 4].map(() => send(refund, 10_000, opn.channelAt(opn.url))));
  expect(await refundsAtOpn(order.orderNo)).toBe(1);
  expect((await send(refund))?.outcome).toMatch(/^(accepted|refunded)$/);
  expect(await refundsAtOpn(order.orderNo)).toBe(1);
});

test('two refunds of one payment are two refunds', async () => {
  const { order, reference } = await paidOrder();
  for (const _time of [1, 2])
    expect(await send(refundOf(order, reference, '20.00'))).toMatchObject({ outcome: 'accepted' });
  expect(await refundsAtOpn(order.orderNo)).toBe(2);
});

describe('a refund whose answer is lost', () => {
  test('a refund whose answer is lost is unknown, and found afterwards', async () => {
    const { order, reference } = await paidOrder();
    const refund = refundOf(order, reference, '20.00');
    await opn.control('faults', { fault: 'answer_lost', path: `/charges/${reference}/refunds` });
    expect(await send(refund)).toMatchObject({ outcome: 'unknown', why: 'no_answer' });
    expect((await send(refund))?.outcome).toMatch(/^(accepted|refunded)$/);
    expect(await refundsAtOpn(order.orderNo)).toBe(1);
  });

  test('a lost refund that had no effect is sent again only after ten minutes', async () => {
    const { order, reference } = await paidOrder();
    await send(refundOf(order, reference, '20.00'));
    const refund = refundOf(order, reference, '20.00');
    await opn.control('faults', { fault: 'server_error', path: `/charges/${reference}/refunds` });
    expect(await send(refund)).toMatchObject({ outcome: 'unknown' });
    expect(await send(refund)).toMatchObject({ outcome: 'unknown', detail: 'the refund has no answer yet' });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 601_000 });
    expect(await send(refund)).toMatchObject({ outcome: 'accepted' });
    vi.useRealTimers();
    expect(await refundsAtOpn(order.orderNo)).toBe(2);
  });
});

test('a refund of more than the remaining amount is refused each time', async () => {
  const { order, reference } = await paidOrder();
  expect(await send(refundOf(order, reference, '60.00'))).toMatchObject({ outcome: 'accepted' });
  const refund = refundOf(order, reference, '60.00');
  for (const _time of [1, 2]) expect(await send(refund)).toMatchObject({ outcome: 'refused' });
});

test.each([['a charge that is not paid', async (order: ChannelOrder) => opn.channel.create(order, within(10_000))]])(
  '%s is not refunded',
  async (_what, prepare) => {
    const order = opn.order();
    const answer = await prepare(order);
    const refund = refundOf(order, 'channelRef' in answer ? (answer.channelRef ?? '') : '');
    expect(await send(refund)).toEqual({ outcome: 'refused', reason: 'the charge is not paid' });
  },
);

test('a payment of another order is not refunded', async () => {
  const [one, other] = [await paidOrder(), await paidOrder()];
  expect(await send(refundOf(one.order, other.reference))).toMatchObject({ outcome: 'unknown', why: 'no_answer' });
  expect(await refundsAtOpn(other.order.orderNo)).toBe(0);
});

test.each([
  ['a reference that is no charge', { reference: '../account' }],
  ['nothing', { refundAmount: '0.00' }],
])('%s is refused, and nothing is sent', async (_what, changed) => {
  const { order, reference } = await paidOrder();
  expect(await send({ ...refundOf(order, reference), ...changed })).toMatchObject({ outcome: 'refused' });
  expect(await refundsAtOpn(order.orderNo)).toBe(0);
});

test('a refund that was never sent is not found', async () => {
  const { order, reference } = await paidOrder();
  expect(await find(refundOf(order, reference))).toMatchObject({ outcome: 'unknown', why: 'not_found' });
});
