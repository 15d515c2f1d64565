import { readBody } from '@tidegate/signature';
import { expect, test } from 'vitest';
import { networks } from '../core/address.ts';
import type { Country } from '../core/country.ts';
import type { Parsed, PayinRequest } from './definition.ts';
import { countries, countryRules } from './index.ts';

type Body = { [field: string]: unknown };

/** The smallest valid request of each country. */
const least: Record<Country, Body> = {
  CN: { merchantOrderNo: 'M-1', countryCode: 'CN', currency: 'CNY', amount: '10' },
  TH: { merchantOrderNo: 'M-1', amount: '10', bankCode: 'QR', extJson: { accountNo: '001234' } },
  IN: { merchantOrderNo: 'M-1', countryCode: 'IN', currency: 'INR', amount: '10', notifyUrl: 'https://shop.test/n' },
  PK: { merchantOrderNo: 'M-1', amount: '10', payer_mobile: '03001234567' },
};

/** The request on the wire. `text` is the JSON of a body, parsed by the signature package. */
function parseText(country: Country, text: string, acceptDeprecatedFields = false): Parsed<PayinRequest> {
  const { value } = readBody(Buffer.from(text));
  return countryRules[country].payin.parse(value, { acceptDeprecatedFields, notifyNetworks: networks([]) });
}
const parse = (country: Country, changes: Body = {}, accept = false): Parsed<PayinRequest> =>
  parseText(country, JSON.stringify({ ...least[country], ...changes }), accept);
function problems(country: Country, changes: Body, accept = false): string {
  const parsed = parse(country, changes, accept);
  return parsed.ok ? 'taken' : parsed.problems.map(({ path, reason }) => `${path} ${reason}`).join('; ');
}

const amountSchema =
  'amount must be greater than 0, with at most 12 digits before and 2 after the point, and nothing else';
const orderNoSchema = 'merchantOrderNo must be 1 to 64 visible ASCII characters';
const mobileSchema = 'payer_mobile must be 11 digits starting with 03';
const codeSchema = 'bankCode must be 2 to 32 upper-case letters, digits or underscores';

test.each(countries)('%s accepts the smallest request, with two decimals', (country) => {
  expect(parse(country)).toMatchObject({ ok: true, request: { merchantOrderNo: 'M-1', amount: '10.00' } });
});

test.each(countries.flatMap((country) => Object.keys(least[country]).map((field) => [country, field] as const)))(
  '%s requires %s, and null and an empty text count as absent',
  (country, field) => {
    const path = field === 'extJson' ? 'extJson.accountNo' : field;
    for (const absent of [undefined, null, '', {}, []])
      expect(problems(country, { [field]: absent })).toBe(`${path} is required`);
  },
);

test.each(countries)('%s checks an amount by its text, whether it is a string or a number', (country) => {
  const amountOf = (text: string): string => {
    const parsed = parseText(country, JSON.stringify({ ...least[country], amount: '@' }).replace('"@"', text));
    return parsed.ok ? parsed.request.amount : parsed.problems.map((p) => p.path).join();
  };
  expect(['100.50', '"100.50"', '0.1', '900719925474.99', '999999999999.99'].map(amountOf)).toEqual([
    '100.50',
    '100.50',
    '0.10',
    '900719925474.99',
    '999999999999.99',
  ]);
  for (const bad of [
    '1e2',
    '1E2',
    '0',
    '0.00',
    '-1',
    '1.001',
    '12345678901234567890.12',
    '1000000000000',
    '"1e2"',
    '" 1"',
    '"１"',
    'true',
  ])
    expect(amountOf(bad)).toBe('amount');
});

