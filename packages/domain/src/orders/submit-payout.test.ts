import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { audit } from '../audit/audit.ts';
import { setChannel } from '../channels/set-channel.ts';
import { setRoute } from '../configuration/set-route.ts';
import type { ChannelAnswer } from '../core/channel-answer.ts';
import type { Order } from '../core/order.ts';
import { readWallet } from '../ledger/read-wallet.ts';
import { FakeChannel, makeDue, openTestDomain, orderNow, type TestDomain } from '../testing/index.ts';
import { paid } from '../testing/payins.ts';
import { aFundedMerchant, by, placePayout } from '../testing/payouts.ts';
import { cancelOrder } from './cancel-order.ts';
import { resolvePayout } from './resolve-payout.ts';
import { pollOrder, submitOrder } from './work-on-order.ts';

// A payout and its one channel, whatever that says or does not say.

let fixture: TestDomain;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
  // A second route, to a channel that would do everything at once.
  await setChannel(fixture.domain, {
    channelId: 'other',
    adapter: 'fake',
    baseUrl: 'http://other.test',
    credentials: {},
  });
});
beforeEach(() => {
  const { channel } = fixture;
  channel.calls.length = 0;
  channel.answers = new FakeChannel().answers;
});
afterAll(async () => {
  const { violations } = await audit(fixture.domain);
  await fixture.close();
  expect(violations).toEqual([]);
});

const noAnswer: ChannelAnswer = { outcome: 'unknown', why: 'no_answer', detail: 'connection refused' };
const notFound: ChannelAnswer = { outcome: 'unknown', why: 'not_found', detail: '404' };
const refused: ChannelAnswer = { outcome: 'refused', reason: 'no' };

async function aPlacedPayout(country: 'IN' | 'PK' = 'IN'): Promise<Order> {
  const { merchantId } = await aFundedMerchant(fixture.domain, country);
  await setRoute(fixture.domain, merchantId, 3, { kind: 'payout', channelId: 'other', priority: 200 });
  return placePayout(fixture.domain, merchantId, country);
}
/** Lets a worker do what is next, as if its time had come. */
async function work(order: Order): Promise<string> {
  await makeDue(fixture.domain, order);
  const { nextAction } = await orderNow(fixture.domain, order);
  const done =
    nextAction === 'submit' ? await submitOrder(fixture.domain, order) : await pollOrder(fixture.domain, order);
  expect(done).toBe('done');
  return nextAction ?? 'nothing';
}
const callNames = (): string[] => fixture.channel.calls.map(({ operation }) => operation);
async function channelsAsked(order: Order): Promise<string[]> {
  const { rows } = await fixture.domain.database.pool.query<{ id: string }>(
    'select distinct channel_id as id from channel_call where order_no = $1 union select channel_id from orders where order_no = $1',
    [order.orderNo],
  );
  return rows.map(({ id }) => id);
}
async function money({ merchantId }: Order): Promise<string> {
  const { available, frozen } = await readWallet(fixture.domain, merchantId);
  return `${available} and ${frozen}`;
}
const held = '9897.50 and 102.50';

test.each(['IN', 'PK'] as const)(
  '%s: a payout stays at a channel that is unavailable, and is settled when the channel is back',
  async (country) => {
    const order = await aPlacedPayout(country);
    const { answers } = fixture.channel;
    Object.assign(answers, { create: noAnswer, query: noAnswer, cancel: noAnswer });
    for (let i = 0; i < 40; i++) {
      await work(order);
      expect([await money(order), (await orderNow(fixture.domain, order)).channelId]).toEqual([held, 'fake']);
    }
    expect(callNames()).toEqual(['create', ...Array.from({ length: 39 }, () => 'query')]);
    expect((await orderNow(fixture.domain, order)).status).toBe(country === 'IN' ? 'processing' : 'created');
    // An operator can neither cancel it without the channel, nor resolve it alone.
    expect(await cancelOrder(fixture.domain, order, by('ann'))).toMatchObject({ rejection: 'not_cancellable' });
    expect(await resolvePayout(fixture.domain, order, { outcome: 'failed', evidence: 'x' }, by('ann'))).toMatchObject({
      rejection: 'second_operator_needed',
    });
    expect(await money(order)).toBe(held);

    answers.query = paid();
    await work(order);
    expect(await orderNow(fixture.domain, order)).toMatchObject({
      status: 'completed',
      nextAction: null,
      channelId: 'fake',
    });
    expect(await money(order)).toBe('9897.50 and 0.00');
    expect(await channelsAsked(order)).toEqual(['fake']);
  },
);

