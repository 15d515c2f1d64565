import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Domain } from '@tidegate/domain';
import { readBody, serviceKeyId, verify } from '@tidegate/signature';
import { afterAll, expect, test } from 'vitest';
import {
  answering,
  body,
  closeAll,
  deliverWith,
  listen,
  serve,
  serveRaw,
  servicePublicKey,
  to,
} from '../../test/delivery-fixture.ts';
import { makeConnector } from './connector.ts';
import { makeDeliver } from './deliver.ts';

// Real HTTP servers on loopback: each answer of an endpoint, and its record in the attempt log.

const deliver = deliverWith();
afterAll(closeAll);

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
])('a delivery is acknowledged or not: %s', async (_name, listener, expected) => {
  expect(await deliver(to(await serve(listener)))).toMatchObject(expected);
});

test('after HTTP 500 the header Retry-After is ignored', async () => {
  expect(await deliver(to(await serve(answering(500, '', { 'retry-after': '120' }))))).not.toHaveProperty(
    'retryAfterMs',
  );
});

test('the signature is valid for the merchant, and new at each attempt', async () => {
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
      'x-key-id': serviceKeyId('M1', servicePublicKey),
    });
    const content = readBody(Buffer.from(received)).content(String(headers['x-timestamp']), String(headers['x-nonce']));
    expect(verify(content, String(headers['x-sign']), servicePublicKey)).toBe(true);
  }
  expect(seen[0]?.headers['x-nonce']).not.toBe(seen[1]?.headers['x-nonce']);
});

test('the address of the endpoint is recorded, also on a kept connection', async () => {
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

test('a redirect is not followed', async () => {
  let followed = 0;
  const target = await serve((_, response) => {
    followed += 1;
    response.end('OK');
  });
  for (const status of [301, 302, 303, 307, 308])
    expect(await deliver(to(await serve(answering(status, '', { location: target }))))).toMatchObject({
      acknowledged: false,
      error: 'redirect',
      httpStatus: status,
    });
  expect(followed).toBe(0);
});

test('proxy variables of the environment are ignored', async () => {
  let proxied = 0;
  const proxy = await serveRaw((socket) => {
    proxied += 1;
    socket.destroy();
  });
  const url = await serve(answering(418, ''));
  const names = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy'];
  const env = {
    ...process.env,
    ...Object.fromEntries(names.map((name) => [name, new URL(proxy).origin])),
    NODE_USE_ENV_PROXY: '1',
    NO_PROXY: '',
  };
  const script = fileURLToPath(new URL('../../test/deliver-once.ts', import.meta.url));
  const run = async (...args: string[]): Promise<unknown> => {
    const child = spawn(process.execPath, [script, ...args], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    return JSON.parse(output);
  };
  expect(await run(url)).toMatchObject({ httpStatus: 418, address: new URL(url).host });
  expect(proxied).toBe(0);
  // The same variables do affect Node's own client.
  expect(await run('fetch', url)).toEqual({ httpStatus: null });
  expect(proxied).toBeGreaterThan(0);
});

test('deliveries to one slow endpoint do not wait for each other', { timeout: 20_000 }, async () => {
  const waiting: (() => void)[] = [];
  const url = await serve((_, response) => {
    waiting.push(() => response.end('OK'));
    if (waiting.length === 100) for (const answer of waiting) answer();
  });
  const results = await Promise.all(Array.from({ length: 100 }, () => deliver(to(url))));
  expect(results.filter(({ acknowledged }) => acknowledged)).toHaveLength(100);
});

test('without a service key nothing is sent, and no attempt counts as failed', async () => {
  let requests = 0;
  const url = await serve(() => (requests += 1));
  const keyless = { serviceKeys: { signing: () => Promise.reject(new Error('no key')) } } as unknown as Domain;
  await expect(makeDeliver(keyless, makeConnector())(to(url))).rejects.toThrow('no key');
  expect(requests).toBe(0);
});

test('a delivery without a listener has the error refused', async () => {
  const server = createServer();
  const url = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  expect(await deliver(to(url))).toMatchObject({
    acknowledged: false,
    error: 'refused',
    httpStatus: null,
    address: new URL(url).host,
  });
});

test('a delivery whose connection breaks without an answer has the error reset', async () => {
  const url = await serveRaw((socket) => void socket.destroy());
  expect(await deliver(to(url))).toMatchObject({ acknowledged: false, error: 'reset', address: new URL(url).host });
});

const reply = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nOK';
const goOn = 'HTTP/1.1 100 Continue\r\n\r\n';
const pieces = (text: string, size: number) => text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
test.each<[string, string[]]>([
  ['in the same packet', [goOn + reply]],
  ['in a packet before', [goOn, reply]],
  ['twice, with header fields', ['HTTP/1.1 100 Continue\r\nServer: x\r\n\r\n', goOn + reply]],
  ['byte by byte', pieces(goOn + reply, 1)],
  ['without a phrase', [`HTTP/1.0 100\r\n\r\n${reply}`]],
  ['not at all, byte by byte', pieces(reply, 1)],
])('an endpoint that sends 100 Continue before its OK has the notification: %s', async (_how, packets) => {
  let connections = 0;
  const url = await serveRaw((socket) => {
    connections += 1;
    socket.setNoDelay(true);
    socket.on('data', async (chunk) => {
      if (!chunk.includes('POST')) return;
      for (const packet of packets) {
        socket.write(packet);
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    });
  });
  for (let i = 0; i < 3; i += 1) expect(await deliver(to(url))).toMatchObject({ acknowledged: true, reply: 'OK' });
  expect(connections).toBe(1);
});

test.each([
  ['text', 'this is no HTTP\r\n\r\n'],
  ['frames of HTTP/2', '\u0000\u0000\u0006\u0004\u0000\u0000\u0000\u0000\u0000'],
  ['a status that is no number', 'HTTP/1.1 OK\r\n\r\n'],
])('an endpoint that answers with %s has the error bad_http', async (_what, bytes) => {
  const url = await serveRaw((socket) => socket.once('data', () => void socket.write(Buffer.from(bytes, 'latin1'))));
  expect(await deliver(to(url))).toMatchObject({ acknowledged: false, error: 'bad_http' });
});
