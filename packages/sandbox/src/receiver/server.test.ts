import { createPublicKey } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { takeKeyPair } from '@tidegate/domain/testing';
import { keyId, signedHeaders, toJwk } from '@tidegate/signature';
import { fastify } from 'fastify';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { buildReceiver } from './server.ts';
import { serviceKeys } from './service-keys.ts';

const service = takeKeyPair();
const rotated = takeKeyPair();
const published = [toJwk(service.publicKey)];
const jwks = fastify();
let jwksUrl = '';
let jwksFetches = 0;

beforeAll(async () => {
  jwks.get('/jwks.json', async () => {
    jwksFetches += 1;
    return { keys: published };
  });
  jwksUrl = `${await jwks.listen({ port: 0, host: '127.0.0.1' })}/jwks.json`;
});
afterAll(() => jwks.close());

function receiver(file?: string) {
  const server = buildReceiver({ findKey: serviceKeys(jwksUrl), file, slowMs: 30 });
  onTestFinished(() => server.close());
  return server;
}

const notification = {
  orderType: 'payin',
  orderNo: 'PI1',
  merchantOrderNo: 'A-1',
  status: 'completed',
  amount: '5.00',
};

async function notify(server: ReturnType<typeof receiver>, changes: Changes = {}) {
  const key = changes.key ?? service.privateKey;
  const body = JSON.stringify({ ...notification, ...changes.fields });
  const headers = await signedHeaders({ merchantNo: 'M1', body, key, ...changes.signedAs });
  return server.inject({
    method: 'POST',
    url: changes.url ?? '/notify/M1',
    headers: { 'content-type': 'application/json', 'x-key-id': keyId(key), ...headers },
    payload: changes.sent ?? body,
  });
}

interface Changes {
  key?: typeof service.privateKey;
  fields?: Record<string, unknown>;
  signedAs?: { timestamp?: string; merchantNo?: string };
  url?: string;
  sent?: string;
}

test('a notification that the service signed is acknowledged with OK as text, and listed', async () => {
  const server = receiver();
  const answer = await notify(server);
  expect([answer.statusCode, answer.body, answer.headers['content-type']]).toEqual([
    200,
    'OK',
    'text/plain; charset=utf-8',
  ]);
  const listed = (await server.inject('/received')).json();
  expect(listed).toMatchObject([
    {
      merchantNo: 'M1',
      verified: true,
      attempt: 1,
      answered: 200,
      body: notification,
      headers: { 'x-merchant-no': 'M1' },
    },
  ]);
});

test.each<[string, Changes, string]>([
  ['a changed body', { sent: JSON.stringify({ ...notification, amount: '500.00' }) }, 'X-Sign does not verify'],
  ['a key that is not published', { key: rotated.privateKey }, 'X-Key-Id names no key that the service publishes'],
  ['an old timestamp', { signedAs: { timestamp: '1700000000' } }, 'X-Timestamp is too far from now'],
  ['another merchant', { signedAs: { merchantNo: 'M2' } }, 'X-Merchant-No is not this merchant'],
  ['a body that is no JSON', { sent: 'hello' }, 'body is not a JSON object'],
])('%s is refused with the reason', async (_name, changes, reason) => {
  const server = receiver();
  const answer = await notify(server, changes);
  expect(answer.statusCode).toBe(401);
  expect(answer.body).toBe(`not verified: ${reason}`);
  expect((await server.inject('/received')).json()).toMatchObject([{ verified: false, reason, answered: 401 }]);
});

test('the service can rotate its key: an unknown key id is looked up again', async () => {
  const server = receiver();
  await notify(server);
  await notify(server);
  const before = jwksFetches;
  published.push(toJwk(createPublicKey(rotated.publicKey.export({ type: 'spki', format: 'pem' }))));
  onTestFinished(() => {
    published.pop();
  });
  await expect
    .poll(async () => (await notify(server, { key: rotated.privateKey })).body, { timeout: 5_000 })
    .toBe('OK');
  expect(jwksFetches).toBe(before + 1);
});

test.each([
  ['500', 500, 'failing, as asked for'],
  ['wrong', 200, 'received'],
  ['slow', 200, 'OK'],
])('?answer=%s shows a failure', async (wish, status, text) => {
  const answer = await notify(receiver(), { url: `/notify/M1?answer=${wish}` });
  expect([answer.statusCode, answer.body]).toEqual([status, text]);
});

test('repeats are counted, and the list can be narrowed', async () => {
  const server = receiver();
  await notify(server);
  await notify(server);
  await notify(server, { fields: { orderNo: 'PI2', merchantOrderNo: 'A-2' } });
  const attempts = async (query: string) =>
    (await server.inject(`/received?${query}`)).json().map((one: { attempt: number }) => one.attempt);
  expect(await attempts('orderNo=PI1')).toEqual([1, 2]);
  expect(await attempts('merchantOrderNo=A-2')).toEqual([1]);
  expect(await attempts('merchantNo=M1')).toEqual([1, 2, 1]);
  expect(await attempts('merchantNo=M2')).toEqual([]);
});

test('the last of an order can be had as it was sent, for tools that read no JSON', async () => {
  const server = receiver();
  await notify(server);
  await notify(server, { sent: '{"orderNo": "PI1", "amount":1.50}' });
  const last = await server.inject('/received/last?orderNo=PI1');
  const [headers, body] = last.body.split('\n\n');
  expect([headers, body]).toEqual([expect.stringMatching(/^x-sign: \S+$/m), '{"orderNo": "PI1", "amount":1.50}']);
  expect((await server.inject('/received/last?orderNo=PI9')).statusCode).toBe(404);
});

test('what was acknowledged is still listed after a restart', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'receiver-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const file = join(dir, 'received.ndjson');
  await notify(receiver(file));
  const second = receiver(file);
  await notify(second);
  const listed = (await second.inject('/received')).json();
  expect(listed).toMatchObject([{ attempt: 1 }, { attempt: 2 }]);
});
