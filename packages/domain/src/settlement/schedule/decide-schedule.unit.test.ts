import { expect, test } from 'vitest';
import { holidayYears } from '../calendar/index.ts';
import { isDue, isMissing, lastRunDay, waitAfter } from './decide-schedule.ts';

const workdays = ['mon', 'tue', 'wed', 'thu', 'fri'];

// 2026-11-21 is a Saturday, 2026-12-07 a substitute for the holiday of 2026-12-05 in Thailand.
test.each<[string, string[], string, string | null]>([
  ['the day itself, if the cycle runs on it', workdays, '2026-11-23', '2026-11-23'],
  ['the Friday before a weekend', workdays, '2026-11-22', '2026-11-20'],
  ['a week ago, if the cycle runs on Mondays', ['mon'], '2026-11-22', '2026-11-16'],
  ['the day after a holiday, if the cycle runs on the weekday of the holiday', ['mon'], '2026-12-08', '2026-12-08'],
  ['no day in a year without a file of holidays', workdays, '2028-01-04', null],
  ['no day if the cycle runs on no weekday', [], '2026-11-23', null],
])('the last run is %s', (_, weekdays, until, day) => {
  expect(lastRunDay({ country: 'TH', years: holidayYears }, weekdays, until)).toBe(day);
});

const last = { day: '2026-11-20', state: 'done', isFree: true, settledDay: null } as const;
test('a run is due once, and again if it failed and no process has claimed it', () => {
  expect(isDue('2026-11-23', last)).toBe(true);
  expect(isDue('2026-11-20', last)).toBe(false);
  expect(isDue('2026-11-19', last)).toBe(false);
  expect(isDue('2026-11-20', { ...last, state: 'failed' })).toBe(true);
  expect(isDue('2026-11-20', { ...last, state: 'running', isFree: false })).toBe(false);
});

test('a run counts as missing if it was not done, if no worker has seen it, or if holidays are unknown', () => {
  expect(isMissing('2026-11-20', last)).toBe(false);
  expect(isMissing('2026-11-23', last)).toBe(true);
  expect(isMissing('2026-11-20', { ...last, state: 'failed' })).toBe(true);
  expect(isMissing('2026-11-20', null)).toBe(true);
  expect(isMissing(null, last)).toBe(true);
});

test('a failed run counts as missing until a draft exists', () => {
  const failing = { ...last, day: '2026-11-23', state: 'failed' } as const;
  expect(isMissing('2026-11-20', failing)).toBe(true);
  expect(isMissing('2026-11-20', { ...failing, settledDay: '2026-11-19' })).toBe(true);
  // The one before was drafted, and this one may still succeed.
  expect(isMissing('2026-11-20', { ...failing, settledDay: '2026-11-20' })).toBe(false);
  expect(isMissing('2026-11-20', { ...failing, state: 'done' })).toBe(false);
});

test('a failed attempt is repeated after a minute, and later after longer waits of at most an hour', () => {
  expect([1, 2, 3, 7, 99].map(waitAfter)).toEqual([60_000, 120_000, 240_000, 3_600_000, 3_600_000]);
});
