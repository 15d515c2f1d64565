import type { ChannelOrder } from '@tidegate/domain/channels';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { passOn, startFaultyUpstream } from '../testing/faulty-upstream.ts';
import { type OpnSetup, openOpn, within } from './testing/open-opn.ts';

let opn: OpnSetup;
beforeAll(async () => {
  opn = await openOpn();
});
afterAll(() => opn.close());

const eventually = <T>(fact: () => Promise<T>): Promise<T> => vi.waitFor(fact, { timeout: 10_000, interval: 10 });
const query = (order: ChannelOrder) => opn.channel.query(order, within(10_000));
const created = async (amount = '80.01'): Promise<ChannelOrder> => {
  const order = opn.order({ amount });
  expect(await opn.channel.create(order, within(10_000))).toMatchObject({ outcome: 'accepted' });
  return order;
};
const noAnswer = { outcome: 'unknown', why: 'no_answer' };

describe('final states that change', () => {
  test.each(['fail', 'expire'])('a payment after Opn said %s is reported', async (end) => {
    const order = await created();
    await opn.control('change', { charge: order.orderNo, to: end });
    expect((await query(order)).outcome).toBe(end === 'fail' ? 'failed' : 'timed_out');
    await opn.control('change', { charge: order.orderNo, to: 'pay' });
    expect(await query(order)).toMatchObject({ outcome: 'paid', payments: [{ amount: order.amount }] });
  });

  test('a payment of a charge that expired is reported', async () => {
    const order = await created('80.15');
    await eventually(async () => expect(await query(order)).toMatchObject({ outcome: 'timed_out' }));
    await eventually(async () => expect(await query(order)).toMatchObject({ outcome: 'paid' }));
  });

  test('a charge whose status returns to pending is reported as open', async () => {
    const order = await created();
    await opn.control('change', { charge: order.orderNo, to: 'pay' });
    expect((await query(order)).outcome).toBe('paid');
    await opn.control('change', { charge: order.orderNo, to: 'reopen' });
    expect((await query(order)).outcome).toBe('accepted');
  });

  test('a payment between the query of a charge and its cancel is reported as paid', async () => {
    const order = await created();
    const proxy = await startFaultyUpstream(async (request, reply) => {
      if (request.path.endsWith('/expire')) await opn.control('change', { charge: order.orderNo, to: 'pay' });
      const answer = await passOn(opn.url, request);
      reply.writeHead(answer.status, answer.headers).end(answer.body);
    });
    const cancelled = await opn.channelAt(proxy.url).cancel(order, within(10_000));
    expect(cancelled).toMatchObject({ outcome: 'paid', payments: [{ amount: order.amount }] });
    expect(proxy.seen.map(({ method }) => method)).toEqual(['GET', 'POST', 'GET']);
    await proxy.close();
  });

  test('a payment that overtakes a cancel is reported as paid', async () => {
    const order = await created();
    await opn.control('change', { charge: order.orderNo, to: 'pay' });
    const cancelled = await opn.channel.cancel(order, within(10_000));
    expect(cancelled).toMatchObject({ outcome: 'paid', payments: [{ amount: order.amount }] });
  });
});

describe('an amount that differs', () => {
  test('a charge with another amount than the order has an unknown outcome', async () => {
    const order = await created();
    await opn.control('change', { charge: order.orderNo, to: 'amount', satang: 100 });
    await opn.control('change', { charge: order.orderNo, to: 'pay' });
    expect(await query(order)).toMatchObject(noAnswer);
    expect(await opn.channel.cancel(order, within(10_000))).toMatchObject(noAnswer);
  });

  test('a charge that failed because of a different received amount has an unknown outcome', async () => {
    const order = await created('80.14');
    await eventually(async () => {
      expect((await opn.charges(order.orderNo))[0]?.status).toBe('failed');
    });
    expect(await query(order)).toMatchObject(noAnswer);
  });
});

test('the result of another search says nothing about an order', async () => {
  const [order, other] = [opn.order(), await created()];
  const proxy = await startFaultyUpstream(async (request, reply) => {
    const answer = await passOn(opn.url, { ...request, path: request.path.replace(order.orderNo, other.orderNo) });
    reply.writeHead(answer.status, answer.headers).end(answer.body);
  });
  expect(await opn.channelAt(proxy.url).query(order, within(10_000))).toMatchObject(noAnswer);
  await proxy.close();
});

