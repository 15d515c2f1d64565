import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromMinorUnits, readMinorUnits, toMinorUnits } from './minor-units.ts';

test.each([
  ['0.01', 1],
  ['0.10', 10],
  ['20.00', 2_000],
  ['1999.50', 199_950],
  ['999999999999.99', 99_999_999_999_999],
])('the amount %s is %i hundredths', (amount, units) => {
  expect(toMinorUnits(amount)).toBe(units);
  expect(fromMinorUnits(units)).toBe(amount);
});

test.each([
  '',
  '1',
  '1.0',
  '1.000',
  '1.005',
  '0.00',
  '-1.00',
  '01.00',
  '1,00',
  '1,000.00',
  '1e3',
  '1e2.00',
  ' 1.00',
  '1.00.00',
  '1000000000000.00',
])('“%s” is not an amount', (text) => expect(toMinorUnits(text)).toBeNull());

test('hundredths are converted to an amount and back without a change', () => {
  const hundredths = fc.integer({ min: 1, max: 99_999_999_999_999 });
  const property = fc.property(hundredths, (units) => {
    expect(toMinorUnits(fromMinorUnits(units))).toBe(units);
  });
  fc.assert(property, { numRuns: 200 });
});

test.each([
  ['5', '0.05'],
  ['50', '0.50'],
  ['150000', '1500.00'],
  ['000000010000', '100.00'],
  ['99999999999999', '999999999999.99'],
])('the digits %s are the amount %s', (digits, amount) => {
  expect(readMinorUnits(digits)).toBe(amount);
});

test.each(['', '0', '000', '-5', '1.50', '1e2', '123456789012345'])('the digits “%s” are not an amount', (text) => {
  expect(readMinorUnits(text)).toBeNull();
});
