import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { makeResolve } from '@tidegate/upstream/outgoing';
import { afterAll, expect, test } from 'vitest';
import { closeAll, closeAtEnd, deliverWith, serve, to } from '../../test/delivery-fixture.ts';
import { type DnsAnswer, startDnsServer } from '../../test/dns-server.ts';

// A name with one DNS answer at the check and another at the connection. 127.0.0.1 and 127.0.0.3 play public addresses
// here, all other loopback addresses private ones. One server listens on all of them, and a real DNS server changes its
// answers.

const allowed = ['127.0.0.1/32', '127.0.0.3/32'];
afterAll(closeAll);

async function fixture(answers: (question: number) => DnsAnswer) {
  const reached: string[] = [];
  const connections = new Set<Socket>();
  const url = await serve((request, response) => {
    reached.push(String(request.socket.localAddress));
    connections.add(request.socket);
    response.end('OK');
  }, '0.0.0.0');
  // Only A questions are counted. The server answers only the requested family.
  let questions = 0;
  const dns = await startDnsServer((_, type) => (type === 'A' ? answers(questions++) : []));
  closeAtEnd(dns.close);
  const deliver = deliverWith({ resolve: makeResolve([dns.address]) }, allowed);
  const { port } = new URL(url);
  return { dns, reached, connections, port, attempt: () => deliver(to(`http://shop.example:${port}/notify`)) };
}

test('a host name is resolved once per attempt, and exactly the checked address is used', async () => {
  // A second look-up would return the private address.
  const { dns, reached, attempt, port } = await fixture((question) =>
    question % 2 === 0 ? ['127.0.0.1'] : ['127.0.0.2'],
  );
  expect(await attempt()).toMatchObject({ acknowledged: true, address: `127.0.0.1:${port}` });
  expect(dns.queries.toSorted()).toEqual(['A shop.example', 'AAAA shop.example']);
  expect(reached).toEqual(['127.0.0.1']);
});

test('a host name that changes to a private address between two attempts is refused, although a connection is still open', async () => {
  const { dns, reached, attempt, port } = await fixture((question) => (question === 1 ? ['127.0.0.2'] : ['127.0.0.1']));
  expect(await attempt()).toMatchObject({ acknowledged: true });
  expect(await attempt()).toMatchObject({ error: 'forbidden_address', address: `127.0.0.2:${port}`, httpStatus: null });
  expect(reached).toEqual(['127.0.0.1']);
  expect(await attempt()).toMatchObject({ acknowledged: true });
  // An answer is used for one attempt, whatever its time to live is.
  expect(dns.queries).toHaveLength(6);
});

test('a private address next to the address of an open connection is refused too', async () => {
  const { reached, attempt, port } = await fixture((question) =>
    question === 0 ? ['127.0.0.1'] : ['127.0.0.1', '127.0.0.2'],
  );
  await attempt();
  expect(await attempt()).toMatchObject({ error: 'forbidden_address', address: `127.0.0.2:${port}` });
  expect(reached).toHaveLength(1);
});

test('a kept connection is used only if the host name still has its address', async () => {
  const { reached, connections, attempt, port } = await fixture((question) =>
    question < 2 ? ['127.0.0.1'] : ['127.0.0.3'],
  );
  await attempt();
  await attempt();
  expect(connections.size).toBe(1);
  expect(await attempt()).toMatchObject({ acknowledged: true, address: `127.0.0.3:${port}` });
  expect(reached).toEqual(['127.0.0.1', '127.0.0.1', '127.0.0.3']);
});

test('a kept connection that the endpoint closed, even at the last moment, is replaced by a connection to a newly checked address', async () => {
  const { connections, port } = await fixture(() => []);
  const closeThem = (): void => {
    for (const socket of connections) socket.destroy();
  };
  let atTheLastMoment = (): void => undefined;
  const resolve = async () => {
    // Here the kept connection still looks alive when it is used. Only the write shows that it is closed.
    await setImmediate();
    atTheLastMoment();
    return ['127.0.0.1'];
  };
  const deliver = deliverWith({ resolve }, allowed);
  const attempt = () => deliver(to(`http://shop.example:${port}/notify`));
  await attempt();
  closeThem();
  expect(await attempt()).toMatchObject({ acknowledged: true });
  atTheLastMoment = closeThem;
  expect(await attempt()).toMatchObject({ acknowledged: true });
  expect(connections.size).toBe(3);
});
