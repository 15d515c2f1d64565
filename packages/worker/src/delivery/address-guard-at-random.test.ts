import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { closeAll } from '../../test/delivery-fixture.ts';
import { watchNetwork } from '../../test/watched-network.ts';

// Random addresses of special networks, computed by counting from the network's first address, which is another method
// than that of the code.

afterAll(closeAll);

// From the registries of IANA: first address, and number of free bits.
const specialIPv4: [first: number, freeBits: number][] = [
  ...([
    [0x00000000, 24],
    [0x0a000000, 24],
    [0x64400000, 22],
    [0x7f000000, 24],
    [0xa9fe0000, 16],
  ] as [number, number][]),
  ...([
    [0xac100000, 20],
    [0xc0000000, 8],
    [0xc0000200, 8],
    [0xc01fc400, 8],
    [0xc034c100, 8],
  ] as [number, number][]),
  ...([
    [0xc0586300, 8],
    [0xc0a80000, 16],
    [0xc0af3000, 8],
    [0xc6120000, 17],
    [0xc6336400, 8],
  ] as [number, number][]),
  ...([
    [0xcb007100, 8],
    [0xe0000000, 28],
    [0xf0000000, 28],
  ] as [number, number][]),
];
const specialIPv6: [first: bigint, freeBits: bigint][] = [
  [0x0000n << 112n, 125n],
  [0x4000n << 112n, 126n],
  [0x8000n << 112n, 127n],
  [0x2001_0002n << 96n, 80n],
  [0x2001_0010n << 96n, 100n],
  [0x2001_0020n << 96n, 100n],
  [0x2001_01ffn << 96n, 96n],
  [0x2001_0db8n << 96n, 96n],
  [0x2620_004f_8000n << 80n, 80n],
  [0x3fffn << 112n, 108n],
  [0xfc00n << 112n, 121n],
  [0xfe80n << 112n, 118n],
  [0xff00n << 112n, 120n],
];

const privateIPv4 = fc
  .tuple(fc.constantFrom(...specialIPv4), fc.nat(2 ** 28 - 1))
  .map(([[first, freeBits], random]) => first + (random % 2 ** freeBits));
const dotted = (value: number): string => [24, 16, 8, 0].map((bits) => (value >>> bits) & 255).join('.');
const hexPair = (value: number): string => `${(value >>> 16).toString(16)}:${(value & 0xffff).toString(16)}`;

/** Every spelling of an IPv4 address, and every form of IPv6 address that contains one. `free` fills the other bits. */
const spellings: ((value: number, free: string) => string)[] = [
  dotted,
  (value) => String(value),
  (value) => `0x${value.toString(16)}`,
  (value) => `0${value.toString(8)}`,
  (value) => `${value >>> 24}.${value & 0xffffff}`,
  (value) => `${dotted(value)}.`,
  (value) => `[::ffff:${dotted(value)}]`,
  (value) => `[::${hexPair(value)}]`,
  (value) => `[64:ff9b::${hexPair(value)}]`,
  (value, free) => `[2002:${hexPair(value)}:${free}:${free}:1]`,
  (value, free) => `[2001:0:808:808:${free}:${hexPair(~value >>> 0)}]`,
  (value, free) => `[2001:0:${hexPair(value)}:${free}:f7f7:f7f7]`,
  (value, free) => `[2606:4700:${free}:0:5efe:${hexPair(value)}]`,
];
const free = fc.nat(2 ** 31 - 1).map(hexPair);
const carrying = fc
  .tuple(privateIPv4, free, fc.constantFrom(...spellings))
  .map(([value, rest, spell]) => spell(value, rest));

const beyond = fc
  .tuple(fc.constantFrom(...specialIPv6), fc.bigInt(0n, 2n ** 128n - 1n))
  .map(([[first, freeBits], random]) => {
    const hex = (first + (random % 2n ** freeBits)).toString(16).padStart(32, '0');
    return `[${hex.replace(/.{4}(?!$)/g, '$&:')}]`;
  });

test('no special address is connected to, in any spelling or embedding, in the URL or by DNS', async () => {
  const network = await watchNetwork();
  await fc.assert(
    fc.asyncProperty(fc.oneof(carrying, beyond), fc.boolean(), async (host, byName) => {
      // DNS returns addresses in their plain form.
      const address = new URL(`http://${host}`).hostname.replace(/^\[|\]$/g, '');
      const url = byName ? 'http://shop.example/' : `http://${host}/`;
      expect(await network.attempt({ url, dns: ['93.184.216.34', address], allowed: [] })).toMatch(
        /^forbidden_address /,
      );
      network.expectNothingLeft();
    }),
    { numRuns: 1_000 },
  );
});

test('a random public address is connected to, so the test above is meaningful', async () => {
  const network = await watchNetwork();
  const publicIPv4 = fc.integer({ min: 0x01000000, max: 0x09ffffff }).map(dotted);
  await fc.assert(
    fc.asyncProperty(publicIPv4, async (host) => {
      expect(await network.attempt({ url: `http://${host}/`, dns: [], allowed: [] })).toBe(`${host}:80`);
    }),
    { numRuns: 100 },
  );
});
