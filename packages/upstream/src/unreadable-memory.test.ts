import type { ChannelMemory } from '@tidegate/domain/channels';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { referenceOf } from './jazzcash/reference.ts';
import { type JazzCashFixture, openJazzCashFixture, within } from './jazzcash/testing/open-jazzcash.ts';
import { type OpnSetup, openOpn } from './opn/testing/open-opn.ts';
import { recordOf } from './razorpay/fake/context.ts';
import { type Fixture, openFixture } from './razorpay/testing/open-fixture.ts';
import { memoryOfOneProcess } from './testing/channel-tools.ts';
import { NO_ANSWER } from './testing/contract-subject.ts';

// What the memory of a channel has, but cannot be read, decides nothing: the outcome stays unknown.

let jazz: JazzCashFixture;
let opn: OpnSetup;
let razorpay: Fixture;
beforeAll(async () => {
  [jazz, opn, razorpay] = await Promise.all([openJazzCashFixture(), openOpn(), openFixture()]);
});
afterAll(() => Promise.all([jazz.close(), opn.close(), razorpay.close()]));

/** A memory that has this text under each key that begins so. */
function memoryWith(prefix: string, text: string): ChannelMemory {
  const memory = memoryOfOneProcess();
  return {
    read: async (key) => (key.startsWith(prefix) ? text : memory.read(key)),
    remember: async (key, value) => (key.startsWith(prefix) ? text : memory.remember(key, value)),
  };
}

test.each([
  'not json',
  '[]',
  '{"outcome":"paid"}',
  '{"outcome":"paid","amount":"1e9"}',
  '{"outcome":"paid","amount":"-5.00"}',
])('JazzCash: no payin is paid by the late answer %s', async (text) => {
  const credentials = { inquiryAfterSeconds: '600' };
  const channel = jazz.channelAt(jazz.url, { memory: memoryWith('late ', text), credentials });
  expect(await channel.query(jazz.order(), within())).toMatchObject(NO_ANSWER);
});

test('JazzCash: no refund ends by an unreadable result', async () => {
  const channel = jazz.channelAt(jazz.url, { memory: memoryWith('refund result ', 'x') });
  const order = jazz.order();
  const reference = referenceOf(order.orderNo) ?? '';
  const refund = { ...order, refundNo: 'RF1', reference, refundAmount: order.amount, reason: 'x' };
  expect(await channel.queryRefund?.(refund, within())).toMatchObject(NO_ANSWER);
});

test('Opn: nothing is sent a second time because the end or the beginning of an attempt is unreadable', async () => {
  for (const key of ['end:', 'attempt:']) {
    const channel = opn.channelAt(opn.url, { memory: memoryWith(key, 'x') });
    const order = opn.order();
    if (key === 'end:') await opn.control('faults', { fault: 'answer_lost', path: '/charges' });
    await channel.create(order, within(10_000));
    await channel.create(order, within(10_000));
    expect((await opn.charges(order.orderNo)).length, key).toBeLessThanOrEqual(key === 'end:' ? 1 : 0);
  }
});

test.each([
  ['failed:', 'x'],
  ['failed:', '0'],
  ['failed:', String(Date.now() + 86_400_000)],
  ['payer:', 'not an account'],
])('Razorpay: a failed payout is not proven while the memory %s is %s', async (key, text) => {
  const order = razorpay.order({ kind: 'payout', amount: '80.03' });
  const created = await razorpay.channel.create(order, within());
  const channelRef = 'channelRef' in created ? (created.channelRef ?? '') : '';
  expect(recordOf(razorpay.context, 'payout', channelRef)).toBeDefined();
  await razorpay.control('state', { id: channelRef, status: 'failed', reason: 'gateway_timeout' });
  const channel = razorpay.channelAt(razorpay.url, {}, { memory: memoryWith(key, text) });
  expect(await channel.query({ ...order, channelRef }, within())).toMatchObject(NO_ANSWER);
});

test('Razorpay: nothing is sent to an unreadable fund account', async () => {
  const channel = razorpay.channelAt(razorpay.url, {}, { memory: memoryWith('beneficiary:', 'x') });
  expect(await channel.create(razorpay.order({ kind: 'payout' }), within())).toMatchObject(NO_ANSWER);
});
