import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { aMerchant, placePayin } from '@tidegate/domain/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ask } from '../../test/api-fixture.ts';
import { listen } from '../../test/event-stream.ts';
import { type LiveFixture, openLiveFixture } from '../../test/live-fixture.ts';
import { silentLive } from '../../test/silent-live.ts';
import { openChangeFeed } from './change-feed.ts';

let fixture: LiveFixture;
let token: string;
beforeAll(async () => {
  fixture = await openLiveFixture();
  token = await fixture.letIn('viewer');
});
afterAll(() => fixture.close());

const everyOrder = 'subscription { orderChanged { orderNo status } }';
const place = async () => placePayin(fixture.elsewhere, (await aMerchant(fixture.domain, 'CN')).merchantId, 'CN');

test('a client that disconnects leaves no stream open', async () => {
  const { url, live } = await fixture.serveLive();
  const streams = await Promise.all([1, 2, 3].map(() => listen(url, everyOrder, { token })));
  expect(live.feed.count()).toBe(3);
  expect(await figure(url)).toBe('tidegate_api_streams 3');
  const { orderNo } = await place();
  expect((await streams[0]?.next())?.data.data).toMatchObject({ orderChanged: { orderNo } });
  for (const stream of streams) stream.leave();
  await vi.waitFor(() => expect(live.feed.count()).toBe(0), { timeout: 5_000 });
  // A process repeats its figures for a while.
  await expect.poll(() => figure(url)).toBe('tidegate_api_streams 0');
});

test('clients that disconnect before they are answered leave no stream open', async () => {
  const { url, live } = await fixture.serveLive();
  const count = vi.spyOn(live.feed, 'listen');
  for (let n = 0; n < 60; n += 1) {
    const going = new AbortController();
    const headers = {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      authorization: `Bearer ${token}`,
    };
    const init = { method: 'POST', headers, body: JSON.stringify({ query: everyOrder }), signal: going.signal };
    const response = fetch(`${url}/graphql`, init).catch(() => undefined);
    await delay(n / 6);
    going.abort();
    await response;
  }
  expect(count.mock.calls.length).toBeGreaterThan(0);
  await vi.waitFor(() => expect(live.feed.count()).toBe(0), { timeout: 5_000 });
});

async function figure(url: string): Promise<string | undefined> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return text.split('\n').find((line) => line.startsWith('tidegate_api_streams '));
}

test('at shutdown every stream ends at once', async () => {
  const live = { ...silentLive(fixture.domain), feed: openChangeFeed() };
  const url = await fixture.serve({ live });
  const streams = await Promise.all([1, 2].map(() => listen(url, everyOrder, { token })));
  const next = streams.map((stream) => stream.next());
  const began = performance.now();
  live.feed.endAll();
  for (const messages of next) expect(await messages).toEqual({ event: 'complete', data: {} });
  for (const stream of streams) expect(await stream.next()).toBeUndefined();
  expect(performance.now() - began).toBeLessThan(3_000);
  const late = await listen(url, everyOrder, { token });
  expect((await late.next())?.data.errors).toMatchObject([{ extensions: { code: 'SERVICE_UNAVAILABLE' } }]);
});

test('a stream has no time limit, and sends keep-alive comments', async () => {
  const { url } = await fixture.serveLive({ limits: { executionMs: 300, silentMs: 1_500 } });
  const stream = await listen(url, everyOrder, { token });
  const next = stream.next();
  // Longer than either limit, which is what this test shows.
  await delay(2_000);
  expect(stream.comments()).toBeGreaterThan(2);
  const { orderNo } = await place();
  expect((await next)?.data.data).toMatchObject({ orderChanged: { orderNo } });
  stream.leave();
});

test('callers get an answer in time while tokens cannot be checked', async () => {
  const operators = { ...fixture.domain.operators, ofToken: () => new Promise<never>(() => undefined) };
  const url = await fixture.serve({ domain: { ...fixture.domain, operators }, limits: { executionMs: 300 } });
  for (const query of [everyOrder, '{ order(orderNo: "PI1") { orderNo } }'])
    expect(await ask(url, query, { token })).toMatchObject({
      status: 503,
      data: undefined,
      errors: [{ message: 'service unavailable', extensions: { code: 'SERVICE_UNAVAILABLE' } }],
    });
});

test('the time limit applies to an answer that never comes', async () => {
  const live = silentLive(fixture.domain);
  const queues = { ...live.queues, read: () => new Promise<never>(() => undefined) };
  const url = await fixture.serve({ live: { ...live, queues }, limits: { executionMs: 300 } });
  expect(await ask(url, '{ queues { name } }', { token })).toMatchObject({
    status: 503,
    data: undefined,
    errors: [
      { message: 'not answered within 0.3 s: ask for less at once', extensions: { code: 'SERVICE_UNAVAILABLE' } },
    ],
  });
});

