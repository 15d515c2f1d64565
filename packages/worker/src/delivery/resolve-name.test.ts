import { makeResolve } from '@tidegate/upstream/outgoing';
import { afterAll, expect, test } from 'vitest';
import { closeAll, closeAtEnd, deliverWith, serve, to } from '../../test/delivery-fixture.ts';
import { type DnsAnswer, type DnsServer, startDnsServer } from '../../test/dns-server.ts';

// Against a real DNS server on the loopback.

afterAll(closeAll);

async function start(answer: (name: string, type: 'A' | 'AAAA') => DnsAnswer): Promise<DnsServer> {
  const dns = await startDnsServer(answer);
  closeAtEnd(dns.close);
  return dns;
}

test.each<[what: string, v4: DnsAnswer, v6: DnsAnswer, expected: readonly string[] | 'dns']>([
  ['both families, IPv4 first', ['192.0.2.7', '192.0.2.8'], ['2001:db8::7'], ['192.0.2.7', '192.0.2.8', '2001:db8::7']],
  ['IPv4 only', ['192.0.2.7'], [], ['192.0.2.7']],
  ['IPv6 only', [], ['2001:db8::7', '2001:db8::8'], ['2001:db8::7', '2001:db8::8']],
  ['the same twice', ['192.0.2.7', '192.0.2.7'], [], ['192.0.2.7']],
  ['no address', [], [], 'dns'],
  ['no such name', 'nxdomain', 'nxdomain', 'dns'],
  ['a server in trouble', 'servfail', 'servfail', 'dns'],
  ['one family in trouble', ['192.0.2.7'], 'servfail', ['192.0.2.7']],
  ['IPv6 carrying IPv4', [], ['::ffff:7f00:1'], ['::ffff:127.0.0.1']],
])('a name is resolved: %s', async (_what, v4, v6, expected) => {
  const dns = await start((_, type) => (type === 'A' ? v4 : v6));
  const found = makeResolve([dns.address])('shop.example');
  if (expected === 'dns') await expect(found).rejects.toMatchObject({ error: 'dns' });
  else expect(await found).toEqual(expected);
});

test('a name with too many addresses has the error dns', async () => {
  // Both address families, each as large as fits into one UDP answer.
  const dns = await start((_, type) =>
    Array.from({ length: 33 }, (_, n) => (type === 'A' ? `192.0.2.${n}` : `2001:db8::${n + 1}`)),
  );
  await expect(makeResolve([dns.address])('shop.example')).rejects.toMatchObject({ error: 'dns' });
});

test('a name is queried unchanged, without the search domains of the machine, and an international name in its ASCII form', async () => {
  const dns = await start(() => ['192.0.2.7']);
  const deliver = deliverWith({ resolve: makeResolve([dns.address]) }, []);
  for (const host of ['intranet', 'SHOP.example.', 'bücher.example'])
    expect(await deliver(to(`http://${host}/`))).toMatchObject({ error: 'forbidden_address', address: '192.0.2.7:80' });
  expect(new Set(dns.queries.map((question) => question.replace(/^A+ /, '')))).toEqual(
    new Set(['intranet', 'shop.example', 'xn--bcher-kva.example']),
  );
});

test('localhost and names below it are resolved to the loopback without a query', async () => {
  const dns = await start(() => ['192.0.2.7']);
  const resolve = makeResolve([dns.address]);
  expect(await resolve('localhost')).toEqual(['127.0.0.1', '::1']);
  expect(await resolve('shop.localhost')).toEqual(['127.0.0.1', '::1']);
  expect(dns.queries).toEqual([]);
});

test.concurrent('name servers that do not answer take no longer than their time limit', async () => {
  // Without a limit a silent server takes 3 s, and two of them more.
  const limitMs = 500;
  const silent = await start(() => 'silence');
  const half = await start((_, type) => (type === 'A' ? ['192.0.2.7'] : 'silence'));
  const began = performance.now();
  const unavailable = makeResolve(['127.0.0.1:9'], limitMs);
  await Promise.all([
    expect(makeResolve([silent.address], limitMs)('shop.example')).rejects.toMatchObject({ error: 'dns' }),
    expect(makeResolve([silent.address, silent.address], limitMs)('shop.example')).rejects.toMatchObject({
      error: 'dns',
    }),
    expect(unavailable('shop.example')).rejects.toMatchObject({ error: 'dns' }),
    // The answer of one family is used even if the other gets none.
    expect(await makeResolve([half.address], limitMs)('shop.example')).toEqual(['192.0.2.7']),
  ]);
  expect(performance.now() - began).toBeLessThan(2_500);
});

test.concurrent('names whose servers do not answer do not delay other names', async () => {
  const dns = await start((name) => (name.startsWith('slow') ? 'silence' : ['127.0.0.1']));
  const deliver = deliverWith({ resolve: makeResolve([dns.address]) });
  const { port } = new URL(await serve((_, response) => void response.end('OK')));
  let slowDone = 0;
  const slow = Array.from({ length: 100 }, async (_, n) => {
    const result = await deliver(to(`http://slow${n}.example:${port}/`));
    slowDone += 1;
    return result;
  });
  const quick = await Promise.all(
    Array.from({ length: 20 }, (_, n) => deliver(to(`http://quick${n}.example:${port}/`))),
  );
  expect(slowDone).toBe(0);
  for (const result of quick) expect(result).toMatchObject({ acknowledged: true });
  for (const result of await Promise.all(slow)) {
    expect(result).toMatchObject({ error: 'dns', address: null });
    expect(result.durationMs).toBeLessThan(5_000);
  }
});
