import { plainAddress } from '@tidegate/process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aRequest, send } from '../../test/raw-request.ts';
import { type Fixture, startFixture } from '../../test/rest-fixture.ts';
import { isAddressAllowed } from './ip-allow-list.ts';

/** Servers behind no, one and two trusted proxies. This test is their peer, 127.0.0.1. */
let fixtures: Fixture[];
beforeAll(async () => {
  fixtures = await Promise.all([0, 1, 2].map((trustedProxies) => startFixture({ trustedProxies })));
});
afterAll(async () => {
  for (const fixture of fixtures) await fixture.close();
});

const IN = 0;
const OUT = 40302;

async function codeFor(trustedProxies: number, allowed: string[], forwarded: readonly string[]): Promise<number> {
  const fixture = fixtures[trustedProxies];
  if (!fixture) throw new Error(`no fixture behind ${trustedProxies}`);
  const { merchantId } = fixture.merchant({ ipAllowList: allowed });
  const request = await aRequest({ merchantNo: merchantId });
  for (const line of forwarded) request.headers.push(['X-Forwarded-For', line]);
  return (await send(fixture.port, request)).code;
}

describe('the address that is checked', () => {
  const friend = '203.0.113.7';
  const cases: [name: string, proxies: number, forwarded: string[], code: number][] = [
    ['no proxy: the header is ignored', 0, [friend], OUT],
    ['no proxy: ten headers are ignored', 0, Array(10).fill(friend), OUT],
    ['one proxy: its entry counts', 1, [friend], IN],
    ['one proxy: an allowed address on the left is ignored', 1, [`${friend}, 198.51.100.1`], OUT],
    ['one proxy: another address on the left is ignored', 1, [`198.51.100.1, ${friend}`], IN],
    ['one proxy: an earlier header is ignored', 1, [friend, '198.51.100.1'], OUT],
    ['one proxy: the last of several headers', 1, ['198.51.100.1', friend], IN],
    ['one proxy: no header', 1, [], OUT],
    ['one proxy: an empty header', 1, [''], OUT],
    ['one proxy: an empty last entry', 1, [`${friend},`], OUT],
    ['one proxy: junk on the left', 1, [`"><script>, ,,unknown, ${friend}`], IN],
    ['one proxy: 1,000 entries on the left are ignored', 1, [Array(1_000).fill(friend).join(','), '198.51.100.1'], OUT],
    ['two proxies: the last but one', 2, [`${friend}, 198.51.100.1`], IN],
    ['two proxies: not the last', 2, [`198.51.100.1, ${friend}`], OUT],
    ['two proxies: not the previous address', 2, [`${friend}, 198.51.100.1, 198.51.100.2`], OUT],
    ['two proxies: across headers', 2, [`9.9.9.9, ${friend}`, '198.51.100.1'], IN],
    ['two proxies: only one entry, so one was bypassed', 2, [friend], OUT],
  ];
  test.each(cases)('%s', async (_, proxies, forwarded, code) => {
    expect(await codeFor(proxies, [friend], forwarded)).toBe(code);
  });

  const spellings: [entry: string, code: number][] = [
    ['203.0.113.7:51234', IN],
    ['::ffff:203.0.113.7', IN],
    ['::FFFF:CB00:7107', IN],
    ['0:0:0:0:0:ffff:203.0.113.7', IN],
    ['[::ffff:203.0.113.7]:443', IN],
    ['\t203.0.113.7 ', IN],
    ['203.0.113.7:', OUT],
    ['203.0.113.7:123456', OUT],
    ['[203.0.113.7]', OUT],
    ['203.0.113.07', OUT],
    ['203.0.113.7/32', OUT],
    ['0xcb.0.113.7', OUT],
    ['3405803783', OUT],
    ['203.0.28935', OUT],
    ['203.0.113.7.', OUT],
    ['203.0.113.7 198.51.100.1', OUT],
    ['for=203.0.113.7', OUT],
    ['"203.0.113.7"', OUT],
    ['::203.0.113.7', OUT],
    ['64:ff9b::203.0.113.7', OUT],
    ['2002:cb00:7107::', OUT],
    ['unknown', OUT],
    ['_hidden', OUT],
    ['localhost', OUT],
  ];
  test.each(spellings)('a request with the X-Forwarded-For entry %j is answered with %i', async (entry, code) => {
    expect(await codeFor(1, [friend], [entry])).toBe(code);
  });

  test('a merchant without an allow list is admitted from any address, also an unknown one', async () => {
    const fixture = fixtures[1] as Fixture;
    const request = await aRequest({ merchantNo: fixture.merchant().merchantId });
    request.headers.push(['X-Forwarded-For', 'unknown']);
    expect(await send(fixture.port, request)).toMatchObject({ code: 0 });
  });
});

