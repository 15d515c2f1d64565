import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { setChannel } from '../channels/set-channel.ts';
import { setRoute } from '../configuration/set-route.ts';
import type { ChannelAnswer } from '../core/channel-answer.ts';
import type { Country } from '../core/country.ts';
import type { Order } from '../core/order.ts';
import type { Result } from '../core/rejection.ts';
import { aMerchant, makeDue, openTestDomain, orderNow, type TestDomain } from '../testing/index.ts';
import { aPayinRequest, aReport, paid, profileOf } from '../testing/payins.ts';
import { waitFor } from '../testing/wait-for.ts';
import { cancelOrder } from './cancel-order.ts';
import { createPayin } from './create-payin.ts';
import { findOrder } from './find-order.ts';
import { submitOrder } from './work-on-order.ts';

// How a payin gets to a channel: within the request (TH, IN, PK), or by the worker (CN).

let fixture: TestDomain;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
  await setChannel(fixture.domain, {
    channelId: 'second',
    adapter: 'fake',
    baseUrl: 'http://second.test',
    credentials: {},
  });
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => fixture.close());

const accepted: ChannelAnswer = { outcome: 'accepted', channelRef: 'R', payLink: 'http://fake.test/pay', payQr: 'QR' };
const refused: ChannelAnswer = { outcome: 'refused', reason: 'no' };
const silent: ChannelAnswer = { outcome: 'unknown', why: 'no_answer', detail: 'x' };

/** Creates a payin whose channel answers its creates like this, one after the other. */
async function create(
  country: Country,
  answers: (ChannelAnswer | (() => Promise<ChannelAnswer>))[],
  routes: string[] = [],
): Promise<Created> {
  const { merchantId } = await aMerchant(fixture.domain, country);
  for (const [i, channelId] of routes.entries())
    await setRoute(fixture.domain, merchantId, 10 + i, { kind: 'payin', channelId, priority: 200 + i });
  const callCount = fixture.channel.calls.length;
  fixture.channel.answers.create = () => {
    const answer = answers[fixture.channel.calls.length - callCount - 1] ?? silent;
    return typeof answer === 'function' ? answer() : answer;
  };
  const request = aPayinRequest({ bankCode: country === 'TH' ? 'QR' : null });
  const result = await createPayin(fixture.domain, await profileOf(fixture.domain, merchantId), request);
  const order = await findOrder(fixture.domain, merchantId, 'payin', { merchantOrderNo: request.merchantOrderNo });
  if (!order) throw new Error('not in the ledger');
  return {
    result,
    order,
    calls: fixture.channel.calls
      .slice(callCount)
      .map(({ operation }) => operation)
      .join(' '),
  };
}
interface Created {
  result: Result<Order>;
  order: Order;
  calls: string;
}

test('a part-paid payin cannot be cancelled, and its channel is not called to close it', async () => {
  const { domain, channel } = fixture;
  const { order } = await create('TH', [accepted]);
  await domain.commit(aReport(order, { outcome: 'part_paid', payments: [{ reference: 'P1', amount: '40.00' }] }));
  const before = channel.calls.length;
  const by = { actor: 'ann', approver: null, reason: 'a test' };
  expect(await cancelOrder(domain, order, by)).toEqual({ ok: false, rejection: 'transition_impossible' });
  expect(channel.calls.slice(before)).toEqual([]);
});

test('a refused payin never falls back to a manual route, but fails', async () => {
  const { merchantId } = await aMerchant(fixture.domain, 'PK');
  await setRoute(fixture.domain, merchantId, 10, { kind: 'payin', channelId: 'second', mode: 'manual', priority: 200 });
  fixture.channel.answers.create = refused;
  const result = await createPayin(fixture.domain, await profileOf(fixture.domain, merchantId), aPayinRequest());
  expect(result).toMatchObject({ ok: false, rejection: 'upstream_rejected' });
  const orderNo = result.ok ? '' : (result.detail ?? '');
  const order = await orderNow(fixture.domain, { merchantId, orderNo });
  expect(order).toMatchObject({ status: 'failed', channelId: 'fake', mode: 'upstream', nextAction: null });
});

const inWords = ({ result }: Created): string => (result.ok ? result.value.status : result.rejection);

test.each<[Country, ChannelAnswer, answer: string, status: string]>([
  ['TH', accepted, 'processing', 'processing'],
  ['IN', accepted, 'processing', 'processing'],
  ['PK', accepted, 'processing', 'processing'],
  ['TH', refused, 'upstream_rejected', 'failed'],
  ['IN', refused, 'upstream_rejected', 'failed'],
  ['PK', refused, 'upstream_rejected', 'failed'],
  ['TH', { outcome: 'failed', reason: 'x' }, 'upstream_rejected', 'failed'],
  ['TH', silent, 'upstream_timeout', 'timeout'],
  ['IN', silent, 'upstream_timeout', 'timeout'],
  ['PK', silent, 'upstream_timeout', 'failed'],
  ['PK', paid(), 'completed', 'completed'],
])('%s: a create to which the channel answers %j ends with %s', async (country, answer, expected, status) => {
  const created = await create(country, [answer]);
  expect(inWords(created)).toBe(expected);
  expect(created.order.status).toBe(status);
  expect(created.calls).toBe('create');
  if (!created.result.ok) expect(created.result.detail).toBe(created.order.orderNo);
});

