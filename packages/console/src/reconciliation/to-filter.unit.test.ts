import { expect, test } from 'vitest';
import { toBreakFilter, toDaysInput } from './to-filter.ts';

const now = new Date('2026-11-22T20:00:00Z');
// In Karachi it is the 23rd already.
const zone = 'Asia/Karachi';

/** The API returns at most this many days. */
const maxDays = 62;

test('the table of days shows the last 14 days without a range, and the last 62 days of a range with more than 62', () => {
  expect(toDaysInput({}, zone, now)).toEqual({ from: '2026-11-10', to: '2026-11-23' });
  const { from, to } = toDaysInput({ days: '2026-01-01..2026-11-20' }, zone, now);
  expect([from, to]).toEqual(['2026-09-20', '2026-11-20']);
  expect((Date.parse(to) - Date.parse(from)) / 86_400_000 + 1).toBe(maxDays);
});

test('a country becomes the merchant id of the platform in that country, which owns the days', () => {
  expect(toDaysInput({ countries: ['PK'] }, zone, now)).toMatchObject({ merchantIds: ['PLATFORM-PK'] });
});

test.each([
  ['upTo1Day', { dayFrom: '2026-11-22' }],
  ['days2to3', { dayFrom: '2026-11-20', dayTo: '2026-11-21' }],
  ['days4to7', { dayFrom: '2026-11-16', dayTo: '2026-11-19' }],
  ['over7Days', { dayTo: '2026-11-15' }],
] as const)('the age %s becomes a range of days, counted back from today', (age, expected) => {
  expect(toBreakFilter({ age }, 'all', zone, now)).toEqual(expected);
});

test('age and days are combined, and an invalid statement number is ignored', () => {
  const filter = { age: 'days2to3', days: '2026-11-01..2026-11-20', fileNo: '12' } as const;
  expect(toBreakFilter(filter, 'open', zone, now)).toEqual({
    states: ['OPEN'],
    dayFrom: '2026-11-20',
    dayTo: '2026-11-20',
    fileNo: 12,
  });
  expect(toBreakFilter({ fileNo: 'x' }, 'all', zone, now)).toEqual({});
});
