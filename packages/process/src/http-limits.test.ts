import { once } from 'node:events';
import { connect } from 'node:net';
import { fastify } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { httpLimits, nodeLimits } from './http-limits.ts';

const requestMs = 400;
const silentMs = 800;
const server = fastify({ logger: false, ...httpLimits({ requestMs, idleMs: 300, silentMs }) });
let port: number;
let open = 0;
let mostOpen = 0;
let handled = 0;
beforeAll(async () => {
  server.post('/', async () => 'done');
  server.get('/large', async () => Buffer.alloc(32 * 1024 * 1024));
  server.get('/slow', async () => {
    open += 1;
    handled += 1;
    mostOpen = Math.max(mostOpen, open);
    await new Promise((resolve) => setTimeout(resolve, 5));
    open -= 1;
    return 'answered';
  });
  server.get('/stream', (_request, reply) => {
    reply.hijack();
    reply.raw.writeHead(200);
    reply.raw.write('begun');
    const writing = setInterval(() => reply.raw.write('.'), silentMs / 4);
    setTimeout(() => {
      clearInterval(writing);
      reply.raw.end('ended');
    }, silentMs + requestMs);
  });
  port = Number(new URL(await server.listen({ port: 0, host: '127.0.0.1' })).port);
});
afterAll(() => server.close());

/**
 * Sends the beginning at once and then a byte from time to time. Resolves to how long the server keeps the connection,
 * and to its answer.
 */
async function dribble(beginning: string, byte: string): Promise<{ ms: number; answer: string }> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const began = performance.now();
  let answer = '';
  socket.on('data', (chunk) => {
    answer += String(chunk);
  });
  socket.on('error', () => undefined);
  if (beginning !== '') socket.write(beginning);
  const timer = byte === '' ? undefined : setInterval(() => socket.writable && socket.write(byte), 40);
  // A reset is an end too. once() would reject for it.
  await new Promise((resolve) => void socket.on('close', resolve));
  clearInterval(timer);
  return { ms: performance.now() - began, answer };
}

test.concurrent.each([
  ['headers that never end', 'GET / HTTP/1.1\r\nHost: x\r\n', 'X-More: 1\r\n'],
  [
    'a body that never ends',
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 999\r\n\r\n',
    'x',
  ],
  ['a connection without a request', '', ''],
])('%s are cut off in time', async (_what, beginning, byte) => {
  const { ms, answer } = await dribble(beginning, byte);
  expect(ms).toBeLessThan(requestMs * 4);
  expect(answer).toMatch(/^HTTP\/1\.1 408 /);
});

test.concurrent('a response may take longer than any limit, and then the idle connection is closed', async () => {
  const { answer } = await dribble('GET /stream HTTP/1.1\r\nHost: x\r\n\r\n', '');
  expect(answer).toContain('begun');
  expect(answer).toContain('ended');
});

test('a client that does not read its answer is disconnected', async () => {
  const connected = once(server.server, 'connection');
  const client = connect(port, '127.0.0.1').pause();
  const [ours] = await connected;
  const closed = once(ours, 'close');
  client.write('GET /large HTTP/1.1\r\nHost: x\r\n\r\n');
  await closed;
  expect(ours.bytesWritten).toBeGreaterThan(0);
  client.destroy();
});

test('in production headers get at most 10 s and requests at most 15 s, including the check interval of Node', () => {
  const { requestTimeout, headersTimeout, connectionsCheckingInterval } = nodeLimits();
  expect(headersTimeout + connectionsCheckingInterval).toBeLessThanOrEqual(10_000);
  expect(requestTimeout + connectionsCheckingInterval).toBeLessThanOrEqual(15_000);
});

const requests = (count: number): string => 'GET /slow HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(count);

test('requests that a client sends without waiting for answers are handled one after the other', async () => {
  mostOpen = 0;
  const { answer } = await dribble(requests(5), '');
  expect(answer.split('answered')).toHaveLength(6);
  expect(mostOpen).toBe(1);
});

test('a client that sends far more requests than it waits for is disconnected, and few of them are begun', async () => {
  handled = 0;
  const { ms } = await dribble(requests(1_500), '');
  expect(ms).toBeLessThan(requestMs * 4);
  expect(handled).toBeLessThanOrEqual(1);
});
