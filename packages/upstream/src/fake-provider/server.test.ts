import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listenOnLoopback } from '../testing/loopback.ts';
import { type FakeServer, openFakeServer } from './index.ts';

let fake: FakeServer;
let handled = 0;
beforeEach(async () => {
  handled = 0;
  fake = openFakeServer({ port: 0, account: {}, timeFactor: 0.01 });
  fake.app.post('/orders', async (request) => {
    handled += 1;
    return { bytes: (request.body as Buffer).length };
  });
  await fake.listen();
});
afterEach(() => fake.close());

const post = (signal = AbortSignal.timeout(10_000)) =>
  fetch(`${fake.url()}/orders`, { method: 'POST', body: 'a=b', signal });
const control = (name: string, input: object) =>
  fetch(`${fake.url()}/_control/${name}`, { method: 'POST', body: JSON.stringify(input) });

test('a body arrives unchanged, whatever its content type', async () => {
  expect(await (await post()).json()).toEqual({ bytes: 3 });
});

test('a request whose answer is lost takes effect, and the next request works', async () => {
  fake.faults.next('answer_lost');
  await expect(post()).rejects.toThrow();
  expect(handled).toBe(1);
  expect((await post()).status).toBe(200);
});

test('a request whose answer never comes takes effect', async () => {
  fake.faults.next('never_answered');
  const client = new AbortController();
  const answer = post(client.signal).then(
    () => 'answered',
    () => 'given up',
  );
  await expect.poll(() => fake.faults.unanswered()).toBe(1);
  expect(handled).toBe(1);
  expect(await Promise.race([answer, sleep(200, 'no answer')])).toBe('no answer');
  client.abort();
  expect(await answer).toBe('given up');
  await expect.poll(() => fake.faults.unanswered()).toBe(0);
});

test.each([
  ['too_many_requests', 429],
  ['server_error', 503],
  ['maintenance_page', 200],
] as const)('%s: HTTP %i, and the request is not handled', async (fault, status) => {
  await control('faults', { fault, times: 2, path: '/orders' });
  expect([(await post()).status, (await post()).status, handled]).toEqual([status, status, 0]);
  expect(await (await post()).json()).toEqual({ bytes: 3 });
});

test('the faults "truncated" and "slow" change the answer', async () => {
  fake.faults.next('truncated');
  expect(await (await post()).text()).toBe('{"bytes"'.slice(0, 5));
  fake.faults.next('slow');
  const began = performance.now();
  await (await post()).text();
  expect(performance.now() - began).toBeGreaterThan(900);
});

test('the control of the clock changes the Date header', async () => {
  await control('clock', { offsetSeconds: 600 });
  const date = Date.parse((await post()).headers.get('date') ?? '');
  expect(date - Date.now()).toBeGreaterThan(590_000);
});

test('an unknown fault is refused', async () => {
  expect((await control('faults', { fault: 'fire' })).status).toBe(400);
});

test('webhooks are repeated until they are acknowledged, doubled on request, and held ones are sent in reverse order', async () => {
  const actual: string[] = [];
  let status = 500;
  const receiver = await listenOnLoopback(async (request, reply) => {
    actual.push(await text(request));
    reply.writeHead(status).end();
  });
  const { url } = receiver;
  const send = (body: string) =>
    fake.webhooks.send({ about: 'o1', url, write: () => ({ headers: { 'x-time': 'now' }, body }) });
  send('first');
  await expect.poll(() => actual.length).toBeGreaterThan(2);
  status = 200;
  // One may be on its way now, and arrive after the next one was sent.
  await expect.poll(() => fake.webhooks.sent('o1').length - actual.length).toBe(0);
  actual.length = 0;
  fake.webhooks.deliver('twice');
  send('second');
  await expect.poll(() => actual.filter((body) => body === 'second')).toHaveLength(2);
  fake.webhooks.deliver('held');
  send('third');
  send('fourth');
  expect(actual).not.toContain('third');
  fake.webhooks.release();
  await expect.poll(() => actual).toEqual(expect.arrayContaining(['third', 'fourth']));
  await receiver.close();
});
