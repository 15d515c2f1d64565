import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mayReach, networks } from './address.ts';

const none = networks([]);
const sandbox = networks(['127.0.0.0/8', '::1/128']);

// Decisions 8: every address must be public unicast. For mapped, NAT64, 6to4 and Teredo addresses the address inside
// counts.
test.each([
  '8.8.8.8',
  '1.1.1.1',
  '100.63.255.255',
  '100.128.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.1',
  '198.17.255.255',
  '198.20.0.0',
  '203.0.112.255',
  '223.255.255.255',
  '126.255.255.255',
  '128.0.0.1',
  '169.253.255.255',
  '192.169.0.0',
  '2606:4700::1111',
  '2a00:1450:4001::1',
  '2001:4860:4860::8888',
  '2003::1',
  '2400:cb00::1',
  '3ffe::1',
  // Inside: 8.8.8.8
  '::ffff:8.8.8.8',
  '::ffff:808:808',
  '0:0:0:0:0:ffff:8.8.8.8',
  '64:ff9b::808:808',
  '64:ff9b::8.8.8.8',
  '2002:808:808::1',
  '2001:0:4136:e378:8000:63bf:f7f7:f7f7',
  '2606:4700::5efe:8.8.8.8',
  '2606:4700::0:5eff:10.0.0.1',
])('%s may be reached', (address) => {
  expect(mayReach(address, none)).toBe(true);
});

test.each([
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '10.255.255.255',
  '100.64.0.1',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.7',
  '203.0.113.9',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '192.31.196.1',
  '192.52.193.1',
  '192.175.48.1',
  '::',
  '::1',
  '0:0:0:0:0:0:0:1',
  '::2',
  'fe80::1',
  'fe80::1%eth0',
  'fc00::1',
  'fd12:3456::1',
  'ff02::1',
  'fec0::1',
  '2001:db8::1',
  '2001:10::1',
  '2001:20::1',
  '2001:2::1',
  '2620:4f:8000::1',
  '3fff::1',
  '3fff:fff::1',
  '100::1',
  '5f00::1',
  '4000::1',
  '1::1',
  // Inside: something private.
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:10.0.0.1',
  '::FFFF:192.168.0.1',
  '0:0:0:0:0:ffff:a9fe:a9fe',
  '::ffff:0:127.0.0.1',
  '::127.0.0.1',
  '::7f00:1',
  '64:ff9b::7f00:1',
  '64:ff9b::10.0.0.1',
  '64:ff9b::a9fe:a9fe',
  '2002:7f00:1::',
  '2002:a00:1::1',
  '2002:c0a8:101::1',
  '2001:0:4136:e378:8000:63bf:80ff:fffe',
  '2001::f5ff:fffe',
  // The local NAT64 prefix is never public, and the position of its IPv4 address depends on the network.
  '64:ff9b:1::8.8.8.8',
  '64:ff9b:1:7f00:0:100:808:808',
  // Translated addresses (SIIT) are outside 2000::/3. The address inside does not count for them.
  '::ffff:0:8.8.8.8',
  '::ffff:0:808:808',
  // A Teredo address whose server is private; ISATAP with something private inside.
  '2001:0:a00:1::f7f7:f7f7',
  '2606:4700::5efe:10.0.0.1',
  '2606:4700::200:5efe:7f00:1',
  'fe80::5efe:8.8.8.8',
  // A zone is an interface of this machine.
  '2606:4700::1111%eth0',
  '::ffff:8.8.8.8%1',
  '::1%lo',
  // No addresses at all.
  '',
  'localhost',
  '1.2.3',
  '1.2.3.4.5',
  '256.1.1.1',
  '0x7f.0.0.1',
  '2130706433',
  '[::1]',
  '::ffff:999.1.1.1',
  '8.8.8.8 ',
])('%j may not be reached', (address) => {
  expect(mayReach(address, none)).toBe(false);
});

