import { expect, test } from 'vitest';
import {
  callDeadline,
  createDeadline,
  jittered,
  notificationWaits,
  payinPollWaits,
  payoutPollWaits,
  waitAfterAttempt,
  waitAt,
  workLease,
} from './schedule.ts';

const inWords = (ms: number): string =>
  ms % 3_600_000 === 0 ? `${ms / 3_600_000} h` : ms % 60_000 === 0 ? `${ms / 60_000} min` : `${ms / 1000} s`;

test('payouts are polled as in decisions 5.4, then hourly without end', () => {
  expect(payoutPollWaits.map(inWords).join(', ')).toBe('10 s, 30 s, 1 min, 2 min, 5 min, 10 min, 30 min, 1 h');
  expect(inWords(waitAt(payoutPollWaits, 1_000_000))).toBe('1 h');
});

test('notifications are tried 16 times in about a day, as in decisions 7.5', () => {
  expect(notificationWaits.map(inWords).join(', ')).toBe(
    '15 s, 15 s, 30 s, 3 min, 10 min, 20 min, 30 min, 30 min, 30 min, 1 h, 3 h, 3 h, 3 h, 6 h, 6 h',
  );
  const hours = notificationWaits.reduce((sum, wait) => sum + wait, 0) / 3_600_000;
  expect(hours).toBeGreaterThan(23);
  expect(hours).toBeLessThan(28);
});

test.each([
  ['the first failure', 1, 0, 0.5, 1, 15_000],
  ['a wait that is a tenth shorter', 4, 0, 0, 1, 162_000],
  ['a wait that is a tenth longer', 4, 0, 1 - 2 ** -53, 1, 198_000],
  ['the last wait', 15, 0, 0.5, 1, 21_600_000],
  ['no attempt after the 16th', 16, 0, 0.5, 1, null],
  ['no attempt after the 16th, whatever Retry-After the endpoint sends', 16, 60_000, 0.5, 1, null],
  ['a Retry-After that is shorter than the wait', 1, 1_000, 0.5, 1, 15_000],
  ['a Retry-After that is longer than the wait', 1, 40_000, 0.5, 1, 40_000],
  ['a Retry-After of more than an hour', 1, 86_400_000, 0.5, 1, 3_600_000],
  ['a wait that is longer than an hour anyway', 11, 86_400_000, 0.5, 1, 10_800_000],
  ['a faster schedule', 4, 0, 0.5, 0.01, 1_800],
])('%s', (_name, n, retryAfterMs, random, scale, expected) => {
  expect(waitAfterAttempt(n, retryAfterMs, random, scale)).toBe(expected);
});

test('an open payin is polled less and less often', () => {
  expect(payinPollWaits).toEqual([...payinPollWaits].sort((a, b) => a - b));
  expect([0, 1, 5, 6, 60].map((n) => inWords(waitAt(payinPollWaits, n)))).toEqual([
    '5 s',
    '10 s',
    '2 min',
    '2 min',
    '2 min',
  ]);
});

test('waits are spread by a tenth either way', () => {
  expect([0, 0.5, 1 - 2 ** -53].map((random) => jittered(1000, random))).toEqual([900, 1000, 1100]);
});

test('a lease outlasts every call that is made under it', () => {
  // An expiry asks and closes within one deadline; a payout's refusal is confirmed within a second one.
  expect(workLease).toBeGreaterThan(Math.max(2 * createDeadline, callDeadline) + 5_000);
  expect(createDeadline).toBe(8_000);
});