test.each<[Country, Body, string]>([
  ...countries.flatMap((country): [Country, Body, string][] => [
    [country, { merchantOrderNo: 'x'.repeat(64) }, 'taken'],
    [country, { merchantOrderNo: 'x'.repeat(65) }, orderNoSchema],
    [country, { merchantOrderNo: 'a b' }, orderNoSchema],
    [country, { merchantOrderNo: 'é' }, orderNoSchema],
    [country, { merchantOrderNo: 'a\u0000' }, orderNoSchema],
    [country, { merchantOrderNo: 'a\n' }, orderNoSchema],
    [country, { merchantOrderNo: 12 }, 'merchantOrderNo must be a string'],
    [country, { merchantOrderNo: ['a'] }, 'merchantOrderNo must be a string'],
    [country, { amount: ['1'] }, 'amount must be a string or a number'],
    [country, { amount: { a: 1 } }, 'amount must be a string or a number'],
    [country, { amount: '1,00' }, amountSchema],
    [country, { notifyUrl: 'https://shop.test:8443/n' }, 'taken'],
    [country, { notifyUrl: 'http://127.0.0.1/n' }, 'notifyUrl must not point to a private or reserved address'],
    [country, { notifyUrl: 'http://shop.test/\u0000' }, 'notifyUrl must be an absolute http or https URL'],
    [country, { notifyUrl: 'ftp://shop.test/' }, 'notifyUrl must be an absolute http or https URL'],
    [country, { notifyUrl: 7 }, 'notifyUrl must be a string'],
    [country, { whatever: { deep: { er: 1 } }, bankName: 'Old Bank' }, 'taken'],
  ]),
  ...(['CN', 'IN'] as const).flatMap((country): [Country, Body, string][] => [
    [country, { countryCode: 'TH' }, `countryCode must be ${country}`],
    [country, { countryCode: country.toLowerCase() }, `countryCode must be ${country}`],
    [country, { currency: 'THB' }, `currency must be ${country === 'CN' ? 'CNY' : 'INR'}`],
    [
      country,
      { metadata: { returnUrl: 'https://shop.test/back', payerName: 'A', extra: { n: 1 }, own: [1] } },
      'taken',
    ],
    [country, { metadata: { payerName: 'x'.repeat(512) } }, 'taken'],
    [country, { metadata: { payerName: 'x'.repeat(513) } }, 'metadata.payerName must have at most 512 characters'],
    [country, { metadata: { payerMobile: 123 } }, 'metadata.payerMobile must be a string'],
    [
      country,
      { metadata: { returnUrl: ['x'], payerName: true } },
      'metadata.returnUrl must be a string; metadata.payerName must be a string',
    ],
    [country, { metadata: 'text' }, 'metadata must be an object'],
    [country, { metadata: ['a'] }, 'metadata must be an object'],
    [country, { metadata: 5 }, 'metadata must be an object'],
  ]),
  ['TH', { countryCode: 'TH', currency: 'THB' }, 'taken'],
  ['TH', { countryCode: 'CN' }, 'countryCode must be TH'],
  ['TH', { currency: 'USD' }, 'currency must be THB'],
  ['TH', { bankCode: 'qr' }, 'bankCode must be QR'],
  ['TH', { bankCode: 'SCB' }, 'bankCode must be QR'],
  ['TH', { extJson: { accountNo: 1234 } }, 'extJson.accountNo must be a string'],
  ['TH', { extJson: { other: 'x' } }, 'extJson.accountNo is required'],
  ['TH', { extJson: 'x' }, 'extJson must be an object'],
  [
    'TH',
    {
      payer_mobile: '+66 81 234 5678',
      payer_realname: 'ชื่อ',
      payer_email: 'a@b.co',
      payer_id_no: '1'.repeat(64),
      remark: 'r',
    },
    'taken',
  ],
  ['PK', { bankCode: 'QRANDLAUNCH' }, 'taken'],
  ['PK', { bankCode: 'NOBODY_KNOWS_1' }, 'taken'],
  ['PK', { bankCode: 'hbl' }, codeSchema],
  ['PK', { bankCode: ' HBL' }, codeSchema],
  ['PK', { bankCode: 'HBL-1' }, codeSchema],
  ['PK', { bankCode: 'X' }, codeSchema],
  ...[
    '3001234567',
    '0300123456',
    '030012345678',
    '903001234567',
    '04001234567',
    '0300123456a',
    '+923001234567',
    '０３００１２３４５６７',
    '03001234567\n',
  ].map((mobile): [Country, Body, string] => ['PK', { payer_mobile: mobile }, mobileSchema]),
  ['PK', { payer_mobile: 3001234567 }, 'payer_mobile must be a string'],
  ['PK', { countryCode: 'PK' }, 'countryCode must not be sent'],
  [
    'PK',
    { countryCode: 'PK', currency: 'PKR', metadata: { a: 'b' } },
    'countryCode must not be sent; currency must not be sent; metadata must not be sent',
  ],
  ['PK', { countryCode: null, currency: '', metadata: {} }, 'taken'],
  ['PK', { extJson: { a: [1, { b: 'c' }] } }, 'taken'],
  ...(['TH', 'PK'] as const).flatMap((country): [Country, Body, string][] => [
    [country, { remark: 'é'.repeat(255) }, 'taken'],
    [country, { remark: '😀'.repeat(255) }, 'taken'],
    [country, { remark: 'x'.repeat(256) }, 'remark must have at most 255 characters'],
    [country, { remark: 'a\u0000b' }, 'remark must not hold the character U+0000'],
    [country, { payer_realname: 'x'.repeat(129) }, 'payer_realname must have at most 128 characters'],
    [country, { payer_email: 'nobody' }, 'payer_email must be an e-mail address'],
    [country, { payer_email: 'a b@c.d' }, 'payer_email must be an e-mail address'],
    [country, { payer_id_no: 'x'.repeat(65) }, 'payer_id_no must have at most 64 characters'],
    [country, { payer_id_no: 42 }, 'payer_id_no must be a string'],
  ]),
])('a payin request of %s with %j is checked: %s', (country, changes, expected) => {
  expect(problems(country, changes)).toBe(expected);
});

