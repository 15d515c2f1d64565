import { expect, test } from 'vitest';
import { dayIn, instantOf, readIsoTime } from './dates.ts';

test.each([
  ['2026-11-01T10:00:00', 'Asia/Kolkata', '2026-11-01T04:30:00Z'],
  ['2026-11-01 10:00:00', 'Asia/Shanghai', '2026-11-01T02:00:00Z'],
  ['2026-11-01T10:00:00+0700', 'Asia/Kolkata', '2026-11-01T03:00:00Z'],
  ['2026-11-01T10:00:00.25Z', 'Asia/Kolkata', '2026-11-01T10:00:00.25Z'],
  ['2026-11-01T24:00:00', 'UTC', '2026-11-02T00:00:00Z'],
  // Clocks are set back in the night to the 25th of October: 02:30 occurs twice, and the earlier one is used.
  ['2026-10-25T02:30:00', 'Europe/Berlin', '2026-10-25T00:30:00Z'],
  ['2026-10-25T03:00:00', 'Europe/Berlin', '2026-10-25T02:00:00Z'],
  ['2026-03-29T03:00:00', 'Europe/Berlin', '2026-03-29T01:00:00Z'],
  ['2026-07-01T00:00:00', 'America/New_York', '2026-07-01T04:00:00Z'],
])('%s in %s is %s in UTC', (text, zone, instant) => {
  expect(new Date(readIsoTime(text, zone)).getTime()).toBe(Date.parse(instant));
});

test.each([
  '2026-02-29T00:00:00',
  '2026-13-01T00:00:00',
  '2026-01-01T24:00:01',
  '2026-01-01T00:60:00',
  '1899-01-01T00:00:00',
])('the time %s is refused, because it does not exist', (text) => {
  expect(() => readIsoTime(text, 'UTC')).toThrow('does not exist');
});

test('a time is assigned to its day in the time zone', () => {
  const instant = Date.parse('2026-11-01T20:00:00Z');
  expect([dayIn(instant, 'UTC'), dayIn(instant, 'Asia/Karachi'), dayIn(instant, 'America/New_York')]).toEqual([
    '2026-11-01',
    '2026-11-02',
    '2026-11-01',
  ]);
  expect(instantOf({ year: 2026, month: 11, day: 1 }, 'Asia/Karachi')).toBe(Date.parse('2026-10-31T19:00:00Z'));
});
