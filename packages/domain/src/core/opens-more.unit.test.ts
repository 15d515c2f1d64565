import { expect, test } from 'vitest';
import { type MerchantLimits, opensMore } from './opens-more.ts';

const before: MerchantLimits = {
  payinEnabled: true,
  payoutEnabled: false,
  payinMin: '1.00',
  payinMax: '500.00',
  payoutMin: '1.00',
  payoutMax: '500.00',
  ipAllowList: ['203.0.113.7', '198.51.100.0/24'],
  defaultNotifyUrl: 'https://shop.example/n',
};

test.each<[string, Partial<MerchantLimits>, boolean]>([
  ['nothing', {}, false],
  ['the same amount in other words', { payinMax: '500' }, false],
  ['payins disabled', { payinEnabled: false }, false],
  ['payouts enabled', { payoutEnabled: true }, true],
  ['a lower maximum', { payinMax: '499.99', payoutMax: '9.00' }, false],
  ['a higher maximum', { payoutMax: '500.01' }, true],
  ['a higher minimum', { payinMin: '2.00' }, false],
  ['a lower minimum', { payoutMin: '0.99' }, true],
  ['fewer addresses', { ipAllowList: ['203.0.113.7'] }, false],
  ['another address', { ipAllowList: ['203.0.113.7', '203.0.113.8'] }, true],
  ['a part of a network', { ipAllowList: ['198.51.100.7', '198.51.100.128/25'] }, false],
  ['the network in other words', { ipAllowList: ['198.51.100.9/24', '203.0.113.7/32'] }, false],
  ['a larger network', { ipAllowList: ['198.51.100.0/23'] }, true],
  ['all networks', { ipAllowList: ['0.0.0.0/0'] }, true],
  ['the same addresses as mapped ones', { ipAllowList: ['::ffff:198.51.100.7'] }, true],
  ['any address', { ipAllowList: null }, true],
  ['another notification URL', { defaultNotifyUrl: 'https://elsewhere.example/n' }, true],
  ['no notification URL', { defaultNotifyUrl: null }, true],
])('%s: the change %j opens more to the merchant: %s', (_, change, expected) => {
  expect(opensMore(before, { ...before, ...change })).toBe(expected);
});

test('the first list of allowed addresses restricts the merchant', () => {
  expect(opensMore({ ...before, ipAllowList: null }, before)).toBe(false);
});

test('a network of mapped addresses is new beside all of IPv6, because it stands for IPv4', () => {
  const all = { ...before, ipAllowList: ['::/0'] };
  expect(opensMore(all, { ...before, ipAllowList: ['::ffff:203.0.113.0/120'] })).toBe(true);
});

test('any list narrows the one that lets all of IPv4 in', () => {
  const all = { ...before, ipAllowList: ['0.0.0.0/0'] };
  expect(opensMore(all, { ...before, ipAllowList: ['203.0.113.5', '10.0.0.0/8'] })).toBe(false);
});
