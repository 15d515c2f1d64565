import type { Channel, ChannelAnswer, ChannelMemory, ChannelOrder } from '@tidegate/domain/channels';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { memoryOfOneProcess } from '../testing/channel-tools.ts';
import { passOn, startFaultyUpstream } from '../testing/faulty-upstream.ts';
import { type OpnSetup, openOpn, within } from './testing/open-opn.ts';

let opn: OpnSetup;
beforeAll(async () => {
  opn = await openOpn();
});
afterEach(async () => {
  vi.useRealTimers();
  await opn.control('search-lag', { seconds: 0 });
});
afterAll(() => opn.close());

const refOf = (answer: ChannelAnswer) => ('channelRef' in answer ? answer.channelRef : answer.outcome);
const query = (order: ChannelOrder, channel = opn.channel) => channel.query(order, within(10_000));
const anotherProcess = (memory?: ChannelMemory) => opn.channelAt(opn.url, memory && { memory });

describe('a second charge of an order, because the search found the first one too late', () => {
  type Doubled = { order: ChannelOrder; main: string | undefined; double: string };
  const doubled: Doubled[] = [];
  /** Orders whose first charge is not found in time, so that there is a second one. */
  beforeAll(async () => {
    const orders = Array.from({ length: 4 }, () => opn.order());
    await opn.control('search-lag', { seconds: 60 });
    await opn.control('faults', { fault: 'answer_lost', path: '/charges', times: orders.length });
    const answers = await Promise.all(orders.map((order) => opn.channel.create(order, within(10_000))));
    await opn.control('search-lag', { seconds: 0 });
    for (const [place, order] of orders.entries()) {
      const charges = await opn.charges(order.orderNo);
      expect(charges).toHaveLength(2);
      const main = answers[place] && refOf(answers[place]);
      doubled.push({ order, main, double: charges.find(({ id }) => id !== main)?.id ?? '' });
    }
  });
  const orderWithDouble = (): Doubled => doubled.pop() ?? expect.fail('no order with a double is left');

  test('the second charge is expired, so only the charge that the payer sees can be paid', async () => {
    const { order, main, double } = orderWithDouble();
    expect(await query(order)).toMatchObject({ outcome: 'accepted', channelRef: main });
    expect(await opn.charges(order.orderNo)).toMatchObject([
      { id: double, status: 'expired' },
      { id: main, status: 'pending' },
    ]);
  });

  test('a second charge does not hide the first one while the search lags', async () => {
    const { order, main } = orderWithDouble();
    await opn.control('search-lag', { seconds: 60 });
    expect(await query(order)).toMatchObject({ outcome: 'accepted', channelRef: main });
  });

  test('a second charge that was paid counts for its order, and the first charge is expired', async () => {
    const { order, main, double } = orderWithDouble();
    await opn.control('change', { charge: double, to: 'pay' });
    expect(await query(order)).toEqual({
      outcome: 'paid',
      channelRef: main,
      payments: [{ reference: double, amount: order.amount }],
    });
    expect(await opn.charges(order.orderNo)).toMatchObject([{ status: 'successful' }, { id: main, status: 'expired' }]);
  });

  test('two charges of an order that are both paid are two payments', async () => {
    const { order, main, double } = orderWithDouble();
    for (const charge of [main, double]) await opn.control('change', { charge, to: 'pay' });
    const answer = await query(order);
    expect(answer).toMatchObject({ outcome: 'paid', payments: [{ reference: main }, { reference: double }] });
  });
});

test('many processes that create one order at the same time make one charge', async () => {
  const order = opn.order();
  const processes = Array.from({ length: 6 }, () => anotherProcess());
  await Promise.all(processes.map((channel) => channel.create(order, within(10_000))));
  expect(await opn.charges(order.orderNo)).toHaveLength(1);
  const again = await Promise.all(processes.map((channel) => channel.create(order, within(10_000))));
  expect(new Set(again.map(refOf))).toEqual(new Set([(await opn.charges(order.orderNo))[0]?.id]));
});

describe('the requests of a create', () => {
  const sentBy = async (act: (channel: Channel) => Promise<unknown>): Promise<string[]> => {
    const proxy = await startFaultyUpstream(async (request, reply) => {
      const answer = await passOn(opn.url, request);
      reply.writeHead(answer.status, answer.headers).end(answer.body);
    });
    await act(opn.channelAt(proxy.url));
    await proxy.close();
    return proxy.seen.map(({ method, path }) => `${method} ${path}`);
  };

  test('creates of one order that run in one process at once share one call', async () => {
    const order = opn.order();
    const sent = await sentBy((channel) => Promise.all([1, 2, 3].map(() => channel.create(order, within(10_000)))));
    expect(sent).toEqual(['POST /charges']);
  });

  test('an order that was refused is never sent again', async () => {
    const order = opn.order({ amount: '80.11' });
    const sent = await sentBy(async (channel) => {
      for (const _time of [1, 2]) expect((await channel.create(order, within(10_000))).outcome).toBe('refused');
    });
    expect(sent).toEqual(['POST /charges']);
  });
});

test('a charge whose stored id was lost is found by its order number', async () => {
  const order = opn.order();
  const created = await opn.channel.create(order, within(10_000));
  const found = await query(order, anotherProcess(memoryOfOneProcess()));
  expect(refOf(found)).toBe(refOf(created));
});

test('a charge has its order number, expiry and payment method', async () => {
  const order = opn.order({ expiresInSeconds: 600 });
  const answer = await opn.channel.create(order, within(10_000));
  const [charge] = (await opn.charges(order.orderNo)) as Record<string, unknown>[];
  expect(charge).toMatchObject({ amount: 8_001, currency: 'THB', description: order.orderNo });
  const leftMs = Date.parse(String(charge?.expires_at)) - Date.now();
  expect(leftMs).toBeGreaterThan(590_000);
  expect(leftMs).toBeLessThanOrEqual(600_000);
  const link = 'payLink' in answer ? (answer.payLink ?? '') : '';
  const image = await fetch(link);
  expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
});

test('the text of the QR code is returned if Opn sends it', async () => {
  await opn.control('qr-text', { isGiven: true });
  const answer = await opn.channel.create(opn.order(), within(10_000));
  await opn.control('qr-text', { isGiven: false });
  expect(answer).toMatchObject({ outcome: 'accepted', payQr: expect.stringMatching(/^000201.*540580\.01/) });
});

test.each([
  ['a payout', { kind: 'payout' }],
  ['another currency', { currency: 'INR' }],
  ['another country', { country: 'PK' }],
  ['an amount without decimals', { amount: '80' }],
] as const)('%s is refused, and nothing is sent', async (_what, changed) => {
  const order = opn.order(changed);
  expect(await opn.channel.create(order, within(10_000))).toMatchObject({ outcome: 'refused' });
  expect(await opn.charges(order.orderNo)).toEqual([]);
});

test('an amount that Opn does not accept is refused with the reason', async () => {
  const answer = await opn.channel.create(opn.order({ amount: '19.99' }), within(10_000));
  expect(answer).toEqual({ outcome: 'refused', reason: 'Opn answered bad_request (HTTP 400)' });
});

test('the same order number with another amount is not refused, because the first charge may be paid', async () => {
  const order = opn.order();
  await opn.channel.create(order, within(10_000));
  const answer = await opn.channel.create({ ...order, amount: '81.01' }, within(10_000));
  expect(answer).toMatchObject({ outcome: 'unknown', why: 'no_answer' });
  expect(await opn.charges(order.orderNo)).toHaveLength(1);
});
