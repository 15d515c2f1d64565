import { expect, test } from 'vitest';
import { memoryOfOneProcess } from '../testing/channel-tools.ts';
import { readSettings } from './settings.ts';

const needed = { keyId: 'rzp_test_1', keySecret: 's3cret', webhookSecret: 'w' };
const read = (credentials: Record<string, string>, baseUrl = 'https://api.razorpay.com/') =>
  readSettings({ channelId: 'c', baseUrl, credentials, memory: memoryOfOneProcess() });

test('three credentials are enough for payins, without payouts', () => {
  expect(read({ ...needed, accountNumber: '', accountId: ' ' })).toEqual({
    baseUrl: 'https://api.razorpay.com',
    keys: { id: 'rzp_test_1', secret: 's3cret' },
    accountId: undefined,
    paymentMethods: undefined,
    webhookSecrets: [{ name: 'webhookSecret', secret: 'w' }],
  });
});

test('payouts use their own key pair if there is one', () => {
  expect(read({ ...needed, accountNumber: '7878780080316316' }).payouts?.keys.id).toBe('rzp_test_1');
  const own = { accountNumber: '7878780080316316', payoutKeyId: 'rzp_test_2', payoutKeySecret: 'p' };
  expect(read({ ...needed, ...own }).payouts?.keys).toEqual({ id: 'rzp_test_2', secret: 'p' });
});

test.each([
  ['no key', { keyId: '' }, /keyId/],
  ['half a key pair', { payoutKeyId: 'rzp_test_2' }, /payoutKeySecret/],
  ['an unknown payment method', { paymentMethods: 'upi, shells' }, /paymentMethods/],
  ['another kind of id', { accountId: 'plink_1' }, /accountId/],
])('%s is refused, without a secret in the message', (_what, changed, message) => {
  expect(() => read({ ...needed, ...changed })).toThrow(message);
  expect(() => read({ ...needed, ...changed })).toThrow(/^channel c: (?!.*s3cret)/);
});

test.each(['ftp://api.razorpay.com', 'http://api.razorpay.com'])('the base URL %s is refused', (baseUrl) => {
  expect(() => read(needed, baseUrl)).toThrow(/^channel c: the base URL/);
});
