import { mapBank } from '@tidegate/domain/admin';
import { aFundedMerchant, rowCounts } from '@tidegate/domain/testing';
import { MalformedRequest } from '@tidegate/signature';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { leastPayout, type Merchant, type PayoutFixture, startPayoutFixture } from '../../test/payout-fixture.ts';
import { failures } from '../request/errors.ts';

// Invalid input gets its code, and changes neither wallets nor orders.

let fixture: PayoutFixture;
let merchants: Record<'IN' | 'PK', Merchant>;
beforeAll(async () => {
  fixture = await startPayoutFixture();
  const { domain } = fixture.real;
  for (const bankCode of ['HBL', 'JAZZCASH'])
    await mapBank(domain, { channelId: 'fake', kind: 'payout', bankCode, channelBankCode: bankCode });
  merchants = {
    IN: await aFundedMerchant(domain, 'IN', '1000000.00'),
    PK: await aFundedMerchant(domain, 'PK', '1000000.00'),
  };
});
afterAll(() => fixture.close());

/** JSON text: `{ "field": <text of the value> }`, with the values unchanged. */
const bodyOf = (fields: Record<string, string>): string =>
  `{${Object.entries(fields)
    .map(([name, text]) => `${JSON.stringify(name)}:${text}`)
    .join(',')}}`;
const texts = (object: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, JSON.stringify(value)]));

const digits = (zero: number) =>
  fc
    .array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 6 })
    .map((ds) => String.fromCodePoint(...ds.map((d) => zero + d)));
const quoted = (one: fc.Arbitrary<string>) => one.map((text) => JSON.stringify(text));
const notText = fc.oneof(
  fc.constantFrom('true', 'false', '0', '-1', '1e5', '{"a":"b"}', '["x"]', '[[]  ,1]', '{"a":{"b":["c"]}}'),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => JSON.stringify(number)),
);
const huge = fc.integer({ min: 600, max: 20_000 }).map((length) => JSON.stringify('A'.repeat(length)));
const absent = fc.constantFrom('null', '""', '{}', '[]');

/** JSON values that are no valid amount. */
const noAmount = fc.oneof(
  quoted(fc.oneof(digits(0x660), digits(0x966), digits(0xff10), digits(0x1d7ce))),
  fc
    .tuple(fc.integer({ min: 1, max: 999 }), fc.constantFrom('e', 'E', 'e+', 'E-'), fc.integer({ min: 0, max: 5 }))
    .chain(([a, e, b]) => fc.constantFrom(`${a}${e}${b}`, `"${a}${e}${b}"`)),
  fc.constantFrom(
    '0',
    '0.0',
    '0.00',
    '"0"',
    '-1',
    '"-1"',
    '-0',
    '"+1"',
    '"01"',
    '"1."',
    '".5"',
    '"1,000"',
    '" 1"',
    '"1 "',
    '"1_000"',
    '"0x10"',
    '"NaN"',
    '"Infinity"',
    '"1\\u0000"',
    '"1\\n"',
    '"१"',
  ),
  fc.integer({ min: 3, max: 20 }).map((n) => `1.${'1'.repeat(n)}`),
  fc.integer({ min: 13, max: 400 }).map((n) => '9'.repeat(n)),
  fc.constantFrom('true', '[]', '{}', 'null', '["1"]', '{"amount":"1"}'),
);

// Invalid values of each field. Each of them makes the whole request invalid.
const ownText = fc.oneof(notText, huge);
const neededText = fc.oneof(ownText, absent);
const notOrderNo = fc.oneof(neededText, quoted(fc.constantFrom('a b', 'é', 'x'.repeat(65), '\u0000', 'a\nb', '　')));
const notUrl = fc.oneof(
  ownText,
  quoted(
    fc.constantFrom(
      'x',
      'ftp://a.b/',
      'http://10.0.0.1/',
      'http://[::ffff:10.0.0.1]/',
      'https://u:p@shop.test/',
      'http://0x7f.1:22/',
      'javascript:alert(1)',
    ),
  ),
);
const neverSent = fc.oneof(
  notText.filter((text) => text !== '[[]  ,1]'),
  quoted(fc.string({ minLength: 1, unit: fc.constantFrom('a', 'Z', '9', ' ') })),
);