test('a client that reads nothing is disconnected when its buffer is full', async () => {
  const { url, live } = await fixture.serveLive({ limits: { silentMs: 1_000 } });
  const order = await place();
  const long = 'x'.repeat(250);
  const fields = Array.from({ length: 50 }, (_, n) => `${long}${n}: orderNo`).join(' ');
  const body = JSON.stringify({ query: `subscription { orderChanged { ${fields} } }` });
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.pause();
  const head = ['POST /graphql HTTP/1.1', 'Host: api', 'Content-Type: application/json', 'Accept: text/event-stream'];
  socket.write(
    `${[...head, `Authorization: Bearer ${token}`, `Content-Length: ${body.length}`].join('\r\n')}\r\n\r\n${body}`,
  );
  await vi.waitFor(() => expect(live.feed.count()).toBe(1), { timeout: 5_000 });
  await vi.waitFor(
    () => {
      live.feed.receive([{ type: 'order', ...order }]);
      expect(live.feed.count()).toBe(0);
    },
    { timeout: 25_000, interval: 1 },
  );
  socket.destroy();
});

test('an internal error in a stream is hidden, logged with the request id, and ends it', async () => {
  const live = silentLive(fixture.domain);
  const readOrders = async () => Promise.reject(new Error('column "secret" does not exist'));
  const url = await fixture.serve({ live: { ...live, readOrders } });
  const stream = await listen(url, everyOrder, { token });
  live.feed.receive([{ type: 'order', ...(await place()) }]);
  const requestId = stream.response.headers.get('x-request-id');
  expect((await stream.next())?.data).toMatchObject({
    errors: [{ message: 'internal error', extensions: { code: 'INTERNAL', requestId } }],
  });
  expect(await stream.next()).toEqual({ event: 'complete', data: {} });
  expect(fixture.logged).toContainEqual(
    expect.objectContaining({
      level: 'error',
      fields: expect.objectContaining({
        requestId,
        err: expect.objectContaining({ message: expect.stringContaining('secret') }),
      }),
    }),
  );
  expect(live.feed.count()).toBe(0);
});

test('an internal error in one event is hidden, and the stream continues', async () => {
  const live = silentLive(fixture.domain);
  const url = await fixture.serve({ live });
  const [order] = [await place()];
  let isBroken = true;
  const readOrders: typeof live.readOrders = async (refs) => {
    const orders = await live.readOrders(refs);
    // Not a decimal, so the field cannot be serialized.
    return orders.map((one) => one && { ...one, amount: isBroken ? 'secret' : one.amount });
  };
  const stream = await listen(
    await fixture.serve({ live: { ...live, readOrders } }),
    'subscription { orderChanged { amount } }',
    {
      token,
    },
  );
  live.feed.receive([{ type: 'order', ...order }]);
  const messages = await stream.next();
  expect(messages?.data.errors).toMatchObject([
    {
      message: 'internal error',
      extensions: { code: 'INTERNAL', requestId: stream.response.headers.get('x-request-id') },
    },
  ]);
  expect(JSON.stringify(messages)).not.toContain('secret');
  isBroken = false;
  live.feed.receive([{ type: 'order', ...order }]);
  expect((await stream.next())?.data).toEqual({ data: { orderChanged: { amount: order.amount } } });
  stream.leave();
  expect((await ask(url, '{ __typename }', { token })).status).toBe(200);
});

test.each(['application/json', '*/*', 'multipart/mixed', 'application/graphql-response+json'])(
  'a subscription as %s is refused, and no stream is left open',
  async (accept) => {
    const live = silentLive(fixture.domain);
    const url = await fixture.serve({ live });
    const headers = { 'content-type': 'application/json', accept, authorization: `Bearer ${token}` };
    const answer = await ask(url, everyOrder, { init: { headers } });
    expect(answer.errors).toMatchObject([
      { message: expect.stringContaining('Accept: text/event-stream'), extensions: { code: 'BAD_REQUEST' } },
    ]);
    expect(live.feed.count()).toBe(0);
  },
);

test('a query can be answered as a stream of one event', async () => {
  const stream = await listen(fixture.url, '{ __typename }', { token });
  expect(await stream.next()).toEqual({ event: 'next', data: { data: { __typename: 'Query' } } });
  expect(await stream.next()).toEqual({ event: 'complete', data: {} });
  expect(await stream.next()).toBeUndefined();
});

test('a subscription by GET is refused', async () => {
  const query = encodeURIComponent(everyOrder);
  const response = await fetch(`${fixture.url}/graphql?query=${query}`, { headers: { accept: 'text/event-stream' } });
  expect(response.status).toBe(405);
});
