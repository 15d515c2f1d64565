import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { channelContract } from '../channel-contract.ts';
import { adaptersFor } from '../index.ts';
import { memoryOfOneProcess, withoutLimit } from '../testing/channel-tools.ts';
import {
  eventually,
  FAKE_UPSTREAM_SECRET,
  type FakeUpstream,
  openFakeUpstream,
  within,
} from '../testing/fake-upstream.ts';
import { passOn, startFaultyUpstream } from '../testing/faulty-upstream.ts';
import { CALLBACK_TARGET, replyTarget, requestTarget, signedHeaders } from './signing.ts';

const mode = {
  modeOf: () => 'test' as const,
  offers: () => ({ refunds: false, statements: [] }),
  cases: { test: { 'the upstream of a sandbox': { baseUrl: 'http://127.0.0.1:9', credentials: { secret: 'x' } } } },
};

channelContract('sandbox', mode, async () => {
  const upstream = await openFakeUpstream();
  const amounts = { stays_open: '80.23', is_paid: '80.00', is_refused: '80.11' };
  return {
    url: upstream.url,
    channelAt: (baseUrl) => upstream.channelAt(baseUrl),
    orderThat: (fate) => upstream.order({ amount: amounts[fate] }),
    paymentsUpstream: async (orderNo) => (await upstream.listed(orderNo))?.payments?.length,
    callbacks: (orderNo) => upstream.callbacks(orderNo),
    proveReply(request, status, body) {
      const signature = String(request.headers['x-sandbox-signature']);
      return signedHeaders(FAKE_UPSTREAM_SECRET, replyTarget(status, signature), body, Date.now());
    },
    tearDown: () => upstream.close(),
  };
});

const adapters = (allowCidrs: string[]) => adaptersFor({ environment: 'sandbox', allowCidrs, limiter: withoutLimit });