const bad: Record<'IN' | 'PK', Record<string, fc.Arbitrary<string>>> = {
  IN: {
    merchantOrderNo: notOrderNo,
    amount: noAmount,
    notifyUrl: notUrl,
    remark: ownText,
    countryCode: fc.oneof(neededText, quoted(fc.constantFrom('PK', 'in', 'IND'))),
    currency: fc.oneof(neededText, quoted(fc.constantFrom('PKR', 'inr', 'IN'))),
    receiverName: neededText,
    receiverPhone: ownText,
    receiverAccount: fc.oneof(
      neededText,
      quoted(fc.oneof(fc.constantFrom('12345', 'abc-def', '1'.repeat(35)), digits(0x660))),
    ),
    metadata: fc.oneof(
      absent,
      fc.constantFrom('"x"', '1', 'true', '[1]', '{"a":"b"}', '{"ifsc":"hdfc0001234"}', '{"ifsc":["HDFC0001234"]}'),
      fc.constant('{"ifsc":"HDFC0001234","a":{"b":{"c":{"d":{"e":"f"}}}}}'),
      fc.constant(`{"ifsc":"HDFC0001234","a":"${'x'.repeat(5000)}"}`),
    ),
  },
  PK: {
    merchantOrderNo: notOrderNo,
    amount: noAmount,
    notifyUrl: notUrl,
    remark: ownText,
    bankCode: fc.oneof(neededText, quoted(fc.constantFrom('hbl', 'H', 'HB L', 'ＨＢＬ', 'H'.repeat(33)))),
    payee_realname: neededText,
    payee_email: fc.oneof(ownText, quoted(fc.constantFrom('x', 'a@b', 'a b@c.d'))),
    payee_account: fc.oneof(neededText, quoted(fc.oneof(fc.constantFrom('12345', 'PK 123456'), digits(0x660)))),
    payee_mobile: ownText,
    payee_id_no: ownText,
    extJson: fc.constantFrom('"x"', '1', '[1]', '{"a":{"b":{"c":{"d":{"e":"f"}}}}}', `{"a":"${'x'.repeat(5000)}"}`),
    ...Object.fromEntries(
      [
        'countryCode',
        'currency',
        'metadata',
        'receiverName',
        'receiverAccount',
        'receiverBankCode',
        'receiverBankName',
        'receiverPhone',
      ].map((field) => [field, neverSent]),
    ),
  },
};

const known = new Set<number>(Object.values(failures).map(({ code }) => code));

async function expectUntouched(run: () => Promise<void>): Promise<void> {
  const { domain } = fixture.real;
  const readFacts = async (): Promise<unknown> => [
    await rowCounts(domain),
    (await domain.database.pool.query('select * from wallet order by 1')).rows,
  ];
  const before = await readFacts();
  await run();
  expect(await readFacts()).toEqual(before);
}

test.each(['IN', 'PK'] as const)(
  '%s: all invalid fields are reported, and no order is created',
  { timeout: 60_000 },
  async (country) => {
    const fields = fc
      .subarray(Object.keys(bad[country]), { minLength: 1, maxLength: 3 })
      .chain((names) =>
        fc.record(Object.fromEntries(names.map((name) => [name, bad[country][name] as fc.Arbitrary<string>]))),
      );
    const good = texts(leastPayout(country, 'GOOD'));
    await expectUntouched(async () => {
      await fc.assert(
        fc.asyncProperty(fields, async (wrong) => {
          const { response, code, msg, data } = await fixture.post(
            merchants[country],
            '/payout/create',
            bodyOf({ ...good, ...wrong }),
          );
          expect([response.status, code, data], msg).toEqual([400, 40001, null]);
          const named = Object.keys(wrong).filter((name) => name !== 'payee_account' || !('bankCode' in wrong));
          // Only the bank code decides which kind of account is valid.
          for (const name of named) expect(msg).toMatch(new RegExp(`(: |; )${name}[ .]`));
        }),
        { numRuns: 200 },
      );
    });
    // The request without the invalid fields is valid.
    expect(await fixture.post(merchants[country], '/payout/create', bodyOf(good))).toMatchObject({ code: 0 });
  },
);

test.each(['IN', 'PK'] as const)(
  '%s: random JSON is answered with a documented code, and creates no order',
  { timeout: 60_000 },
  async (country) => {
    const anything = fc.oneof(
      fc.json({ maxDepth: 6, stringUnit: 'binary' }),
      fc
        .object({
          maxDepth: 4,
          key: fc.oneof(fc.constantFrom(...Object.keys(bad[country])), fc.stringMatching(/^[a-z_]{1,8}$/)),
        })
        .map((object) => JSON.stringify(object)),
    );
    let answered = 0;
    await expectUntouched(() =>
      fc.assert(
        fc.asyncProperty(anything, async (text) => {
          try {
            const { response, code } = await fixture.post(merchants[country], '/payout/create', text);
            expect([known.has(code), response.status >= 400 && response.status < 500], `${code}`).toEqual([true, true]);
            answered += 1;
          } catch (error) {
            // Values that cannot be signed are sent by the tests of broken requests.
            if (!(error instanceof MalformedRequest)) throw error;
          }
        }),
        { numRuns: 200 },
      ),
    );
    expect(answered).toBeGreaterThan(50);
  },
);

test('unusual but valid amounts are accepted unchanged', async () => {
  const good = texts(leastPayout('IN', 'x'));
  for (const [i, [amount, shown]] of [
    ['1', '1.00'],
    ['1.5', '1.50'],
    ['"0.01"', '0.01'],
    ['100.50', '100.50'],
    ['"999.9"', '999.90'],
  ].entries()) {
    const body = bodyOf({ ...good, merchantOrderNo: `"ODD-${i}"`, amount: amount ?? '' });
    expect(await fixture.post(merchants.IN, '/payout/create', body)).toMatchObject({
      code: 0,
      data: { amount: shown },
    });
  }
});
