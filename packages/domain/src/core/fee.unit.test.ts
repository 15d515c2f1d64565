import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type FeeRule, type FeeTerms, feeOn, feeSteps, feeTermsFor, stepAt } from './fee.ts';
import { Money } from './money.ts';

const fee = (amount: string, terms: FeeTerms): string => feeOn(Money.of(amount, 'INR'), terms).toString();

// Rate × amount + fixed, clamped, rounded half up to 2 decimals (decisions 3.3).
test.each<
  [amount: string, percent: string, fixed: string, minimum: string | null, maximum: string | null, fee: string]
>([
  ['100.00', '2.5', '0.00', null, null, '2.50'],
  ['100.00', '0', '0.00', null, null, '0.00'],
  ['0.01', '2.5', '0.00', null, null, '0.00'],
  ['0.20', '2.5', '0.00', null, null, '0.01'],
  ['0.19', '2.5', '0.00', null, null, '0.00'],
  // Halves go up, exactly: no binary fraction comes near them.
  ['1.00', '0.5', '0.00', null, null, '0.01'],
  ['3.00', '0.5', '0.00', null, null, '0.02'],
  ['1.00', '0.4999', '0.00', null, null, '0.00'],
  ['1.01', '50', '0.00', null, null, '0.51'],
  ['1.15', '10', '0.00', null, null, '0.12'],
  ['2.675', '100', '0.00', null, null, 'refused'],
  ['26.75', '10', '0.00', null, null, '2.68'],
  ['1.005', '1', '0.00', null, null, 'refused'],
  ['100.50', '1', '0.00', null, null, '1.01'],
  // The fixed part is added before rounding.
  ['0.19', '2.5', '0.01', null, null, '0.01'],
  ['100.00', '1.0', '5.00', null, null, '6.00'],
  ['999999999999.99', '2.5', '0.00', null, null, '25000000000.00'],
  ['900719925474.99', '0.0001', '0.00', null, null, '900719.93'],
  // Clamped.
  ['100.00', '2.5', '0.00', '3.00', null, '3.00'],
  ['120.00', '2.5', '0.00', '3.00', null, '3.00'],
  ['120.20', '2.5', '0.00', '3.00', null, '3.01'],
  ['1000.00', '2.5', '0.00', null, '20.00', '20.00'],
  ['800.00', '2.5', '0.00', null, '20.00', '20.00'],
  ['799.80', '2.5', '0.00', null, '20.00', '20.00'],
  ['799.00', '2.5', '0.00', null, '20.00', '19.98'],
  ['50.00', '2.5', '0.00', '2.00', '2.00', '2.00'],
  ['0.01', '0', '0.00', '0.00', '0.00', '0.00'],
])('on %s: %s %% + %s, within %s and %s, is %s', (amount, percent, fixed, minimum, maximum, expected) => {
  const terms = { percent, fixed, ...(minimum !== null && { minimum }), ...(maximum !== null && { maximum }) };
  if (expected === 'refused') expect(() => fee(amount, terms)).toThrow(/not an amount/);
  else expect(fee(amount, terms)).toBe(expected);
});

const amounts = fc.bigInt({ min: 1n, max: 99_999_999_999_999n }).map((n) => {
  const digits = n.toString().padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
});
const rates = fc
  .integer({ min: 0, max: 1_000_000 })
  .map((n) => `${Math.floor(n / 10_000)}.${String(n % 10_000).padStart(4, '0')}`);

test('a fee is never negative, has two decimals, and equals the result in whole numbers', () => {
  fc.assert(
    fc.property(amounts, rates, (amount, percent) => {
      const hundredths = BigInt(amount.replace('.', ''));
      const rate = BigInt(percent.replace('.', ''));
      const exact = (hundredths * rate * 2n + 1_000_000n) / 2_000_000n;
      const actual = fee(amount, { percent, fixed: '0.00' });
      expect(actual).toMatch(/^[0-9]+\.[0-9]{2}$/);
      expect(BigInt(actual.replace('.', ''))).toBe(exact);
    }),
  );
});

