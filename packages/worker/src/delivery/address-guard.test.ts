import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeAll, deliverWith, loopback, serve, to } from '../../test/delivery-fixture.ts';
import { type WatchedNetwork, watchNetwork } from '../../test/watched-network.ts';

// Decisions 8, tested at the connection that an attempt makes.

let network: WatchedNetwork;
beforeAll(async () => {
  network = await watchNetwork();
});
afterAll(closeAll);

// The URL, the DNS answer for its name, if any, and the expected outcome.
const cases: [url: string, dns: readonly string[], outcome: string][] = [
  // Delivered: public unicast, in every spelling.
  ['http://shop.example/n', ['93.184.216.34'], '93.184.216.34:80'],
  ['HTTP://SHOP.EXAMPLE/N', ['93.184.216.34'], '93.184.216.34:80'],
  ['http://shop.example./n', ['93.184.216.34'], '93.184.216.34:80'],
  ['http://bücher.example/ü?ü', ['93.184.216.34'], '93.184.216.34:80'],
  ['http://shop.example:443/', ['93.184.216.34'], '93.184.216.34:443'],
  ['http://shop.example:1024/', ['93.184.216.34'], '93.184.216.34:1024'],
  ['http://shop.example:65535/', ['93.184.216.34'], '93.184.216.34:65535'],
  ['http://shop.example/', ['93.184.216.34', '93.184.216.35', '2606:4700::1111'], '93.184.216.34:80'],
  ['http://shop.example/', ['2606:4700::1111'], '[2606:4700::1111]:80'],
  ['http://127.0.0.1.example/', ['93.184.216.34'], '93.184.216.34:80'],
  ['http://8.8.8.8/', [], '8.8.8.8:80'],
  ['http://8.8.8.8./', [], '8.8.8.8:80'],
  ['http://134744072/', [], '8.8.8.8:80'],
  ['http://0x08080808/', [], '8.8.8.8:80'],
  ['http://010.8.0x8.8/', [], '8.8.8.8:80'],
  ['http://8.2056/', [], '8.0.8.8:80'],
  ['http://８.８.８.８/', [], '8.8.8.8:80'],
  ['http://[2606:4700::1111]:8443/', [], '[2606:4700::1111]:8443'],
  ['http://[2606:4700:0:0:0:0:0:1111]/', [], '[2606:4700::1111]:80'],
  ['http://[::ffff:8.8.8.8]/', [], '[::ffff:808:808]:80'],
  ['http://[64:ff9b::8.8.8.8]/', [], '[64:ff9b::808:808]:80'],
  ['http://[2002:808:808::1]/', [], '[2002:808:808::1]:80'],

  // Loopback and similar addresses, in every spelling.
  ['http://127.0.0.1/', [], 'forbidden_address 127.0.0.1:80'],
  ['http://127.0.0.1./', [], 'forbidden_address 127.0.0.1:80'],
  ['http://127.1/', [], 'forbidden_address 127.0.0.1:80'],
  ['http://127.0.1/', [], 'forbidden_address 127.0.0.1:80'],
  ['http://2130706433/', [], 'forbidden_address 127.0.0.1:80'],
  ['http://0x7f000001/', [], 'forbidden_address 127.0.0.1:80'],
  ['http://0x7f.0.0.0x1/', [], 'forbidden_address 127.0.0.1:80'],
  ['http://017700000001/', [], 'forbidden_address 127.0.0.1:80'],
  ['http://0177.1/', [], 'forbidden_address 127.0.0.1:80'],
  ['http://127.000.000.001/', [], 'forbidden_address 127.0.0.1:80'],
  ['http://１２７.0.0.1/', [], 'forbidden_address 127.0.0.1:80'],
  ['http://①②⑦.0.0.1/', [], 'forbidden_address 127.0.0.1:80'],
  ['http://127。0。0。1/', [], 'forbidden_address 127.0.0.1:80'],
  ['http://%31%32%37.0.0.1/', [], 'forbidden_address 127.0.0.1:80'],
  ['http://0/', [], 'forbidden_address 0.0.0.0:80'],
  ['http://10.0.0.1:8080/', [], 'forbidden_address 10.0.0.1:8080'],
  ['http://012.1/', [], 'forbidden_address 10.0.0.1:80'],
  ['http://192.168.257/', [], 'forbidden_address 192.168.1.1:80'],
  ['http://172.31.255.255/', [], 'forbidden_address 172.31.255.255:80'],
  ['http://100.64.0.1/', [], 'forbidden_address 100.64.0.1:80'],
  ['https://169.254.169.254/latest/meta-data', [], 'forbidden_address 169.254.169.254:443'],
  ['http://0xa9fea9fe/', [], 'forbidden_address 169.254.169.254:80'],
  ['http://192.0.0.192/', [], 'forbidden_address 192.0.0.192:80'],
  ['http://192.88.99.1/', [], 'forbidden_address 192.88.99.1:80'],
  ['http://198.19.0.1/', [], 'forbidden_address 198.19.0.1:80'],
  ['http://203.0.113.1/', [], 'forbidden_address 203.0.113.1:80'],
  ['http://224.0.0.1/', [], 'forbidden_address 224.0.0.1:80'],
  ['http://255.255.255.255/', [], 'forbidden_address 255.255.255.255:80'],
  ['http://[::1]/', [], 'forbidden_address [::1]:80'],
  ['http://[0:0:0:0:0:0:0:1]/', [], 'forbidden_address [::1]:80'],
  ['http://[::]/', [], 'forbidden_address [::]:80'],
  ['http://[fe80::1]/', [], 'forbidden_address [fe80::1]:80'],
  ['http://[fd00:ec2::254]/', [], 'forbidden_address [fd00:ec2::254]:80'],
  ['http://[fec0::1]/', [], 'forbidden_address [fec0::1]:80'],
  ['http://[ff02::1]/', [], 'forbidden_address [ff02::1]:80'],
  ['http://[2001:db8::1]/', [], 'forbidden_address [2001:db8::1]:80'],
  ['http://[100::1]/', [], 'forbidden_address [100::1]:80'],
  ['http://[5f00::1]/', [], 'forbidden_address [5f00::1]:80'],
  // An IPv4 address inside: compatible, mapped, translated, NAT64, NAT64 of a site, 6to4, Teredo (client, server), ISATAP.
  ['http://[::127.0.0.1]/', [], 'forbidden_address [::7f00:1]:80'],
  ['http://[::ffff:127.0.0.1]/', [], 'forbidden_address [::ffff:7f00:1]:80'],
  ['http://[::FFFF:A9FE:A9FE]/', [], 'forbidden_address [::ffff:a9fe:a9fe]:80'],
  ['http://[::ffff:0:8.8.8.8]/', [], 'forbidden_address [::ffff:0:808:808]:80'],
  ['http://[64:ff9b::127.0.0.1]/', [], 'forbidden_address [64:ff9b::7f00:1]:80'],
  ['http://[64:ff9b:1::8.8.8.8]/', [], 'forbidden_address [64:ff9b:1::808:808]:80'],
  ['http://[2002:a00:1::1]/', [], 'forbidden_address [2002:a00:1::1]:80'],
  ['http://[2001:0:808:808::80ff:fffe]/', [], 'forbidden_address [2001:0:808:808::80ff:fffe]:80'],
  ['http://[2001:0:a00:1::f7f7:f7f7]/', [], 'forbidden_address [2001:0:a00:1::f7f7:f7f7]:80'],
  ['http://[2606:4700::5efe:10.0.0.1]/', [], 'forbidden_address [2606:4700::5efe:a00:1]:80'],
  ['http://[2606:4700::200:5efe:a00:1]/', [], 'forbidden_address [2606:4700::200:5efe:a00:1]:80'],

  // A name with its DNS answers. One bad address among them is enough to refuse it.
  ['http://localhost/', ['127.0.0.1', '::1'], 'forbidden_address 127.0.0.1:80'],
  ['http://127.0.0.1.nip.example/', ['127.0.0.1'], 'forbidden_address 127.0.0.1:80'],
  ['https://shop.example/', ['10.1.2.3'], 'forbidden_address 10.1.2.3:443'],
  ['http://shop.example/', ['169.254.169.254'], 'forbidden_address 169.254.169.254:80'],
  ['http://shop.example/', ['0.0.0.0'], 'forbidden_address 0.0.0.0:80'],
  ['http://shop.example/', ['93.184.216.34', '127.0.0.1'], 'forbidden_address 127.0.0.1:80'],
  ['http://shop.example/', ['127.0.0.1', '93.184.216.34'], 'forbidden_address 127.0.0.1:80'],
  ['http://shop.example/', ['93.184.216.34', '::1'], 'forbidden_address [::1]:80'],
  ['http://shop.example/', ['93.184.216.34', '::ffff:10.0.0.1'], 'forbidden_address [::ffff:10.0.0.1]:80'],
  ['http://shop.example/', ['93.184.216.34', '64:ff9b::a00:1'], 'forbidden_address [64:ff9b::a00:1]:80'],
  ['http://shop.example/', ['93.184.216.34', '2002:7f00:1::'], 'forbidden_address [2002:7f00:1::]:80'],
  ['http://shop.example/', ['93.184.216.34', 'fe80::1%eth0'], 'forbidden_address [fe80::1%eth0]:80'],
  ['http://shop.example/', ['2606:4700::1111%lo'], 'forbidden_address [2606:4700::1111%lo]:80'],
  ['http://shop.example/', ['93.184.216.34', 'shop.example'], 'forbidden_address shop.example:80'],
  [
    'http://shop.example/',
    [...Array.from({ length: 60 }, (_, n) => `8.8.8.${n}`), '10.0.0.1'],
    'forbidden_address 10.0.0.1:80',
  ],

  // A refused URL, however it came into the database.
  ['http://shop.example:22/', ['93.184.216.34'], 'forbidden_url'],
  ['http://shop.example:1023/', ['93.184.216.34'], 'forbidden_url'],
  ['http://shop.example:0/', ['93.184.216.34'], 'forbidden_url'],
  ['http://user:pass@shop.example/', ['93.184.216.34'], 'forbidden_url'],
  ['http://user@shop.example/', ['93.184.216.34'], 'forbidden_url'],
  ['http://[fe80::1%25eth0]/', [], 'forbidden_url'],
  ['http://256.256.256.256/', [], 'forbidden_url'],
  ['ftp://shop.example/', ['93.184.216.34'], 'forbidden_url'],
  ['gopher://shop.example:6379/_FLUSHALL', ['93.184.216.34'], 'forbidden_url'],
  ['file:///etc/passwd', [], 'forbidden_url'],
  ['unix:/var/run/docker.sock', [], 'forbidden_url'],
  ['http://shop.example/\r\nX: y', ['93.184.216.34'], 'forbidden_url'],
  ['/n', [], 'forbidden_url'],
  ['', [], 'forbidden_url'],
];

