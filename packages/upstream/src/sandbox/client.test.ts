import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { channelContract } from '../channel-contract.ts';
import { adaptersFor } from '../index.ts';
import { passOn, startFaultyUpstream } from '../testing/faulty-upstream.ts';
import { eventually, openStage, STAGE_SECRET, type Stage, within } from '../testing/stage.ts';
import { CALLBACK_TARGET, replyTarget, requestTarget, signedHeaders } from './signing.ts';

channelContract('sandbox', async () => {
  const stage = await openStage();
  const amounts = { stays_open: '80.23', is_paid: '80.00', is_refused: '80.11' };
  return {
    url: stage.url,
    channelAt: (baseUrl) => stage.channelAt(baseUrl),
    orderThat: (fate) => stage.order({ amount: amounts[fate] }),
    paymentsUpstream: async (orderNo) => (await stage.listed(orderNo))?.payments?.length,
    callbacks: (orderNo) => stage.callbacks(orderNo),
    proveReply(request, status, body) {
      const signature = String(request.headers['x-sandbox-signature']);
      return signedHeaders(STAGE_SECRET, replyTarget(status, signature), body, Date.now());
    },
    tearDown: () => stage.close(),
  };
});

describe('the sandbox channel', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());

  test('does not believe a refusal, a payment or a “not found” that the upstream did not sign', async () => {
    const order = stage.order({ amount: '80.23' });
    const forged = [
      { status: 422, body: { code: 'order_refused', message: 'no' } },
      { status: 404, body: { code: 'order_unknown', message: 'no such order' } },
    ];
    for (const { status, body } of forged) {
      const proxy = await startFaultyUpstream((_request, reply) => {
        reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      });
      const channel = stage.channelAt(proxy.url);
      for (const call of ['create', 'query', 'cancel'] as const) {
        expect(await channel[call](order, within(2_000))).toMatchObject({ outcome: 'unknown', why: 'no_answer' });
      }
      await proxy.close();
    }
  });

  test('is not called at an address that is neither public nor allowed, which is no answer', async () => {
    const order = stage.order({ amount: '80.11' });
    const settings = { channelId: 'c', baseUrl: stage.url, credentials: { secret: STAGE_SECRET } };
    const channel = adaptersFor('sandbox', ['10.0.0.0/8']).sandbox?.(settings);
    for (const call of ['create', 'query', 'cancel'] as const)
      expect(await channel?.[call](order, within(2_000))).toEqual({
        ...{ outcome: 'unknown', why: 'no_answer', isForbidden: true },
        detail: `forbidden_address ${new URL(stage.url).host}`,
      });
    expect(await stage.listed(order.orderNo)).toBeUndefined();
    // The upstream refuses this order: so it was not asked.
    const allowed = adaptersFor('sandbox', ['127.0.0.0/8']).sandbox?.(settings);
    expect(await allowed?.create(order, within(2_000))).toMatchObject({ outcome: 'refused' });
  });

  test('does not take the signed answer to one request for the answer to another', async () => {
    const [open, gone] = [stage.order({ amount: '80.23' }), stage.order({ amount: '80.23' })];
    await stage.channel.create(open, within(2_000));
    const path = `/orders/${gone.orderNo}`;
    const headers = signedHeaders(STAGE_SECRET, requestTarget('GET', path), '', Date.now() - 5_000);
    const notFound = await passOn(stage.url, { method: 'GET', path, headers, body: '' });
    expect(notFound.status).toBe(404);
    const replaying = await startFaultyUpstream((_request, reply) => {
      reply.writeHead(notFound.status, notFound.headers).end(notFound.body);
    });
    const answer = await stage.channelAt(replaying.url).query(open, within(2_000));
    expect(answer).toMatchObject({ outcome: 'unknown', why: 'no_answer' });
    await replaying.close();
  });

  test('with a wrong secret gets no answer, and never a refusal', async () => {
    const order = stage.order({ amount: '80.00' });
    const answer = await stage.channelAt(stage.url, 'another secret').create(order, within(2_000));
    expect(answer).toMatchObject({ outcome: 'unknown', why: 'no_answer' });
    expect(await stage.listed(order.orderNo)).toBeUndefined();
  });

  test('the same number with other content is no refusal: the first order may be paid', async () => {
    const order = stage.order({ amount: '80.23' });
    await stage.channel.create(order, within(2_000));
    const answer = await stage.channel.create({ ...order, amount: '81.23' }, within(2_000));
    expect(answer).toMatchObject({ outcome: 'unknown', why: 'no_answer' });
    expect(await stage.channel.query(order, within(2_000))).toMatchObject({ outcome: 'accepted' });
  });

  test('an order that the upstream finds malformed is refused', async () => {
    const order = stage.order({ amount: '80' });
    expect(await stage.channel.create(order, within(2_000))).toEqual({ outcome: 'refused', reason: 'invalid: amount' });
  });

  test('a signed callback that is not one is malformed', () => {
    for (const text of ['', '{}', 'null', '{"callbackId":"1","occurredAt":"now","order":{}}']) {
      const body = Buffer.from(text);
      const read = stage.channel.parseCallback(signedHeaders(STAGE_SECRET, CALLBACK_TARGET, body, Date.now()), body);
      expect(read).toMatchObject({ ok: false, why: 'malformed' });
    }
  });

  test('what was signed for a request does not pass as a callback', async () => {
    const order = stage.order();
    await stage.channel.create(order, within(2_000));
    const [callback] = await eventually(() => {
      const got = stage.callbacks(order.orderNo);
      expect(got).not.toHaveLength(0);
      return got;
    });
    const body = callback?.body ?? new Uint8Array();
    const headers = signedHeaders(STAGE_SECRET, requestTarget('POST', '/callback'), body, Date.now());
    expect(stage.channel.parseCallback(headers, body)).toMatchObject({ ok: false, why: 'unauthentic' });
  });

  test.each([
    ['no secret', 'http://127.0.0.1:1', {}],
    ['no URL', 'not a url', { secret: 'x' }],
    ['a URL of another scheme', 'ftp://127.0.0.1', { secret: 'x' }],
  ])('settings with %s are refused when the channel is made', (_what, baseUrl, credentials) => {
    const sandbox = adaptersFor('sandbox', []).sandbox;
    expect(() => sandbox?.({ channelId: 'c', baseUrl, credentials })).toThrow(/^channel c: /);
  });
});
