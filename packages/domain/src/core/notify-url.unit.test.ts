import { expect, test } from 'vitest';
import { networks } from './address.ts';
import { isLocalhost, isPrivateUrl, problemOfNotifyUrl, readNotifyUrl } from './notify-url.ts';

const none = networks([]);

test.each([
  'https://shop.example/notify',
  'http://shop.example',
  'HTTPS://SHOP.EXAMPLE/N?a=b&c=d#e',
  'https://shop.example:443/',
  'http://shop.example:80/',
  'http://shop.example:1024/',
  'https://shop.example:65535/x',
  'https://shop.example./n',
  'https://bücher.example/ü',
  'http://8.8.8.8/n',
  'http://[2606:4700::1111]:8443/n',
  'http://[::ffff:8.8.8.8]/',
  'https://127.0.0.1.example/',
  'https://localhost.example/',
  'https://shop.example/?u=http://127.0.0.1/',
  `https://shop.example/${'x'.repeat(512 - 21)}`,
])('%s can be notified', (url) => {
  expect(problemOfNotifyUrl(url, none)).toBeNull();
});

const address = 'must not point to a private or reserved address';
const form = 'must be an absolute http or https URL';
const port = 'must use port 80, 443 or 1024 to 65535';
const credentials = 'must not hold credentials';

test.each<[url: string, problem: string]>([
  // 127.0.0.1 in every spelling that a browser takes.
  ...[
    'http://127.0.0.1/',
    'http://127.0.0.1./',
    'http://127.1/',
    'http://127.0.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://017700000001/',
    'http://0x7f.0.0.0x1/',
    'http://127.000.000.001/',
    'http://１２７.0.0.1/',
    'http://①②⑦.0.0.1/',
    'http://127。0。0。1/',
    'http://%31%32%37.0.0.1/',
    'http://%6cocalhost/',
    'http://localhost/',
    'http://LOCALHOST:8080/',
    'http://localhost./',
    'http://a.localhost/',
    'http://a.b.LocalHost./',
    'http:///127.0.0.1/',
    'http:////127.0.0.1/',
    'http://127.0.0.1\\@shop.example/',
    'http://[::1]/',
    'http://[0:0:0:0:0:0:0:1]:8080/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://[2001:0:4136:e378:8000:63bf:80ff:fffe]/',
    'http://[::127.0.0.1]/',
    'http://0/',
    'http://0.0.0.0/',
    'http://[::]/',
  ].map((url): [string, string] => [url, address]),
  ...[
    'http://10.0.0.1/',
    'http://012.1/',
    'http://192.168.1/',
    'http://3232235777/',
    'http://169.254.169.254/latest/meta-data',
    'http://0xa9fea9fe/',
    'http://[fe80::1]/',
    'http://[fd00::1]/',
    'http://[ff02::1]/',
    'http://255.255.255.255/',
    'http://224.0.0.1/',
  ].map((url): [string, string] => [url, address]),
  ...[
    'ftp://shop.example/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'shop.example/n',
    '//shop.example/n',
    '/n',
    'http:shop.example',
    'http:/shop.example/',
    'http://',
    'http:///',
    'https://shop.example:65536/',
    'http://[::1%25eth0]/',
    'http://[fe80::1%eth0]/',
    'http://256.1.1.1/',
    'http://1.2.3.4.5/',
    ' http://shop.example/',
    'http://shop.example/ ',
    'http://shop.example/a b',
    'http://shop.example/\u0000',
    'http://shop.example/\n',
    'ht\ntp://shop.example/',
    'http://shop\t.example/',
    'http://shop.example/\u2028',
    '',
  ].map((url): [string, string] => [url, form]),
  ...['0', '1', '22', '25', '79', '81', '442', '444', '1023'].map((p): [string, string] => [
    `http://shop.example:${p}/`,
    port,
  ]),
  ['http://user@shop.example/', credentials],
  ['http://user:pass@shop.example/', credentials],
  ['http://:pass@shop.example/', credentials],
  ['http://shop.example@127.0.0.1/', credentials],
  [`https://shop.example/${'x'.repeat(512 - 20)}`, 'must have at most 512 characters'],
])('the URL %j is refused: %s', (url, problem) => {
  expect(problemOfNotifyUrl(url, none)).toBe(problem);
});

test('localhost needs both loopback networks to be allowed, not only one', () => {
  for (const some of [['127.0.0.0/8'], ['::1/128']])
    expect(problemOfNotifyUrl('http://localhost:8091/n', networks(some))).toBe(address);
});

test.each<[text: string, host: string, port: number]>([
  ['http://SHOP.example/n', 'shop.example', 80],
  ['https://shop.example./n?a=b', 'shop.example', 443],
  ['https://bücher.example:8443/', 'xn--bcher-kva.example', 8443],
  ['http://[2606:4700:0:0::1111]/', '2606:4700::1111', 80],
  ['http://0x7f.1:8091/', '127.0.0.1', 8091],
])('the URL %s has the host %s and the port %i', (text, host, port) => {
  expect(readNotifyUrl(text)).toMatchObject({ ok: true, host, port });
});

test('an allowed loopback is accepted by name and by address, and other private addresses are not', () => {
  const sandbox = networks(['127.0.0.0/8', '::1/128']);
  for (const url of ['http://127.0.0.1:8091/n', 'http://localhost:8091/n', 'http://[::1]:8091/n', 'http://127.1:8091/'])
    expect(problemOfNotifyUrl(url, sandbox)).toBeNull();
  expect(problemOfNotifyUrl('http://10.0.0.1/', sandbox)).toBe(address);
  expect(problemOfNotifyUrl('http://127.0.0.1:22/', sandbox)).toBe(port);
});

test.each(['http://./', 'https://./n', 'https://.:8443/n'])('%s names no host', (url) => {
  expect(readNotifyUrl(url)).toEqual({ ok: false, problem: 'must name a host' });
});

test('an IPv6 host is given without its brackets', () => {
  expect(readNotifyUrl('http://[2606:4700::1111]/')).toMatchObject({ host: '2606:4700::1111' });
});

test.each(['localhost', 'a.localhost', '127.0.0.1', '172.16.0.1', '192.168.1.1', '169.254.1.1', '[::1]', '[fd00::1]'])(
  'a URL of %s is private',
  (host) => {
    expect(isPrivateUrl(new URL(`http://${host}:8080/n`))).toBe(true);
  },
);

test.each(['shop.example', '10.example', '127.example', '8.8.8.8', '172.32.0.1', '[2606:4700::1111]'])(
  'a URL of %s is not private',
  (host) => {
    expect(isPrivateUrl(new URL(`http://${host}/`))).toBe(false);
  },
);

test('localhost and names that end with .localhost are private, and names that only contain the word are not', () => {
  expect(['localhost', 'a.localhost', 'a.b.localhost'].map(isLocalhost)).toEqual([true, true, true]);
  expect(['mylocalhost', 'localhost.example', 'a.localhost.example'].map(isLocalhost)).toEqual([false, false, false]);
});