describe('the addresses that a list allows', () => {
  const cases: [list: string[], address: string, code: number][] = [
    [['198.51.100.0/24'], '198.51.100.0', IN],
    [['198.51.100.0/24'], '198.51.100.255', IN],
    [['198.51.100.0/24'], '198.51.101.0', OUT],
    [['198.51.100.77/24'], '198.51.100.1', IN],
    [['198.51.100.77/32'], '198.51.100.78', OUT],
    [['198.51.100.76/31'], '198.51.100.77', IN],
    [['0.0.0.0/0'], '8.8.8.8', IN],
    [['0.0.0.0/0'], '2001:db8::1', OUT],
    [['::/0'], '2001:db8::1', IN],
    [['::/0'], '8.8.8.8', OUT],
    [['::/0'], '::ffff:8.8.8.8', OUT],
    [['2001:db8::/32'], '2001:DB8:0:0:0:0:0:1', IN],
    [['2001:db8::/32'], '[2001:db8:ffff::1]:8443', IN],
    [['2001:db8::/32'], '2001:db9::1', OUT],
    [['2001:db8::1'], '2001:db8:0::0:1', IN],
    [['2001:db8::1'], '2001:db8::1%eth0', IN],
    [['2001:db8::1/128'], '2001:db8::2', OUT],
    [['::ffff:198.51.100.0/120'], '198.51.100.9', IN],
    [['::ffff:198.51.100.0/120'], '198.51.101.9', OUT],
    [['::ffff:c633:6409'], '198.51.100.9', IN],
    [['::ffff:198.51.100.0/64'], '198.51.100.9', OUT],
    [['10.0.0.0/8', ' 198.51.100.9 '], '198.51.100.9', IN],
    [[], '198.51.100.9', OUT],
    [[''], '198.51.100.9', OUT],
    [['198.51.100.9/33'], '198.51.100.9', OUT],
    [['198.51.100.9/'], '198.51.100.9', OUT],
    [['198.51.100.9/24/24'], '198.51.100.9', OUT],
    [['198.51.100.9/-1'], '198.51.100.9', OUT],
    [['198.51.100.9/0x18'], '198.51.100.9', OUT],
    [['2001:db8::1/129'], '2001:db8::1', OUT],
    [['*'], '198.51.100.9', OUT],
    [['nonsense', '198.51.100.9'], '198.51.100.9', IN],
  ];
  test.each(cases)('the allow list %j and the address %s are answered with %i', async (list, address, code) => {
    expect(await codeFor(1, list, [address])).toBe(code);
  });

  test('an IPv4 peer on an IPv6 socket counts as its IPv4 address', () => {
    expect(plainAddress('::ffff:127.0.0.1')).toBe('127.0.0.1');
    expect(isAddressAllowed(['127.0.0.0/8'], plainAddress('::ffff:7f00:1'))).toBe(true);
    expect(plainAddress('fe80::1%eth0')).toBe('fe80::1');
    expect(plainAddress('')).toBeNull();
  });
});