test('an IPv4 address inside an IPv6 address is recognised only if each group of the prefix is right', () => {
  // Given 64:ff9b::/96 for NAT64, when one of its first groups differs, then it is no NAT64 and lies outside 2000::/3.
  for (const near of ['64:ff9a::8.8.8.8', '64::8.8.8.8', '65:ff9b::8.8.8.8', '0:ff9b::8.8.8.8', '64:ff9b:0:1::8.8.8.8'])
    expect(mayReach(near, none), near).toBe(false);
  // Given an interface identifier of ISATAP, when its first group differs, then the private address in it is only a number.
  for (const near of ['2606:4700::1:5efe:10.0.0.1', '2606:4700::400:5efe:10.0.0.1', '2606:4700::5eff:10.0.0.1'])
    expect(mayReach(near, none), near).toBe(true);
  // Given a private network that its third number tells from public ones, then the second group of the inner address is read too.
  for (const inside of [
    '::ffff:198.51.100.7',
    '2002:c633:6407::1',
    '64:ff9b::c633:6407',
    '2606:4700::5efe:198.51.100.7',
  ])
    expect(mayReach(inside, none), inside).toBe(false);
});

test.each(['::ffffg:8.8.8.8', '2002:808:808::x', '64:ff9bz::8.8.8.8'])(
  '%s looks like an address, but is refused',
  (text) => {
    expect(mayReach(text, none)).toBe(false);
  },
);

test.each([
  ['127.0.0.1', true],
  ['127.8.8.8', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['64:ff9b::7f00:1', true],
  ['10.0.0.1', false],
  ['::ffff:10.0.0.1', false],
  ['fe80::1%lo', false],
  ['::1%lo', false],
  ['8.8.8.8', true],
])('if the loopback is allowed, %s may be reached: %s', (address, allowed) => {
  expect(mayReach(address, sandbox)).toBe(allowed);
});

const ipv4 = fc.nat(2 ** 32 - 1).map((value) => [24, 16, 8, 0].map((bits) => (value >>> bits) & 255).join('.'));

test('an IPv6 address with an IPv4 address inside follows the rules of that address', () => {
  fc.assert(
    fc.property(ipv4, ipv4, (address, other) => {
      const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
      const hex = (high: number, low: number): string => ((high << 8) | low).toString(16);
      const expected = mayReach(address, none);
      for (const carrier of [
        `::ffff:${address}`,
        `0:0:0:0:0:FFFF:${hex(a, b)}:${hex(c, d)}`,
        `64:ff9b::${address}`,
        `2002:${hex(a, b)}:${hex(c, d)}::${other}`,
        `2001:0:808:808::${hex(a ^ 255, b ^ 255)}:${hex(c ^ 255, d ^ 255)}`,
        `2606:4700::5efe:${address}`,
      ])
        expect(mayReach(carrier, none), carrier).toBe(expected);
      for (const never of [`::${address}`, `::ffff:0:${address}`, `64:ff9b:1::${address}`, `fe80::5efe:${address}`])
        expect(mayReach(never, none), never).toBe(false);
    }),
    { numRuns: 1_000 },
  );
});

test('outside of 2000::/3 only addresses that contain a public IPv4 address are public', () => {
  const group = fc.nat(0xffff).map((value) => value.toString(16));
  const first = fc.nat(0xffff).filter((value) => value >> 13 !== 1 && value !== 0 && value !== 0x64);
  fc.assert(
    fc.property(first, fc.array(group, { minLength: 7, maxLength: 7 }), (value, rest) => {
      expect(mayReach([value.toString(16), ...rest].join(':'), none)).toBe(false);
    }),
    { numRuns: 1_000 },
  );
});

test.each([
  '',
  '127.0.0.0',
  '127.0.0.0/',
  '127.0.0.0/x',
  '127.0.0.0/8x',
  '127.0.0.0/x8',
  '127.0.0.0/0008',
  '10.0.0.0/8/8',
  '300.0.0.0/8',
  'localhost/8',
  '/8',
  '8',
  '::1',
  '127.0.0.0 /8',
  '127.0.0.0/-8',
])('%j is not a network, and the message says how to write one', (cidr) => {
  expect(() => networks([cidr])).toThrow(`not a network: ${cidr} (write it as 10.0.0.0/8 or fd00::/8)`);
});

test.each(['::1/129', '127.0.0.0/33'])('%s is refused because it is longer than any address', (cidr) => {
  expect(() => networks([cidr])).toThrow();
});
