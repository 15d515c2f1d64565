import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { takeKeyPair } from '@tidegate/domain/testing';
import { keyId, serviceKeyId, signedHeaders, toJwk } from '@tidegate/signature';
import { fastify } from 'fastify';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { buildReceiver } from './server.ts';
import { serviceKeys } from './service-keys.ts';

const service = takeKeyPair();
const rotated = takeKeyPair();
const idOf = (key: typeof service.publicKey, merchantNo = 'M-1') => serviceKeyId(merchantNo, key);
const published = new Map([[idOf(service.publicKey), service.publicKey]]);
const keysServer = fastify();
let keysUrl = '';
let fetches = 0;

beforeAll(async () => {
  keysServer.get<{ Params: { keyId: string } }>('/keys/:keyId', async ({ params }, reply) => {
    fetches += 1;
    const key = published.get(params.keyId);
    return key ? { ...toJwk(key), kid: params.keyId } : reply.code(404).send({ code: 40400 });
  });
  keysUrl = `${await keysServer.listen({ port: 0, host: '127.0.0.1' })}/keys`;
});
afterAll(() => keysServer.close());

function receiver(file?: string) {
  const server = buildReceiver({ findKey: serviceKeys(keysUrl), file, slowMs: 30 });
  onTestFinished(() => server.close());
  return server;
}

const notification = {
  orderType: 'payin',
  orderNo: 'PI01M7Y9XBYZG9A000000000001',
  merchantOrderNo: 'A-1',
  status: 'completed',
  amount: '5.00',
};

async function notify(server: ReturnType<typeof receiver>, changes: Changes = {}) {
  const key = changes.key ?? service.privateKey;
  const body = JSON.stringify({ ...notification, ...changes.fields });
  const headers = await signedHeaders({ merchantNo: 'M-1', body, key, ...changes.signedAs });
  return server.inject({
    method: 'POST',
    url: changes.url ?? '/notify/M-1',
    headers: { 'content-type': 'application/json', 'x-key-id': changes.keyId ?? idOf(key), ...headers },
    payload: changes.sent ?? body,
  });
}

interface Changes {
  key?: typeof service.privateKey;
  fields?: Record<string, unknown>;
  signedAs?: { timestamp?: string; merchantNo?: string };
  url?: string;
  sent?: string;
  keyId?: string;
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
      merchantNo: 'M-1',
      verified: true,
      attempt: 1,
      answered: 200,
      body: notification,
      headers: { 'x-merchant-no': 'M-1' },
    },
  ]);
});

test.each<[string, Changes, string]>([
  ['a changed body', { sent: JSON.stringify({ ...notification, amount: '500.00' }) }, 'X-Sign does not verify'],
  ['a key that is not published', { key: rotated.privateKey }, 'X-Key-Id names no key that the service publishes'],
  ['the key of another merchant', { keyId: idOf(service.publicKey, 'M-2') }, "X-Key-Id is not one of this merchant's"],
  ['a key that belongs to no merchant', { keyId: keyId(service.publicKey) }, "X-Key-Id is not one of this merchant's"],
  [
    'an order of another merchant',
    { fields: { orderNo: 'PI01M7Y9XBYR6K3000000000001' } },
    "orderNo is not one of this merchant's",
  ],
  ['an old timestamp', { signedAs: { timestamp: '1700000000' } }, 'X-Timestamp is too far from now'],
  ['another merchant', { signedAs: { merchantNo: 'M-2' } }, 'X-Merchant-No is not this merchant'],
  ['a body that is no JSON', { sent: 'hello' }, 'body is not a JSON object'],
])('%s is refused with the reason', async (_name, changes, reason) => {
  const server = receiver();
  const answer = await notify(server, changes);
  expect(answer.statusCode).toBe(401);
  expect(answer.body).toBe(`not verified: ${reason}`);
  expect((await server.inject('/received')).json()).toMatchObject([{ verified: false, reason, answered: 401 }]);
});

test('after a rotation of the service key each key is fetched once', async () => {
  const server = receiver();
  await notify(server);
  await notify(server);
  const before = fetches;
  published.set(idOf(rotated.publicKey), rotated.publicKey);
  onTestFinished(() => {
    published.delete(idOf(rotated.publicKey));
  });
  expect((await notify(server, { key: rotated.privateKey })).body).toBe('OK');
  expect((await notify(server, { key: rotated.privateKey })).body).toBe('OK');
  expect((await notify(server)).body).toBe('OK');
  expect(fetches).toBe(before + 1);
});

