import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { networks } from '@tidegate/domain/channels';
import { afterAll, expect, test } from 'vitest';
import { makeAuthority } from '../../../worker/test/certificate.ts';
import { type DnsAnswer, startDnsServer } from '../../../worker/test/dns-server.ts';
import { type Dial, dial, makeResolve } from '../outgoing/index.ts';
import { createHttpClient, type HttpResult, retryUntilAnswered } from './http-client.ts';

// The destinations of channels, checked when a connection is opened. 127.0.0.1 plays an allowed network, the rest of
// the loopback private ones.

const allowed = networks(['127.0.0.1/32']);
const closing: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closing.splice(0)) await close();
});

interface Reached {
  /** The local address of each request. */
  requests: string[];
  sockets: Set<Socket>;
  port: number;
}

/** An upstream on every loopback address, also IPv6. */
async function serve(tls?: { key: string; cert: string }): Promise<Reached> {
  const reached: Reached = { requests: [], sockets: new Set(), port: 0 };
  const server = tls ? createTlsServer(tls) : createServer();
  server.on('request', ({ socket }, reply) => {
    reached.requests.push(String(socket.localAddress).replace('::ffff:', ''));
    reached.sockets.add(socket);
    reply.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '::', resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  reached.port = (server.address() as AddressInfo).port;
  return reached;
}

/** A client with a real DNS server, and the addresses that it dialled. */
async function clientWith(answer: (question: number) => DnsAnswer, { ca }: { ca?: string } = {}) {
  const dialled: string[] = [];
  let questions = 0;
  const dns = await startDnsServer((_, type) => {
    const reported = answer(type === 'A' ? questions++ : questions);
    return typeof reported === 'string' ? reported : reported.filter((one) => one.includes(':') === (type === 'AAAA'));
  });
  const watched: Dial = (address, port) => {
    dialled.push(address);
    return dial(address, port);
  };
  const http = createHttpClient({
    allowed,
    resolve: makeResolve([dns.address]),
    dial: watched,
    ...(ca !== undefined && { ca }),
  });
  closing.push(dns.close, http.close);
  const call = async (url: string): Promise<HttpResult> => {
    // The pool takes a connection back a moment after its reply was read.
    await setImmediate();
    return http.send({ method: 'GET', url, headers: {} }, AbortSignal.timeout(10_000));
  };
  return { call, dialled, lookups: dns.queries };
}

const forbidden = (address: string, port: number) => ({
  kind: 'forbidden',
  detail: `forbidden_address ${address}:${port}`,
});

test.each<[what: string, host: string, dns: string[], address: string]>([
  ['a private address', 'bank.example', ['127.0.0.2'], '127.0.0.2'],
  ['a private address next to an allowed one', 'bank.example', ['127.0.0.1', '10.0.0.1'], '10.0.0.1'],
  ['the metadata of a cloud', 'bank.example', ['169.254.169.254'], '169.254.169.254'],
  ['IPv6 carrying a private IPv4 address', 'bank.example', ['::ffff:7f00:2'], '[::ffff:127.0.0.2]'],
  ['the loopback of IPv6', 'bank.example', ['::1'], '[::1]'],
  ['a private address in the URL', '127.0.0.2', [], '127.0.0.2'],
  ['a private address written as one number', '2130706434', [], '127.0.0.2'],
  ['a mapped address in the URL', '[::ffff:127.0.0.2]', [], '[::ffff:7f00:2]'],
  ['localhost, whatever DNS says', 'localhost', ['127.0.0.1'], '[::1]'],
])('no connection is made to %s', async (_what, host, dns, address) => {
  const { port, requests } = await serve();
  const { call, dialled } = await clientWith(() => dns);
  expect(await call(`http://${host}:${port}/orders`)).toEqual(forbidden(address, port));
  expect({ dialled, requests }).toEqual({ dialled: [], requests: [] });
});

test('an allowed address is called, and the connection is used again', async () => {
  const { port, requests, sockets } = await serve();
  const { call, dialled } = await clientWith(() => ['127.0.0.1']);
  for (const path of ['a', 'b'])
    expect(await call(`http://bank.example:${port}/${path}`)).toMatchObject({ kind: 'json' });
  expect(await call(`http://[::ffff:127.0.0.1]:${port}/`)).toMatchObject({ kind: 'json' });
  expect(requests).toEqual(['127.0.0.1', '127.0.0.1', '127.0.0.1']);
  expect(dialled).toEqual(['127.0.0.1', '::ffff:7f00:1']);
  expect(sockets.size).toBe(2);
});

test('a name that changes to a private address is refused, and open connections stay with the checked address', async () => {
  const { port, requests, sockets } = await serve();
  const { call, dialled, lookups } = await clientWith((question) => (question === 0 ? ['127.0.0.1'] : ['127.0.0.2']));
  const url = `http://bank.example:${port}/`;
  expect(await call(url)).toMatchObject({ kind: 'json' });
  expect(await call(url)).toMatchObject({ kind: 'json' });
  // One question for each family. The connection goes to the checked answer.
  expect(lookups.toSorted()).toEqual(['A bank.example', 'AAAA bank.example']);
  const closed = [...sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve)));
  for (const socket of sockets) socket.destroy();
  await Promise.all(closed);
  let last = await call(url);
  // The client may not have seen yet that its connection is closed.
  if (last.kind === 'broken') last = await call(url);
  expect(last).toEqual(forbidden('127.0.0.2', port));
  expect(dialled).toEqual(['127.0.0.1']);
  expect(requests).toEqual(['127.0.0.1', '127.0.0.1']);
});

