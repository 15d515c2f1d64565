import { expect, test } from 'vitest';
import { retryAfterOf } from './retry-after.ts';

const now = Date.parse('Sat, 21 Nov 2026 10:00:00 GMT');

test.each([
  ['30', 30_000],
  [' 30 ', 30_000],
  ['0', 0],
  ['99999', 3_600_000],
  ['Sat, 21 Nov 2026 10:02:00 GMT', 120_000],
  ['Sat, 21 Nov 2026 09:00:00 GMT', 0],
  ['Sun, 22 Nov 2026 10:00:00 GMT', 3_600_000],
  ['-5', null],
  ['1.5', null],
  ['soon', null],
  ['', null],
  [undefined, null],
  [['1', '2'], null],
])('the header Retry-After %j is read', (header, expected) => {
  expect(retryAfterOf(header, now)).toBe(expected);
});