test('for a PK merchant with permission the deprecated fields are ignored', () => {
  expect(problems('PK', { countryCode: 'XX', currency: 1, metadata: { a: 'b' } }, true)).toBe('taken');
  expect(parse('PK', { metadata: { a: 'b' } }, true)).toMatchObject({
    ok: true,
    request: { details: { party: { mobile: '03001234567' } } },
  });
});

test('all invalid fields are named', () => {
  const paths = (country: Country, body: Body): string => {
    const parsed = parseText(country, JSON.stringify(body));
    return parsed.ok
      ? 'taken'
      : parsed.problems
          .map((p) => p.path)
          .sort()
          .join(' ');
  };
  expect(paths('CN', { metadata: { payerName: 1 } })).toBe(
    'amount countryCode currency merchantOrderNo metadata.payerName',
  );
  expect(paths('TH', { notifyUrl: 'x', remark: 1 })).toBe(
    'amount bankCode extJson.accountNo merchantOrderNo notifyUrl remark',
  );
  expect(paths('IN', { amount: '0' })).toBe('amount countryCode currency merchantOrderNo notifyUrl');
  expect(paths('PK', { currency: 'PKR', bankCode: 'x' })).toBe('amount bankCode currency merchantOrderNo payer_mobile');
});

test.each<[Country, string]>([
  ['CN', 'metadata'],
  ['IN', 'metadata'],
  ['TH', 'extJson'],
  ['PK', 'extJson'],
])('%s: the object %s has at most 4 levels, 4 KiB and no character U+0000', (country, field) => {
  const own = (content: Body): string => problems(country, { [field]: { accountNo: '1', ...content } });
  expect(own({ a: { b: { c: { d: 'e' } } } })).toBe('taken');
  expect(own({ a: { b: [{ c: 'd' }] } })).toBe('taken');
  expect(own({ a: { b: { c: { d: { e: 'f' } } } } })).toBe(`${field} must have at most 4 levels`);
  expect(own({ a: [[[['e']]]] })).toBe(`${field} must have at most 4 levels`);
  const around = JSON.stringify({ accountNo: '1', a: '' }).length;
  expect(own({ a: 'x'.repeat(4096 - around) })).toBe('taken');
  expect(own({ a: 'x'.repeat(4097 - around) })).toBe(`${field} must have at most 4 KiB`);
  expect(own({ a: 'é'.repeat(2048) })).toBe(`${field} must have at most 4 KiB`);
  expect(own({ a: ['b\u0000'] })).toBe(`${field} must not hold the character U+0000`);
  expect(own({ a: 'the text \\u0000 is only text' })).toBe('taken');
});

test('payer, return URL and free objects of a request are stored, with numbers as their text', () => {
  expect(
    parseText(
      'IN',
      `${JSON.stringify(least.IN).slice(0, -1)},"metadata":{"payerName":"A","payerMobile":"9","returnUrl":"https://s.test/","n":1.50}}`,
    ),
  ).toEqual({
    ok: true,
    request: {
      merchantOrderNo: 'M-1',
      amount: '10.00',
      bankCode: null,
      notifyUrl: 'https://shop.test/n',
      details: {
        party: { name: 'A', mobile: '9' },
        returnUrl: 'https://s.test/',
        extra: { payerName: 'A', payerMobile: '9', returnUrl: 'https://s.test/', n: '1.50' },
      },
    },
  });
  expect(parse('TH', { payer_realname: 'B', payer_email: 'b@c.de', payer_id_no: '7', remark: 'r' })).toMatchObject({
    ok: true,
    request: {
      bankCode: 'QR',
      notifyUrl: null,
      details: {
        party: { name: 'B', email: 'b@c.de', idNo: '7', account: '001234' },
        remark: 'r',
        extra: { accountNo: '001234' },
      },
    },
  });
});
