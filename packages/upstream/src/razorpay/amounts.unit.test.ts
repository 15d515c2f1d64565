import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromPaise, toPaise } from './amounts.ts';

test.each([
  ['0.01', 1],
  ['1.00', 100],
  ['1999.50', 199_950],
  ['99999999999.99', 9_999_999_999_999],
])('%s is %i paise', (text, paise) => {
  expect(toPaise(text)).toBe(paise);
  expect(fromPaise(paise)).toBe(text);
});

test.each(['0.00', '1', '1.0', '1.005', '-1.00', '01.00', '1e3', '1,000.00', '100000000000.00', ''])(
  '%s is no amount',
  (text) => {
    expect(toPaise(text)).toBeNull();
  },
);

test('there and back is the same', () => {
  const property = fc.property(fc.integer({ min: 1, max: 9_999_999_999_999 }), (paise) => {
    expect(toPaise(fromPaise(paise))).toBe(paise);
  });
  fc.assert(property, { numRuns: 200 });
});
