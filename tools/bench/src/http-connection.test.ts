import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openHttpConnection } from './http-connection.ts';

/**
 * A server that answers with the path, and hangs up at `/hang-up`. It closes a connection that is idle for `before` ms
 * without any request, or for `after` ms after one.
 */
async function open({ before = 60_000, after = 60_000 } = {}) {
  const limits = { headersTimeout: before, connectionsCheckingInterval: 10 };
  const server = createServer(limits, (request, response) => {
    if (request.url === '/hang-up') request.socket.destroy();
    else response.setHeader('content-length', request.url?.length ?? 0).end(request.url);
  });
  server.keepAliveTimeout = after;
  // Node adds a second for clocks that differ.
  server.keepAliveTimeoutBuffer = 0;
  let connections = 0;
  let closed = 0;
  server.on('connection', (socket) => {
    connections += 1;
    socket.on('close', () => {
      closed += 1;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const connection = await openHttpConnection((server.address() as AddressInfo).port);
  onTestFinished(() => {
    connection.close();
    server.close();
  });
  const ask = (path: string) => connection.ask(Buffer.from(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`));
  const keepIdleOnes = (): void => {
    server.headersTimeout = 60_000;
    server.keepAliveTimeout = 60_000;
  };
  return { ask, keepIdleOnes, connections: () => connections, closed: () => closed };
}

test('requests are sent one after the other over one connection', async () => {
  const { ask, connections } = await open();
  for (const path of ['/a', '/bc']) expect(await ask(path)).toEqual({ status: 200, body: path });
  expect(connections()).toBe(1);
});

test.each([{ before: 20 }, { after: 1 }])(
  'a connection that the server closed while it was idle, %o, is opened again',
  async (limits) => {
    const { ask, keepIdleOnes, connections, closed } = await open(limits);
    if (limits.after) await ask('/a');
    await expect.poll(closed, { timeout: 10_000 }).toBe(1);
    keepIdleOnes();
    // The client notices it a moment later. A request before that is an error.
    const again = () => ask('/b').catch(() => null);
    await expect.poll(again, { timeout: 10_000 }).toEqual({ status: 200, body: '/b' });
    expect(connections()).toBe(2);
  },
);

test('a server that hangs up within a request is an error', async () => {
  const { ask } = await open();
  await expect(ask('/hang-up')).rejects.toThrow('the server hung up');
  expect(await ask('/a')).toMatchObject({ body: '/a' });
});
