import { readBody } from '@tidegate/signature';
import { expect, test } from 'vitest';
import { networks } from '../core/address.ts';
import type { Parsed, PayoutRequest } from './definition.ts';
import { countryRules } from './index.ts';

type Body = { [field: string]: unknown };
type PayoutCountry = 'IN' | 'PK';

const least: Record<PayoutCountry, Body> = {
  IN: {
    merchantOrderNo: 'M-1',
    countryCode: 'IN',
    currency: 'INR',
    amount: '10',
    receiverName: 'A',
    receiverAccount: '123456',
    metadata: { ifsc: 'HDFC0AB1234' },
  },
  PK: {
    merchantOrderNo: 'M-1',
    amount: '10',
    bankCode: 'HBL',
    payee_realname: 'A',
    payee_account: 'PK36SCBL0000001123456702',
  },
};

function parse(country: PayoutCountry, body: Body, acceptDeprecatedFields = false): Parsed<PayoutRequest> {
  const { value } = readBody(Buffer.from(JSON.stringify(body)));
  const parsed = countryRules[country].payout?.parse(value, { acceptDeprecatedFields, notifyNetworks: networks([]) });
  if (!parsed) throw new Error(`${country} has no payouts`);
  return parsed;
}
function problems(country: PayoutCountry, changes: Body, accept = false): string {
  const parsed = parse(country, { ...least[country], ...changes }, accept);
  return parsed.ok ? 'taken' : parsed.problems.map(({ path, reason }) => `${path} ${reason}`).join('; ');
}

const ifscSchema = 'metadata.ifsc must be an IFSC: 4 upper-case letters, 0, 6 upper-case letters or digits';
const mobile = '03001234567';

test('CN and TH have no payouts', () => {
  expect([countryRules.CN.payout, countryRules.TH.payout]).toEqual([null, null]);
});

test.each(
  (['IN', 'PK'] as const).flatMap((country) => Object.keys(least[country]).map((field) => [country, field] as const)),
)('%s requires %s', (country, field) => {
  const path = field === 'metadata' ? 'metadata.ifsc' : field;
  for (const absent of [undefined, null, '', {}])
    expect(problems(country, { [field]: absent })).toBe(`${path} is required`);
});

test.each<[PayoutCountry, Body, string]>([
  ['IN', { receiverBankCode: { any: 'thing' }, receiverPhone: '98', notifyUrl: 'https://shop.test/' }, 'taken'],
  ['IN', { receiverAccount: '12345' }, 'receiverAccount must be 6 to 34 letters or digits'],
  ['IN', { receiverAccount: '1'.repeat(35) }, 'receiverAccount must be 6 to 34 letters or digits'],
  ['IN', { receiverAccount: '12345-6' }, 'receiverAccount must be 6 to 34 letters or digits'],
  ['IN', { receiverName: 'x'.repeat(129) }, 'receiverName must have at most 128 characters'],
  ...[' ', '\u3000', '...', '\u200D'].map((receiverName): [PayoutCountry, Body, string] => [
    'IN',
    { receiverName },
    'receiverName must have a letter or a digit',
  ]),
  ...['Asha\nRao', 'Asha\tRao', 'Asha\u202Eoar', 'Asha\u2067Rao', '\u200FAsha', 'Asha\u2028Rao', 'Asha\u0085'].map(
    (receiverName): [PayoutCountry, Body, string] => [
      'IN',
      { receiverName },
      'receiverName must not hold line breaks, control characters or marks of direction',
    ],
  ),
  [
    'PK',
    { payee_realname: 'Ali\r\nKhan' },
    'payee_realname must not hold line breaks, control characters or marks of direction',
  ],
  ...['आशा राव', "O'Neil-Łukasz Jr.", 'محمد علی', 'क्‍ष', 'A'].map((receiverName): [PayoutCountry, Body, string] => [
    'IN',
    { receiverName },
    'taken',
  ]),
  ['IN', { countryCode: 'PK' }, 'countryCode must be IN'],
  ...['hdfc0ab1234', 'HDFC1AB1234', 'HDF0AB1234', 'XHDFC0AB1234', 'HDFC0AB12345', 'HDFC0AB123a'].map(
    (ifsc): [PayoutCountry, Body, string] => ['IN', { metadata: { ifsc } }, ifscSchema],
  ),
  ['IN', { metadata: { ifsc: 'HDFC0AB1234', recipientEmail: 5 } }, 'metadata.recipientEmail must be a string'],
  ['PK', { bankCode: 'hbl' }, 'bankCode must be 2 to 32 upper-case letters, digits or underscores'],
  ['PK', { payee_account: '12345' }, 'payee_account must be 6 to 34 letters or digits'],
  ['PK', { payee_account: 'PK 123456' }, 'payee_account must be 6 to 34 letters or digits'],
  ['PK', { bankCode: 'JAZZCASH', payee_mobile: mobile, payee_account: 'anything 1' }, 'taken'],
  ['PK', { bankCode: 'EASYPAISA', payee_account: mobile }, 'taken'],
  ['PK', { bankCode: 'JAZZCASH', payee_account: '123456' }, 'payee_account must be 11 digits starting with 03'],
  [
    'PK',
    { bankCode: 'JAZZCASH', payee_account: mobile, payee_mobile: '12' },
    'payee_mobile must be 11 digits starting with 03',
  ],
  ['PK', { bankCode: 'HBL', payee_mobile: 'any' }, 'taken'],
  ['PK', { payee_email: 'x' }, 'payee_email must be an e-mail address'],
  ...[
    'countryCode',
    'currency',
    'receiverName',
    'receiverAccount',
    'receiverBankCode',
    'receiverBankName',
    'receiverPhone',
  ].map((field): [PayoutCountry, Body, string] => ['PK', { [field]: 'x' }, `${field} must not be sent`]),
  ['PK', { metadata: { a: 'b' } }, 'metadata must not be sent'],
  ['PK', { bankName: 'Habib' }, 'taken'],
  ['PK', { notifyUrl: 'http://10.0.0.1/' }, 'notifyUrl must not point to a private or reserved address'],
])('a payout request of %s with %j is checked: %s', (country, changes, expected) => {
  expect(problems(country, changes)).toBe(expected);
});