test('a payout that its channel lost is sent to the same channel again, with the same number', async () => {
  const order = await aPlacedPayout();
  const { answers } = fixture.channel;
  Object.assign(answers, { create: noAnswer, query: notFound });
  expect([await work(order), await work(order), await work(order)]).toEqual(['submit', 'poll', 'submit']);
  answers.create = { outcome: 'accepted', channelRef: 'C-1' };
  answers.query = () => (callNames().filter((operation) => operation === 'create').length === 3 ? paid() : notFound);
  expect([await work(order), await work(order), await work(order)]).toEqual(['poll', 'submit', 'poll']);
  expect(await orderNow(fixture.domain, order)).toMatchObject({ status: 'completed', channelId: 'fake' });
  expect(new Set(fixture.channel.calls.map(({ orderNo }) => orderNo))).toEqual(new Set([order.orderNo]));
});

test('two operators can fail a payout by evidence, but not while it is being sent', async () => {
  const { domain, channel } = fixture;
  const order = await aPlacedPayout();
  let answer: (given: ChannelAnswer) => void = () => undefined;
  channel.answers.create = () => new Promise((resolve) => (answer = resolve));
  const fail = () => resolvePayout(domain, order, { outcome: 'failed', evidence: 'their support' }, by('ann', 'bob'));
  const working = work(order);
  await expect.poll(callNames).toEqual(['create']);
  expect(await fail()).toMatchObject({ rejection: 'not_due', detail: expect.stringContaining('half a minute') });
  answer(notFound);
  await working;
  // It waits to be sent again, and nobody sends it.
  expect(await orderNow(domain, order)).toMatchObject({ nextAction: 'submit', commandId: null });
  expect(await fail()).toMatchObject({ ok: true, value: { status: 'failed' } });
  expect(await money(order)).toBe('10000.00 and 0.00');
});

test('a refusal fails the payout if the channel does not have the order', async () => {
  const order = await aPlacedPayout();
  Object.assign(fixture.channel.answers, { create: refused, query: notFound });
  await work(order);
  expect(callNames()).toEqual(['create', 'query']);
  expect(await orderNow(fixture.domain, order)).toMatchObject({
    status: 'failed',
    channelId: 'fake',
    nextAction: null,
  });
  expect(await money(order)).toBe('10000.00 and 0.00');
  expect(await channelsAsked(order)).toEqual(['fake']);
});

test.each<[string, ChannelAnswer, string]>([
  ['has the order', { outcome: 'accepted', channelRef: 'C-1' }, 'processing'],
  ['paid the order', paid(), 'completed'],
  ['does not answer the query', noAnswer, 'processing'],
])('a refusal does not fail the payout if the channel %s', async (_, query, status) => {
  const order = await aPlacedPayout();
  Object.assign(fixture.channel.answers, { create: refused, query });
  await work(order);
  expect((await orderNow(fixture.domain, order)).status).toBe(status);
  expect(await money(order)).toBe(status === 'completed' ? '9897.50 and 0.00' : held);
});

test('an adapter that throws, or returns an impossible answer, counts as no answer', async () => {
  const order = await aPlacedPayout();
  const broken: (() => never | ChannelAnswer)[] = [
    () => {
      throw new Error('adapter');
    },
    () => paid('P1', '-1.00'),
    () => paid('P1', '1e2'),
    () => paid('', '100.00'),
    () => paid('x'.repeat(129), '100.00'),
    () => paid('P\u0000', '100.00'),
  ];
  for (const answer of broken) {
    Object.assign(fixture.channel.answers, { create: answer, query: answer });
    await work(order);
    expect([await money(order), (await orderNow(fixture.domain, order)).nextAction]).toEqual([held, 'poll']);
  }
});

test('of two workers with the same payout one sends it', async () => {
  const order = await aPlacedPayout();
  await makeDue(fixture.domain, order);
  const done = await Promise.all(Array.from({ length: 5 }, () => submitOrder(fixture.domain, order)));
  expect(done.toSorted()).toEqual(['done', 'not_due', 'not_due', 'not_due', 'not_due']);
  expect(callNames()).toEqual(['create']);
});

test('a cancel is immediate before submission; afterwards the channel decides, and any other answer is booked', async () => {
  const unsent = await aPlacedPayout();
  expect(await cancelOrder(fixture.domain, unsent, by('ann'))).toMatchObject({ value: { status: 'cancelled' } });
  expect(callNames()).toEqual([]);

  const sent = await aPlacedPayout();
  await work(sent);
  expect(await cancelOrder(fixture.domain, sent, by('ann'))).toMatchObject({ value: { status: 'cancelled' } });
  expect(callNames()).toEqual(['create', 'cancel']);
  expect(await money(sent)).toBe('10000.00 and 0.00');

  const payout = await aPlacedPayout();
  await work(payout);
  fixture.channel.answers.cancel = paid();
  expect(await cancelOrder(fixture.domain, payout, by('ann'))).toMatchObject({
    ok: false,
    rejection: 'not_cancellable',
  });
  expect((await orderNow(fixture.domain, payout)).status).toBe('completed');
  fixture.channel.calls.length = 0;
  expect(await cancelOrder(fixture.domain, payout, by('ann'))).toMatchObject({ rejection: 'transition_impossible' });
  expect(callNames()).toEqual([]);
});