test.each(cases)('the URL %j with the DNS answer %j has the result %s', async (url, dns, outcome) => {
  expect(await network.attempt({ url, dns, allowed: [] })).toBe(outcome);
  if (outcome.startsWith('forbidden')) network.expectNothingLeft();
});

// NOTIFY_ALLOW_CIDRS allows exactly the given networks.
test.each<[url: string, dns: readonly string[], outcome: string]>([
  ['http://127.0.0.1:8091/', [], '127.0.0.1:8091'],
  ['http://127.1:8091/', [], '127.0.0.1:8091'],
  ['http://[::1]:8091/', [], '[::1]:8091'],
  ['http://[::ffff:127.0.0.1]:8091/', [], '[::ffff:7f00:1]:8091'],
  ['http://localhost:8091/', ['127.0.0.1', '::1'], '127.0.0.1:8091'],
  ['http://shop.example/', ['127.0.0.1', '93.184.216.34'], '127.0.0.1:80'],
  ['http://127.0.0.1:22/', [], 'forbidden_url'],
  ['http://10.0.0.1/', [], 'forbidden_address 10.0.0.1:80'],
  ['http://0.0.0.0/', [], 'forbidden_address 0.0.0.0:80'],
  ['http://[::]/', [], 'forbidden_address [::]:80'],
  ['http://[::1%25lo]/', [], 'forbidden_url'],
  ['http://shop.example/', ['127.0.0.1', '10.0.0.1'], 'forbidden_address 10.0.0.1:80'],
])('if the loopback is allowed, the URL %s with the DNS answer %j has the result %s', async (url, dns, outcome) => {
  expect(await network.attempt({ url, dns, allowed: loopback })).toBe(outcome);
  if (outcome.startsWith('forbidden')) network.expectNothingLeft();
});

test('a server that listens on the refused addresses gets no connection', async () => {
  let connections = 0;
  const url = await serve((_, response) => {
    connections += 1;
    response.end('OK');
  }, '::');
  const { port } = new URL(url);
  const hosts = [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    'localhost',
    'a.localhost',
    'LOCALHOST.',
  ];
  for (const host of [...hosts, '0', '[::]']) {
    const result = await deliverWith({}, [])(to(`http://${host}:${port}/`));
    expect(result, host).toMatchObject({
      acknowledged: false,
      error: 'forbidden_address',
      httpStatus: null,
      reply: null,
    });
  }
  expect(connections).toBe(0);
  for (const host of hosts)
    expect(await deliverWith()(to(`http://${host}:${port}/`)), host).toMatchObject({ error: null });
  expect(connections).toBe(hosts.length);
});
