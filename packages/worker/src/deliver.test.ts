import { generateKeyPairSync } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import type { ClaimedNotification, Domain } from '@tidegate/domain';
import { keyId, parsePrivateKey, readBody, verify } from '@tidegate/signature';
import { afterEach, expect, test, vi } from 'vitest';
import { selfSigned } from '../test/self-signed.ts';
import { makeConnector } from './connector.ts';
import { makeDeliver } from './deliver.ts';

// Against real HTTP servers on loopback: what an endpoint answers, and what the attempt log says of it.

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const key = parsePrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
const domain = {
  serviceKeys: { signing: async () => ({ keyId: keyId(publicKey), key, publicKeyPem: '' }) },
} as unknown as Domain;
const connector = makeConnector();
const deliver = makeDeliver(domain, connector);

const servers: { close(): void; closeAllConnections?(): void }[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections?.();
    server.close();
  }
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  return listen(server);
}

async function listen(server: Pick<Server, 'listen' | 'address'>): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/notify`;
}

const body = JSON.stringify({ orderType: 'payin', orderNo: 'PI1', status: 'completed', amount: '100.00' });
const to = (url: string): ClaimedNotification => ({
  merchantId: 'M1',
  orderNo: 'PI1',
  status: 'completed',
  url,
  body,
  attempt: 1,
});
const answering =
  (status: number, text: string, headers: Record<string, string> = {}): RequestListener =>
  (_, response) =>
    void response.writeHead(status, headers).end(text);

test.each([
  ['200 OK', answering(200, 'OK'), { acknowledged: true, error: null, httpStatus: 200, reply: 'OK' }],
  ['200 with white space around OK', answering(200, ' OK\r\n'), { acknowledged: true, error: null, reply: ' OK\r\n' }],
  ['200 ok in lower case', answering(200, 'ok'), { acknowledged: false, error: 'not_ok' }],
  ['200 with nothing', answering(200, ''), { acknowledged: false, error: 'not_ok' }],
  ['200 with JSON', answering(200, '{"code":"OK"}'), { acknowledged: false, error: 'not_ok' }],
  ['201 OK', answering(201, 'OK'), { acknowledged: false, error: 'status', httpStatus: 201 }],
  [
    '302 to somewhere that would say OK',
    answering(302, 'OK', { location: '/other' }),
    { acknowledged: false, error: 'redirect', httpStatus: 302 },
  ],
  ['500', answering(500, 'OK'), { acknowledged: false, error: 'status', httpStatus: 500 }],
  ['429 with seconds', answering(429, '', { 'retry-after': '120' }), { error: 'status', retryAfterMs: 120_000 }],
  [
    '503 with more than an hour',
    answering(503, '', { 'retry-after': '7200' }),
    { error: 'status', retryAfterMs: 3_600_000 },
  ],
  ['more than a KiB', answering(200, `OK${' '.repeat(5_000)}`), { acknowledged: false, error: 'too_large' }],
  [
    '500 with a long page',
    answering(500, 'x'.repeat(5_000)),
    { error: 'status', httpStatus: 500, reply: 'x'.repeat(1_024) },
  ],
  ['bytes that are no text', answering(200, 'a\u0000b'), { acknowledged: false, reply: 'a\uFFFDb' }],
])('%s', async (_name, listener, expected) => {
  expect(await deliver(to(await serve(listener)))).toMatchObject(expected);
});

test('500 says nothing of Retry-After', async () => {
  expect(await deliver(to(await serve(answering(500, '', { 'retry-after': '120' }))))).not.toHaveProperty(
    'retryAfterMs',
  );
});

test('the signature verifies as a merchant verifies it, and is fresh at each attempt', async () => {
  const seen: { headers: Record<string, unknown>; body: string }[] = [];
  const url = await serve((request, response) => {
    let text = '';
    request.on('data', (chunk) => (text += chunk));
    request.on('end', () => {
      seen.push({ headers: request.headers, body: text });
      response.end('OK');
    });
  });
  await deliver(to(url));
  await deliver(to(url));
  expect(seen).toHaveLength(2);
  for (const { headers, body: received } of seen) {
    expect(received).toBe(body);
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'x-merchant-no': 'M1',
      'x-key-id': keyId(publicKey),
    });
    const content = readBody(Buffer.from(received)).content(String(headers['x-timestamp']), String(headers['x-nonce']));
    expect(verify(content, String(headers['x-sign']), publicKey)).toBe(true);
  }
  expect(seen[0]?.headers['x-nonce']).not.toBe(seen[1]?.headers['x-nonce']);
});

test('the address that the request went to is recorded, on a kept connection too', async () => {
  const ports = new Set<number | undefined>();
  const url = await serve((request, response) => {
    ports.add(request.socket.remotePort);
    response.end('OK');
  });
  const { host } = new URL(url);
  expect(await deliver(to(url.replace('127.0.0.1', 'localhost')))).toMatchObject({ address: host, acknowledged: true });
  expect(await deliver(to(url.replace('127.0.0.1', 'localhost')))).toMatchObject({ address: host, acknowledged: true });
  expect(ports.size).toBe(1);
});

test('proxy variables of the environment count for nothing', async () => {
  const proxy = await serve(answering(200, 'OK'));
  for (const name of ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'NODE_USE_ENV_PROXY']) vi.stubEnv(name, proxy);
  const freshDeliver = makeDeliver(domain, makeConnector());
  const url = await serve(answering(418, ''));
  expect(await freshDeliver(to(url))).toMatchObject({ httpStatus: 418 });
  vi.unstubAllEnvs();
});

test('many deliveries to one slow endpoint do not wait for each other', { timeout: 20_000 }, async () => {
  const waiting: (() => void)[] = [];
  const url = await serve((_, response) => {
    waiting.push(() => response.end('OK'));
    if (waiting.length === 100) for (const answer of waiting) answer();
  });
  const results = await Promise.all(Array.from({ length: 100 }, () => deliver(to(url))));
  expect(results.filter(({ acknowledged }) => acknowledged)).toHaveLength(100);
});

test('without our own key nothing is sent, and it is no failed attempt', async () => {
  let requests = 0;
  const url = await serve(() => (requests += 1));
  const keyless = { serviceKeys: { signing: () => Promise.reject(new Error('no key')) } } as unknown as Domain;
  await expect(makeDeliver(keyless, connector)(to(url))).rejects.toThrow('no key');
  expect(requests).toBe(0);
});

test('a certificate that nobody vouches for: tls', async () => {
  const server = createTlsServer(selfSigned, answering(200, 'OK'));
  servers.push(server);
  const url = (await listen(server)).replace('http:', 'https:');
  expect(await deliver(to(url))).toMatchObject({ acknowledged: false, error: 'tls', httpStatus: null });
});

test('nobody listens: refused', async () => {
  const url = await serve(answering(200, 'OK'));
  servers.splice(0).forEach((server) => void server.close());
  expect(await deliver(to(url))).toMatchObject({
    ...{ acknowledged: false, error: 'refused', httpStatus: null, address: new URL(url).host },
  });
});

test('a connection that breaks without an answer: reset', async () => {
  const server = createTcpServer((socket) => void socket.destroy());
  servers.push(server);
  expect(await deliver(to(await listen(server as unknown as Server)))).toMatchObject({
    acknowledged: false,
    error: 'reset',
  });
});

test('a name that does not exist: dns', async () => {
  expect(await deliver(to('http://nowhere.invalid/notify'))).toMatchObject({ acknowledged: false, error: 'dns' });
});

test('an endpoint that never answers is given up after 10 s', { timeout: 20_000 }, async () => {
  const result = await deliver(to(await serve(() => undefined)));
  expect(result).toMatchObject({ acknowledged: false, error: 'timeout' });
  expect(result.durationMs).toBeGreaterThan(9_000);
  expect(result.durationMs).toBeLessThan(12_000);
});

test('an endpoint that drips its answer is given up after 10 s all the same', { timeout: 20_000 }, async () => {
  const url = await serve((_, response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write(' '), 300);
    response.on('close', () => clearInterval(timer));
  });
  const result = await deliver(to(url));
  expect(result).toMatchObject({
    ...{ acknowledged: false, error: 'timeout', httpStatus: 200, address: new URL(url).host },
  });
  expect(result.durationMs).toBeLessThan(12_000);
});