describe('faults of the connection', () => {
  const faults = ['too_many_requests', 'server_error', 'maintenance_page', 'truncated', 'answer_lost'];

  test.each(faults)('%s: a query has no answer, and the next query has one', async (fault) => {
    const order = await created();
    await opn.control('faults', { fault });
    expect(await query(order)).toMatchObject(noAnswer);
    expect(await query(order)).toMatchObject({ outcome: 'accepted' });
  });

  test.each(['maintenance_page', 'truncated'])(
    '%s: a create has no answer, and makes at most one charge',
    async (fault) => {
      const order = opn.order();
      await opn.control('faults', { fault, path: '/charges' });
      expect(await opn.channel.create(order, within(10_000))).toMatchObject(noAnswer);
      expect((await opn.charges(order.orderNo)).length).toBe(fault === 'truncated' ? 1 : 0);
    },
  );

  test('after HTTP 429 a create is not repeated at once, and the next create is sent', async () => {
    const order = opn.order();
    await opn.control('faults', { fault: 'too_many_requests', path: '/charges' });
    expect(await opn.channel.create(order, within(10_000))).toMatchObject(noAnswer);
    expect(await opn.charges(order.orderNo)).toEqual([]);
    expect(await opn.channel.create(order, within(10_000))).toMatchObject({ outcome: 'accepted' });
  });

  test('an answer that comes byte by byte is given up at the end of the signal', async () => {
    const order = await created();
    const [charge] = await opn.charges(order.orderNo);
    await opn.control('faults', { fault: 'slow', path: `/charges/${charge?.id}` });
    expect(await opn.channel.query(order, within(200))).toMatchObject(noAnswer);
  });
});

test('a call that the rate limiter does not allow is not sent', async () => {
  const order = opn.order();
  const limiter = { take: async () => false };
  const channel = opn.channelAt(opn.url, { limiter });
  for (const call of ['create', 'query', 'cancel'] as const) {
    expect(await channel[call](order, within(10_000))).toMatchObject(noAnswer);
  }
  expect(await opn.charges(order.orderNo)).toEqual([]);
  expect(await opn.channel.create(order, within(10_000))).toMatchObject({ outcome: 'accepted' });
});

test('a secret key that Opn does not know gives no answer, never a refusal', async () => {
  const credentials = { secretKey: 'skey_test_5xuy4w91xqz7d1w9u0t', webhookSecret: opn.webhookSecret };
  const channel = opn.channelAt(opn.url, { credentials });
  const order = opn.order();
  for (const call of ['create', 'query', 'cancel'] as const) {
    expect(await channel[call](order, within(10_000))).toMatchObject(noAnswer);
  }
});

test('a charge of another channel at the same account is not this order', async () => {
  const order = await created();
  const other = opn.channelAt(opn.url, {
    channelId: 'opn-2',
    memory: { read: async () => null, remember: async (_key, value) => value },
  });
  expect(await other.query(order, within(10_000))).toMatchObject({ outcome: 'unknown', why: 'not_found' });
  const [charge] = await opn.charges(order.orderNo);
  const withRef = { ...order, channelRef: charge?.id ?? '' };
  expect(await other.query(withRef, within(10_000))).toMatchObject(noAnswer);
});

test('the fake keeps its charges over a restart, and its payer continues', async () => {
  const order = await created('80.00');
  await opn.restart();
  await eventually(async () => expect(await query(order)).toMatchObject({ outcome: 'paid' }));
});

test('the image of its QR code comes from Opn, and from nowhere else', async () => {
  await opn.control('qr-text', { isGiven: false });
  const answer = await opn.channel.create(opn.order({ amount: '80.01' }), within(10_000));
  const payLink = 'payLink' in answer ? (answer.payLink ?? '') : '';
  const image = await opn.channel.qrImage?.(payLink, within(5_000));
  expect(image).toMatchObject({ contentType: 'image/svg+xml' });
  expect(Buffer.from(image?.bytes ?? []).toString()).toMatch(/<svg[\s\S]*<\/svg>/);
  const { pathname, port } = new URL(payLink);
  for (const elsewhere of [`http://localhost:${port}${pathname}`, 'https://omise.co.evil.test/qr.svg', 'javascript:1'])
    expect(await opn.channel.qrImage?.(elsewhere, within(5_000))).toBeNull();
});