test('a call with its own time limit may take longer than the limit of the client, or end sooner', async () => {
  const server = createServer((_request, reply) => {
    setTimeout(() => reply.writeHead(200, { 'content-type': 'application/json' }).end('{}'), 300);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const http = createHttpClient({ allowed, totalTimeoutMs: 100 });
  closing.push(() => server.close(), http.close);
  const { port } = server.address() as AddressInfo;
  const call = { method: 'GET', url: `http://127.0.0.1:${port}/`, headers: {} } as const;
  const send = (timeoutMs?: number) =>
    http.send({ ...call, ...(timeoutMs !== undefined && { timeoutMs }) }, AbortSignal.timeout(10_000));
  expect((await send()).kind).toBe('aborted');
  expect((await send(3_000)).kind).toBe('json');
  expect((await send(50)).kind).toBe('aborted');
});

test('an unknown host name counts as a broken connection, and may be tried again', async () => {
  const { call } = await clientWith(() => 'nxdomain');
  expect(await call('http://bank.example:8090/')).toEqual({ kind: 'broken', detail: 'dns' });
});

test('a refused address is resolved once, without retries', async () => {
  const { call, lookups } = await clientWith(() => ['127.0.0.2']);
  const result = await retryUntilAnswered(() => call('http://bank.example:8090/'), AbortSignal.timeout(3_000));
  expect(result.kind).toBe('forbidden');
  expect(lookups).toHaveLength(2);
});

test('a certificate has to match the host name, whatever the settings of the process', async () => {
  const authority = makeAuthority();
  const { port, requests } = await serve(authority.issue({ names: ['bank.example'] }));
  const { call } = await clientWith(() => ['127.0.0.1'], { ca: authority.pem });
  expect(await call(`https://bank.example:${port}/`)).toMatchObject({ kind: 'json' });
  const unchecked = process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
  closing.push(() => {
    if (unchecked === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    else process.env.NODE_TLS_REJECT_UNAUTHORIZED = unchecked;
  });
  expect(await call(`https://other.example:${port}/`)).toEqual({
    kind: 'broken',
    detail: `tls_wrong_name 127.0.0.1:${port}`,
  });
  expect(requests).toHaveLength(1);
});

test('a proxy in the environment is not used', async () => {
  const proxy = await serve();
  const { port } = await serve();
  for (const name of ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY']) process.env[name] = `http://127.0.0.1:${proxy.port}`;
  process.env.NODE_USE_ENV_PROXY = '1';
  closing.push(() => {
    for (const name of ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'NODE_USE_ENV_PROXY']) delete process.env[name];
  });
  const { call } = await clientWith(() => ['127.0.0.1']);
  expect(await call(`http://bank.example:${port}/`)).toMatchObject({ kind: 'json' });
  expect(proxy.requests).toEqual([]);
});

test('an image is fetched only if it is an image, small enough, without a redirect and not from a forbidden address', async () => {
  const served: Record<string, [status: number, type: string, body: string, location?: string]> = {
    '/qr.svg': [200, 'image/svg+xml; charset=utf-8', '<svg/>'],
    '/page': [200, 'text/html', '<svg/>'],
    '/gone': [404, 'image/png', 'png'],
    '/moved': [302, 'image/png', 'png', '/qr.svg'],
    '/long': [200, 'image/png', 'x'.repeat(256 * 1024 + 1)],
  };
  const server = createServer(({ url = '' }, reply) => {
    const [status = 500, type = '', body = '', location] = served[url] ?? [];
    reply.writeHead(status, { 'content-type': type, ...(location && { location }) }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const http = createHttpClient({ allowed });
  const other = createHttpClient({ allowed: networks([]) });
  closing.push(
    () => server.close(),
    () => http.close(),
    () => other.close(),
  );
  const fetched = (path: string, client = http) =>
    client.fetchImage(`http://127.0.0.1:${port}${path}`, AbortSignal.timeout(10_000));
  expect(await fetched('/qr.svg')).toEqual({ contentType: 'image/svg+xml', bytes: Buffer.from('<svg/>') });
  for (const path of ['/page', '/gone', '/moved', '/long', '/none'])
    expect([path, await fetched(path)]).toEqual([path, null]);
  expect(await fetched('/qr.svg', other)).toBeNull();
});
