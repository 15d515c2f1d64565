import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromSatang, toSatang } from './amounts.ts';

test.each([
  ['0.01', 1],
  ['0.10', 10],
  ['20.00', 2_000],
  ['150000.00', 15_000_000],
  ['9999999999999.99', 999_999_999_999_999],
])('%s is %i satang', (amount, satang) => {
  expect(toSatang(amount)).toBe(satang);
  expect(fromSatang(satang)).toBe(amount);
});

test.each(['', '1', '1.0', '1.000', '-1.00', '01.00', '1,00', '1e2.00', ' 1.00', '10000000000000.00'])(
  '“%s” is no amount',
  (text) => expect(toSatang(text)).toBeNull(),
);

test('satang become baht and satang again, unchanged', () => {
  fc.assert(
    fc.property(fc.nat({ max: 999_999_999_999_999 }), (satang) => {
      expect(toSatang(fromSatang(satang))).toBe(satang);
    }),
    { numRuns: 200 },
  );
});
