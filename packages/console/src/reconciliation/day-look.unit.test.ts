import { expect, test } from 'vitest';
import { dayStateOf, describeDay } from './day-look.ts';

const day = { state: 'OPEN', isCovered: true, isMatching: false, openBreaks: 0 } as const;

test.each([
  [{}, 'ready', 'warn'],
  [{ isCovered: false }, 'missing', 'warn'],
  [{ isMatching: true }, 'matching', 'warn'],
  [{ state: 'CLOSED' }, 'closed', 'good'],
  [{ openBreaks: 2 }, 'breaks', 'bad'],
  // A file came late.
  [{ state: 'CLOSED', openBreaks: 2 }, 'breaks', 'bad'],
] as const)('a day with %o looks %s', (change, look, tone) => {
  expect(dayStateOf({ ...day, ...change })).toBe(look);
  expect(describeDay({ ...day, ...change }).tone).toBe(tone);
});

test('a day says how many breaks it has', () => {
  expect([1, 2].map((openBreaks) => describeDay({ ...day, openBreaks }).label)).toEqual(['1 break', '2 breaks']);
});
