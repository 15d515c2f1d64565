import { connect, Socket } from 'node:net';
import type { Dial } from '@tidegate/upstream/outgoing';
import { afterAll, expect, test, vi } from 'vitest';
import { answering, closeAll, deliverWith, serve, serveRaw, to } from '../../test/delivery-fixture.ts';

// The checked addresses are tried one after another, within the 5 s of connecting (decisions 7.4).

afterAll(closeAll);

/** Real connections, except that addresses `127.9.x.x` never answer, as behind a firewall that drops packets. */
function dialling(dialled: string[]): Dial {
  return (address, port) => {
    dialled.push(address);
    return address.startsWith('127.9.') ? new Socket() : connect(port, address);
  };
}

test.concurrent.each<[what: string, dns: readonly string[], dialled: readonly string[], withinMs: number]>([
  ['the first answers', ['127.0.0.1', '127.0.0.2'], ['127.0.0.1'], 1_000],
  ['the first refuses', ['127.0.0.2', '127.0.0.1'], ['127.0.0.2', '127.0.0.1'], 1_000],
  ['the first is silent', ['127.9.0.1', '127.0.0.1'], ['127.9.0.1', '127.0.0.1'], 3_500],
  [
    'three are silent',
    ['127.9.0.1', '127.9.0.2', '127.9.0.3', '127.0.0.1'],
    ['127.9.0.1', '127.9.0.2', '127.9.0.3', '127.0.0.1'],
    4_900,
  ],
])('the addresses of a name are tried: %s', async (_what, dns, expected, withinMs) => {
  const { port } = new URL(await serve(answering(200, 'OK')));
  const dialled: string[] = [];
  const deliver = deliverWith({ resolve: async () => dns, dial: dialling(dialled) });
  const result = await deliver(to(`http://shop.example:${port}/`));
  expect(result).toMatchObject({ acknowledged: true, address: `127.0.0.1:${port}` });
  expect(dialled).toEqual(expected);
  expect(result.durationMs).toBeLessThan(withinMs);
});

test.concurrent('if no address can be reached, the error is that of the most telling one, and each is recorded', async () => {
  const { port } = new URL(await serve(answering(200, 'OK')));
  const deliver = deliverWith({
    resolve: async () => ['127.0.0.2', '127.9.0.3', '127.0.0.1'],
    dial: dialling([]),
  });
  const result = await deliver(to(`https://shop.example:${port}/`));
  expect(result.error).toBe('no_tls');
  expect(result.address).toBe(`127.0.0.1:${port} no_tls, 127.0.0.2:${port} refused, 127.9.0.3:${port} connect_timeout`);
});

test.concurrent('resolving a name and connecting share a limit of 5 s', async () => {
  const dialled: string[] = [];
  const many = Array.from({ length: 20 }, (_, n) => `127.9.0.${n}`);
  const slowly = (addresses: readonly string[], ms: number) => () =>
    new Promise<readonly string[]>((resolve) => void setTimeout(resolve, ms, addresses));
  const results = await Promise.all(
    [slowly(['127.9.0.1'], 2_500), slowly(many, 0), slowly(many, 5_100)].map((resolve) =>
      deliverWith({ resolve, dial: dialling(dialled) })(to('http://shop.example:8080/')),
    ),
  );
  for (const result of results) {
    expect(result).toMatchObject({ acknowledged: false, error: 'connect_timeout' });
    expect(result.durationMs).toBeGreaterThan(4_900);
    expect(result.durationMs).toBeLessThan(7_000);
  }
  expect(results[0]?.address).toBe('127.9.0.1:8080');
  expect(results[2]?.address).toBeNull();
  // At least a second for each address. The rest are not tried.
  expect(new Set(dialled).size).toBeLessThanOrEqual(6);
});

test.concurrent('a TLS handshake that never ends is part of connecting, and the connection is closed', async () => {
  let [connectionCount, open] = [0, 0];
  const url = await serveRaw((socket) => {
    connectionCount += 1;
    open += 1;
    socket.resume().on('close', () => {
      open -= 1;
    });
  });
  const result = await deliverWith()(to(url.replace('http:', 'https:')));
  expect(result).toMatchObject({ error: 'connect_timeout', address: new URL(url).host });
  expect(result.durationMs).toBeLessThan(7_000);
  await vi.waitFor(() => expect(open).toBe(0), 30_000);
  expect(connectionCount).toBe(1);
});