test('a larger amount never costs less', () => {
  fc.assert(
    fc.property(amounts, amounts, rates, (a, b, percent) => {
      const [small, large] = [Money.of(a, 'INR'), Money.of(b, 'INR')].sort((x, y) => x.compare(y)) as [Money, Money];
      const terms = { percent, fixed: '0.00' };
      expect(feeOn(large, terms).isLessThan(feeOn(small, terms))).toBe(false);
    }),
  );
});

const rules: FeeRule[] = [
  { kind: 'payout', percent: '9', fixed: '0.00' },
  { kind: 'payin', percent: '2', fixed: '0.00', minimum: '1.00' },
  { kind: 'payin', bankCode: 'QR', percent: '1', fixed: '0.00', maximum: '5.00' },
];

test('terms of the bank code come before general terms, and a merchant with neither has no terms', () => {
  expect(feeTermsFor(rules, 'payin', 'QR')).toStrictEqual({ percent: '1', fixed: '0.00', maximum: '5.00' });
  expect(feeTermsFor(rules, 'payin', 'OTHER')).toStrictEqual({ percent: '2', fixed: '0.00', minimum: '1.00' });
  expect(feeTermsFor(rules, 'payin', null)).toStrictEqual({ percent: '2', fixed: '0.00', minimum: '1.00' });
  expect(feeTermsFor(rules, 'payout', 'QR')).toStrictEqual({ percent: '9', fixed: '0.00' });
  expect(feeTermsFor([{ ...rules[2], kind: 'payin' } as FeeRule], 'payin', null)).toBeNull();
  expect(feeTermsFor([], 'payin', null)).toBeNull();
});

const begin = Date.UTC(2027, 0, 1);
const dearer: FeeRule = { kind: 'payin', percent: '3', fixed: '0.00', from: begin };

// Orders created at or after the moment pay by the new rule.
test.each([
  ['1 ms before it begins', begin - 1, '2'],
  ['at the moment itself', begin, '3'],
  ['1 ms after', begin + 1, '3'],
])('%s the terms are those of %s', (_, at, percent) => {
  expect(stepAt(feeSteps([...rules, dearer], 'payin', null), at)?.terms.percent).toBe(percent);
  expect(feeTermsFor([...rules, dearer], 'payin', null, at)?.percent).toBe(percent);
});

test('a rule that begins later changes neither other bank codes, other kinds nor earlier rules', () => {
  const all = [...rules, dearer];
  expect(feeSteps(all, 'payout', null)).toEqual([
    { from: Number.NEGATIVE_INFINITY, terms: { percent: '9', fixed: '0.00' } },
  ]);
  expect(feeTermsFor(all, 'payin', 'QR', begin)?.percent).toBe('1');
  expect(feeSteps([dearer], 'payin', 'QR')).toEqual([{ from: begin, terms: { percent: '3', fixed: '0.00' } }]);
  expect(stepAt(feeSteps([dearer], 'payin', 'QR'), begin - 1)).toBeUndefined();
  expect(feeSteps([], 'payin', null)).toEqual([]);
});

const codes = fc.constantFrom(undefined, 'QR', 'HBL');
const manyRules = fc.uniqueArray(
  fc.record({
    kind: fc.constantFrom('payin', 'payout'),
    code: codes,
    from: fc.option(fc.integer({ min: 0, max: 20 }), { nil: undefined }),
  }),
  { selector: ({ kind, code, from }) => `${kind} ${code} ${from}`, maxLength: 15 },
);

test('the newest rule that has begun applies, and a rule of the bank code comes before a general rule', () => {
  fc.assert(
    fc.property(manyRules, codes, fc.integer({ min: -1, max: 21 }), (drawn, code, at) => {
      const all = drawn.map(
        ({ kind, code: bankCode, from }, i): FeeRule => ({
          kind,
          percent: String(i),
          fixed: '0.00',
          ...(bankCode !== undefined && { bankCode }),
          ...(from !== undefined && { from }),
        }),
      );
      const started = all.filter(({ kind, from }) => kind === 'payin' && (from ?? -1) <= at);
      const newest = (of: string | undefined) =>
        started.filter(({ bankCode }) => bankCode === of).sort((a, b) => (b.from ?? -1) - (a.from ?? -1))[0];
      const expected = (code && newest(code)) || newest(undefined);
      const chosen = stepAt(feeSteps(all, 'payin', code ?? null), at);
      expect(chosen?.terms.percent).toBe(expected?.percent);
    }),
  );
});