test('a CN payin is answered before its channel is called, and the worker submits it once', async () => {
  const created = await create('CN', [accepted]);
  expect([inWords(created), created.calls]).toEqual(['created', '']);
  expect(fixture.woken).toContainEqual(expect.objectContaining({ queue: 'submit', orderNo: created.order.orderNo }));
  const outcomes = await Promise.all([1, 2, 3].map(() => submitOrder(fixture.domain, created.order)));
  expect(outcomes.sort()).toEqual(['done', 'not_due', 'not_due']);
  expect(await orderNow(fixture.domain, created.order)).toMatchObject({
    status: 'processing',
    nextAction: 'poll',
    payQr: 'QR',
  });
});

test('an order whose creating process died is submitted by the worker after the lease, and not before', async () => {
  const created = await create('TH', [accepted]);
  const { pool } = fixture.domain.database;
  await pool.query("update orders set next_action = 'submit', channel_ref = null where order_no = $1", [
    created.order.orderNo,
  ]);
  expect(await submitOrder(fixture.domain, created.order)).toBe('not_due');
  await makeDue(fixture.domain, created.order);
  expect(await submitOrder(fixture.domain, created.order)).toBe('done');
});

test('after a refusal the next channel is tried, and the order then belongs to that channel', async () => {
  const created = await create('TH', [refused, accepted], ['second']);
  expect([inWords(created), created.calls]).toEqual(['processing', 'create create']);
  expect(created.order).toMatchObject({ channelId: 'second', status: 'processing', nextAction: 'poll' });
});

test('each channel gets the rest of the 8 s, so that a slow channel can still refuse', async () => {
  const before = fixture.channel.created.length;
  const slowly = () => new Promise<ChannelAnswer>((resolve) => setTimeout(() => resolve(refused), 120));
  await create('TH', [slowly, accepted], ['second']);
  const [first = 0, second = 0] = fixture.channel.created.slice(before).map(({ answerWithinMs }) => answerWithinMs);
  expect([first <= 8_000, second > 0, second <= first - 110]).toEqual([true, true, true]);
});

test('a payin that all channels refuse has failed', async () => {
  const created = await create('IN', [refused, refused], ['second']);
  expect([inWords(created), created.calls]).toEqual(['upstream_rejected', 'create create']);
  expect(created.order).toMatchObject({ status: 'failed', nextAction: null });
});

test.each<[string, ChannelAnswer, string]>([
  ['no answer', silent, 'upstream_timeout'],
  ['a failure', { outcome: 'failed', reason: 'x' }, 'upstream_rejected'],
  ['a time-out', { outcome: 'timed_out', reason: 'x' }, 'timeout'],
])('after %s of a channel no other channel is tried', async (_, answer, expected) => {
  const created = await create('IN', [answer, accepted], ['second']);
  expect([inWords(created), created.calls]).toEqual([expected, 'create']);
  expect(created.order.channelId).toBe('fake');
});

test('a callback that arrives before the answer to the create counts, whatever that answer is', async () => {
  for (const late of [accepted, silent, refused]) {
    const { merchantId } = await aMerchant(fixture.domain, 'PK');
    fixture.channel.answers.create = async (orderNo) => {
      await fixture.domain.commit(aReport({ merchantId, orderNo }, paid()));
      return late;
    };
    const result = await createPayin(fixture.domain, await profileOf(fixture.domain, merchantId), aPayinRequest());
    expect(result).toMatchObject({ ok: true, value: { status: 'completed' } });
  }
});

test('a channel that never answers is given up after 8 s, and the order is polled for late money', async () => {
  const deadlines: number[] = [];
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    deadlines.push(ms);
    const early = new AbortController();
    setTimeout(() => early.abort(), 20);
    return early.signal;
  });
  const { merchantId } = await aMerchant(fixture.domain, 'TH');
  fixture.channel.answers.create = () => new Promise(() => undefined);
  const result = await createPayin(fixture.domain, await profileOf(fixture.domain, merchantId), aPayinRequest());
  expect(result).toMatchObject({ ok: false, rejection: 'upstream_timeout' });
  expect(deadlines).toEqual([8_000]);
  const order = await waitFor('the order', () =>
    findOrder(fixture.domain, merchantId, 'payin', { orderNo: result.ok ? '' : (result.detail ?? '') }),
  );
  expect(order).toMatchObject({ status: 'timeout', nextAction: 'poll' });
});

test('an adapter that throws, or returns an invalid answer, counts as no answer', async () => {
  const { merchantId } = await aMerchant(fixture.domain, 'IN');
  const merchant = await profileOf(fixture.domain, merchantId);
  fixture.channel.answers.create = () => Promise.reject(new Error('bug'));
  expect(await createPayin(fixture.domain, merchant, aPayinRequest())).toMatchObject({ rejection: 'upstream_timeout' });
  fixture.channel.answers.create = { outcome: 'paid', payments: [{ reference: 'P', amount: 'much' }] };
  expect(await createPayin(fixture.domain, merchant, aPayinRequest())).toMatchObject({ rejection: 'upstream_timeout' });
});
