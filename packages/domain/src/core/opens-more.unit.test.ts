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
  ['any address', { ipAllowList: null }, true],
  ['another notification URL', { defaultNotifyUrl: 'https://elsewhere.example/n' }, true],
  ['no notification URL', { defaultNotifyUrl: null }, true],
])('%s: the change %j opens more to the merchant: %s', (_, change, expected) => {
  expect(opensMore(before, { ...before, ...change })).toBe(expected);
});

test('the first list of allowed addresses restricts the merchant', () => {
  expect(opensMore({ ...before, ipAllowList: null }, before)).toBe(false);
});
