import { expect, test } from 'vitest';
import { endOfPeriod, nextPeriod, periodOf, readSealText } from './period-seal.ts';

test.each([
  ['2026-01', '2026-02-01T00:00:00.000Z', '2026-02'],
  ['2026-12', '2027-01-01T00:00:00.000Z', '2027-01'],
  ['2028-02', '2028-03-01T00:00:00.000Z', '2028-03'],
])('the month %s ends at %s, where %s begins', (period, end, next) => {
  expect(new Date(endOfPeriod(period)).toISOString()).toBe(end);
  expect(nextPeriod(period)).toBe(next);
  expect(periodOf(endOfPeriod(period) - 1)).toBe(period);
  expect(periodOf(endOfPeriod(period))).toBe(next);
});

test.each(['', 'nonsense', '{}', '{"version":2}'])('the text %j is no seal', (text) => {
  expect(readSealText(text)).toBeNull();
});