test('for a PK merchant with permission the deprecated fields are ignored', () => {
  expect(problems('PK', { receiverName: 'x', metadata: { a: 'b' }, currency: 'X' }, true)).toBe('taken');
});

test('a payout to a wallet uses the mobile number, and a payout to a bank the account', () => {
  const account = (changes: Body): unknown => {
    const parsed = parse('PK', { ...least.PK, ...changes });
    return parsed.ok && parsed.request.details.party?.account;
  };
  expect(account({ bankCode: 'JAZZCASH', payee_mobile: mobile })).toBe(mobile);
  expect(account({ bankCode: 'EASYPAISA', payee_account: mobile })).toBe(mobile);
  expect(account({ payee_mobile: mobile })).toBe('PK36SCBL0000001123456702');
});

test('all invalid fields are named, those of the payee too', () => {
  const paths = (country: PayoutCountry, body: Body): string => {
    const parsed = parse(country, body);
    return parsed.ok
      ? 'taken'
      : parsed.problems
          .map((p) => p.path)
          .sort()
          .join(' ');
  };
  expect(paths('IN', { receiverAccount: '1' })).toBe(
    'amount countryCode currency merchantOrderNo metadata.ifsc receiverAccount receiverName',
  );
  expect(paths('PK', { ...least.PK, amount: '0', payee_account: '1' })).toBe('amount payee_account');
  expect(paths('PK', { ...least.PK, amount: '0', bankCode: 'JAZZCASH', payee_mobile: '1' })).toBe(
    'amount payee_mobile',
  );
});

test.each<[Body, string]>([
  [{ payee_account: '12345', payee_mobile: 'x'.repeat(33) }, 'payee_mobile payee_account'],
  [{ payee_account: '12345', payee_mobile: 5 }, 'payee_mobile payee_account'],
  [{ bankCode: 'JAZZCASH', payee_account: 5, payee_mobile: '12' }, 'payee_account payee_mobile'],
  [{ bankCode: 'JAZZCASH', payee_account: null, payee_mobile: '12' }, 'payee_account payee_mobile'],
  [{ bankCode: 'JAZZCASH', payee_mobile: [mobile] }, 'payee_mobile'],
  [{ bankCode: 'JAZZCASH', payee_account: 'x'.repeat(40), payee_mobile: mobile }, 'payee_account'],
  [{ bankCode: 'jazzcash', payee_account: '12345' }, 'bankCode'],
])('PK with %j reports %s', (changes, paths) => {
  const named = problems('PK', changes)
    .split('; ')
    .map((problem) => problem.split(' ')[0]);
  expect(named.join(' ')).toBe(paths);
});

test('if payee and extJson have the wrong type, the error names both', () => {
  const named = problems('PK', { payee_account: { a: 'b' }, extJson: 'x' });
  expect(named).toContain('payee_account must be a string');
  expect(named).toContain('extJson must be an object');
  expect(problems('PK', { payee_account: '12345', extJson: 'x' })).toContain('payee_account must be 6 to 34');
});