describe('the sandbox channel', () => {
  let upstream: FakeUpstream;
  beforeAll(async () => {
    upstream = await openFakeUpstream();
  });
  afterAll(() => upstream.close());

  test('an answer in another currency than the order is no answer', async () => {
    const order = upstream.order({ amount: '80.00' });
    const channel = upstream.channelAt(upstream.url);
    await channel.create(order, within(2_000));
    for (const call of ['query', 'cancel'] as const)
      expect(await channel[call]({ ...order, currency: 'USD' }, within(2_000))).toEqual({
        outcome: 'unknown',
        why: 'no_answer',
        detail: 'reply is in another currency',
      });
  });

  test('ended orders are watched, because their callbacks may have been given up', () => {
    const watched = adapters([]).sandbox?.watchesEnded?.map(({ kind, ended }) => `${kind} ${ended}`);
    expect(watched).toEqual(['payin paid', 'payin unpaid', 'payout paid', 'payout unpaid']);
  });

  test('the channel does not accept unsigned refusals, payments and “not found” answers', async () => {
    const order = upstream.order({ amount: '80.23' });
    const forged = [
      { status: 422, body: { code: 'order_refused', message: 'no' } },
      { status: 404, body: { code: 'order_unknown', message: 'no such order' } },
    ];
    for (const { status, body } of forged) {
      const proxy = await startFaultyUpstream((_request, reply) => {
        reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      });
      const channel = upstream.channelAt(proxy.url);
      for (const call of ['create', 'query', 'cancel'] as const) {
        expect(await channel[call](order, within(2_000))).toMatchObject({ outcome: 'unknown', why: 'no_answer' });
      }
      await proxy.close();
    }
  });

  test('the channel is not called at a forbidden address, which counts as no answer', async () => {
    const order = upstream.order({ amount: '80.11' });
    const settings = {
      channelId: 'c',
      baseUrl: upstream.url,
      memory: memoryOfOneProcess(),
      credentials: { secret: FAKE_UPSTREAM_SECRET },
    };
    const channel = adapters(['10.0.0.0/8']).sandbox?.open(settings);
    for (const call of ['create', 'query', 'cancel'] as const)
      expect(await channel?.[call](order, within(10_000))).toEqual({
        outcome: 'unknown',
        why: 'no_answer',
        isForbidden: true,
        detail: `forbidden_address ${new URL(upstream.url).host}`,
      });
    expect(await upstream.listed(order.orderNo)).toBeUndefined();
    // The upstream would refuse this order, so it was not called.
    const allowed = adapters(['127.0.0.0/8']).sandbox?.open(settings);
    expect(await allowed?.create(order, within(10_000))).toMatchObject({ outcome: 'refused' });
  });

  test('the channel does not accept the signed answer of another request', async () => {
    const [open, lost] = [upstream.order({ amount: '80.23' }), upstream.order({ amount: '80.23' })];
    await upstream.channel.create(open, within(10_000));
    const path = `/orders/${lost.orderNo}`;
    const headers = signedHeaders(FAKE_UPSTREAM_SECRET, requestTarget('GET', path), '', Date.now() - 5_000);
    const notFound = await passOn(upstream.url, { method: 'GET', path, headers, body: '' });
    expect(notFound.status).toBe(404);
    const replaying = await startFaultyUpstream((_request, reply) => {
      reply.writeHead(notFound.status, notFound.headers).end(notFound.body);
    });
    const answer = await upstream.channelAt(replaying.url).query(open, within(10_000));
    expect(answer).toMatchObject({ outcome: 'unknown', why: 'no_answer' });
    await replaying.close();
  });

  test('a call with a wrong secret has no answer, and never a refusal', async () => {
    const order = upstream.order({ amount: '80.00' });
    const answer = await upstream.channelAt(upstream.url, 'another secret').create(order, within(10_000));
    expect(answer).toMatchObject({ outcome: 'unknown', why: 'no_answer' });
    expect(await upstream.listed(order.orderNo)).toBeUndefined();
  });

  test('the same order number with other content is not refused, because the first order may be paid', async () => {
    const order = upstream.order({ amount: '80.23' });
    await upstream.channel.create(order, within(10_000));
    const answer = await upstream.channel.create({ ...order, amount: '81.23' }, within(10_000));
    expect(answer).toMatchObject({ outcome: 'unknown', why: 'no_answer' });
    expect(await upstream.channel.query(order, within(10_000))).toMatchObject({ outcome: 'accepted' });
  });

  test('an order that the upstream finds malformed is refused', async () => {
    const order = upstream.order({ amount: '80' });
    expect(await upstream.channel.create(order, within(10_000))).toEqual({
      outcome: 'refused',
      reason: 'invalid: amount',
    });
  });

  test('signed content that is not a callback is malformed', () => {
    for (const text of ['', '{}', 'null', '{"callbackId":"1","occurredAt":"now","order":{}}']) {
      const body = Buffer.from(text);
      const read = upstream.channel.parseCallback(
        signedHeaders(FAKE_UPSTREAM_SECRET, CALLBACK_TARGET, body, Date.now()),
        body,
      );
      expect(read).toMatchObject({ type: 'refused', why: 'malformed' });
    }
  });

  test('the signature of a request is not valid for a callback', async () => {
    const order = upstream.order();
    await upstream.channel.create(order, within(10_000));
    const [callback] = await eventually(() => {
      const actual = upstream.callbacks(order.orderNo);
      expect(actual).not.toHaveLength(0);
      return actual;
    });
    const body = callback?.body ?? new Uint8Array();
    const headers = signedHeaders(FAKE_UPSTREAM_SECRET, requestTarget('POST', '/callback'), body, Date.now());
    expect(upstream.channel.parseCallback(headers, body)).toMatchObject({ type: 'refused', why: 'unauthentic' });
  });

  test.each([
    ['no secret', 'http://127.0.0.1:1', {}],
    ['no URL', 'not a url', { secret: 'x' }],
    ['a URL of another scheme', 'ftp://127.0.0.1', { secret: 'x' }],
  ])('settings with %s are refused when the channel is made', (_what, baseUrl, credentials) => {
    const sandbox = adapters([]).sandbox;
    expect(() => sandbox?.open({ channelId: 'c', baseUrl, credentials, memory: memoryOfOneProcess() })).toThrow(
      /^channel c: /,
    );
  });
});
