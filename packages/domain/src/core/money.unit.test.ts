import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exceeds, isInputAmount, Money, withTwoDecimals } from './money.ts';

const thb = (text: string): Money => Money.of(text, 'THB');
const text = (hundredths: bigint): string => {
  const digits = (hundredths < 0n ? -hundredths : hundredths).toString().padStart(3, '0');
  return `${hundredths < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
};
const amounts = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n });

test.each(['1', '0.1', '0.01', '100.50', '999999999999.99', '999999999999', '10', '0.10', '5.5'])(
  '%s is an amount',
  (amount) => {
    expect(isInputAmount(amount)).toBe(true);
  },
);

test.each([
  '0',
  '0.0',
  '0.00',
  '',
  ' ',
  ' 1',
  '1 ',
  '1\n',
  '\n1',
  '\u00a01',
  '1 000',
  '+1',
  '-1',
  '-0.01',
  '01',
  '00.01',
  '.5',
  '5.',
  '1.234',
  '0.001',
  '1e2',
  '1E2',
  '1e-1',
  '0x10',
  '0b1',
  '1,000',
  '1,5',
  '1_000',
  'NaN',
  'Infinity',
  '1000000000000',
  '1234567890123.00',
  '12345678901234567890.12',
  '1.2.3',
  '１',
  '１２.３４',
  '٣',
  '५',
  '1\u0660',
  '1.0\u0966',
  '1\u200b',
  '\ufeff1',
  'null',
  'one',
  '1.00THB',
  '฿1',
])('%j is not an amount', (amount) => {
  expect(isInputAmount(amount)).toBe(false);
});

test.each([
  ['5', '5.00'],
  ['5.1', '5.10'],
  ['5.15', '5.15'],
  ['0.1', '0.10'],
  ['900719925474.99', '900719925474.99'],
])('%s is shown as %s', (amount, shown) => {
  expect(withTwoDecimals(amount)).toBe(shown);
  expect(thb(amount).toString()).toBe(shown);
});

test('sums and differences are exact, however large', () => {
  fc.assert(
    fc.property(amounts, amounts, (a, b) => {
      expect(
        thb(text(a))
          .plus(thb(text(b)))
          .toString(),
      ).toBe(text(a + b));
      expect(
        thb(text(a))
          .minus(thb(text(b)))
          .toString(),
      ).toBe(text(a - b));
      expect(thb(text(a)).compare(thb(text(b)))).toBe(a < b ? -1 : a > b ? 1 : 0);
      expect(thb(text(a)).negated().toString()).toBe(text(-a));
    }),
  );
});

test('the sum of very many amounts loses nothing', () => {
  let sum = Money.zero('THB');
  for (let i = 0; i < 10_000; i++) sum = sum.plus(thb('999999999999.99'));
  expect(sum.toString()).toBe('9999999999999900.00');
});

test('zero is not negative, and never shown as -0.00', () => {
  const zero = thb('1.00').minus(thb('1.00')).negated();
  expect([zero.isZero(), zero.isNegative(), zero.toString(), thb('-0.00').toString()]).toEqual([
    true,
    false,
    '0.00',
    '0.00',
  ]);
});

test('currencies never mix', () => {
  const inr = Money.of('1.00', 'INR');
  expect(() => thb('1.00').plus(inr)).toThrow(/THB does not mix with INR/);
  expect(() => thb('1.00').isLessThan(inr)).toThrow(/does not mix/);
  expect(() => thb('1.00').percentRoundedHalfUp('1', inr)).toThrow(/does not mix/);
});

test.each(['', '1e3', 'NaN', '1.234', '０', '--1', '1,0', 'Infinity'])('%j is refused', (amount) => {
  expect(() => thb(amount)).toThrow(/not an amount/);
});

test('an amount exceeds a limit that is below it, and not one that is the same', () => {
  expect([exceeds('100.01', '100'), exceeds('100.00', '100'), exceeds('9.00', '10.00')]).toEqual([true, false, false]);
});