test.each([
  ['500', 500, 'failing, as asked for'],
  ['wrong', 200, 'received'],
  ['slow', 200, 'OK'],
])('?answer=%s makes the receiver answer with a failure', async (requested, status, text) => {
  const answer = await notify(receiver(), { url: `/notify/M-1?answer=${requested}` });
  expect([answer.statusCode, answer.body]).toEqual([status, text]);
});

test('repetitions are counted, and the list can be filtered', async () => {
  const server = receiver();
  await notify(server);
  await notify(server);
  await notify(server, { fields: { orderNo: 'PI01M7Y9XBYZG9A000000000002', merchantOrderNo: 'A-2' } });
  const attempts = async (query: string) =>
    (await server.inject(`/received?${query}`)).json().map((one: { attempt: number }) => one.attempt);
  expect(await attempts('orderNo=PI01M7Y9XBYZG9A000000000001')).toEqual([1, 2]);
  expect(await attempts('merchantOrderNo=A-2')).toEqual([1]);
  expect(await attempts('merchantNo=M-1')).toEqual([1, 2, 1]);
  expect(await attempts('merchantNo=M-2')).toEqual([]);
});

test('the last notification of an order is available as sent, for tools without JSON', async () => {
  const server = receiver();
  await notify(server);
  await notify(server, { sent: '{"orderNo": "PI01M7Y9XBYZG9A000000000001", "amount":1.50}' });
  const last = await server.inject('/received/last?orderNo=PI01M7Y9XBYZG9A000000000001');
  const [headers, body] = last.body.split('\n\n');
  expect([headers, body]).toEqual([
    expect.stringMatching(/^x-sign: \S+$/m),
    '{"orderNo": "PI01M7Y9XBYZG9A000000000001", "amount":1.50}',
  ]);
  expect((await server.inject('/received/last?orderNo=PI01M7Y9XBYZG9A000000000009')).statusCode).toBe(404);
});

test('acknowledged notifications are still listed after a restart', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'receiver-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const file = join(dir, 'received.ndjson');
  await notify(receiver(file));
  const second = receiver(file);
  await notify(second);
  const listed = (await second.inject('/received')).json();
  expect(listed).toMatchObject([{ attempt: 1 }, { attempt: 2 }]);
});

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

test('a browser gets the deliveries as a page, newest first, and programs get JSON', async () => {
  const server = receiver();
  await notify(server, { fields: { merchantOrderNo: 'OLD-1' } });
  await notify(server, { fields: { merchantOrderNo: 'NEW-2', status: '<script>alert(1)</script>' } });
  const page = await server.inject({ url: '/received', headers: BROWSER });
  expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  expect(page.headers['content-security-policy']).toContain("default-src 'none'");
  expect(page.body.match(/<details>/g)).toHaveLength(2);
  expect(page.body.indexOf('NEW-2')).toBeLessThan(page.body.indexOf('OLD-1'));
  expect(page.body).not.toContain('<script>');
  const filtered = await server.inject({ url: '/received?merchantOrderNo=OLD-1', headers: BROWSER });
  expect(filtered.body).not.toContain('NEW-2');
  for (const accept of ['*/*', 'application/json', undefined]) {
    const { headers, body } = await server.inject({
      url: '/received',
      headers: accept === undefined ? {} : { accept },
    });
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(JSON.parse(body)).toHaveLength(2);
  }
});

test('the page of a receiver without deliveries says so', async () => {
  const { body } = await receiver().inject({ url: '/received', headers: BROWSER });
  expect(body).toContain('No notification has come yet');
});

test('the page shows the last 200 deliveries', async () => {
  const server = receiver();
  for (let count = 0; count < 203; count += 1)
    await server.inject({ method: 'POST', url: '/notify/M-1', payload: 'x' });
  const { body } = await server.inject({ url: '/received', headers: BROWSER });
  expect(body.match(/<details>/g)).toHaveLength(200);
  expect(body).toContain('the last 200 of 203');
});
