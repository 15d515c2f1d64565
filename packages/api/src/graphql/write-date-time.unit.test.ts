import { expect, test } from 'vitest';
import { writeDateTime } from './write-date-time.ts';

const year9999 = 253_402_300_799_999;
const day = 86_400_000;

test('every time is written as toISOString of Date writes it, whatever was written before', () => {
  // Steps that hit every hour, minute, second and number of digits.
  for (let ms = -year9999; ms <= 2 * year9999; ms += 172_373_912_347)
    for (const one of [ms, ms + 1, ms + 1_009, ms + 3_601_060, ms - day, ms - (ms % day), ms - (ms % day) - 1])
      expect(writeDateTime(one)).toBe(new Date(one).toISOString());
});

test('a number that is no time is refused', () => {
  for (const ms of [Number.NaN, Number.POSITIVE_INFINITY, 9e15]) expect(() => writeDateTime(ms)).toThrow(RangeError);
});
