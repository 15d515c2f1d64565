import { expect, test } from 'vitest';
import { indentJson } from './json.ts';
import { compareAmounts, formatPercent, groupDigits, sumAmounts } from './money.ts';
import { describePeriod, isPeriod, rangeOf } from './period.ts';
import { dayOf, formatDuration, formatTime, localTimeOf, momentOf, startOfDay } from './time.ts';

test.each([
  ['100000.00', 'INR', '1,00,000.00'],
  ['12345678.5', 'PKR', '1,23,45,678.5'],
  ['1234567.00', 'THB', '1,234,567.00'],
  ['123456789012345678.90', 'CNY', '123,456,789,012,345,678.90'],
  ['-0.01', 'CNY', '\u22120.01'],
])('%s %s is shown as %s', (amount, currency, shown) => {
  expect(groupDigits(amount, currency)).toBe(shown);
});

test('a percentage has no zeros at its end', () => {
  expect(['2.5000', '100.0000', '10', '0.0005'].map(formatPercent)).toEqual(['2.5 %', '100 %', '10 %', '0.0005 %']);
});

test('amounts are added and compared exactly', () => {
  expect(sumAmounts(['0.10', '0.20'])).toBe('0.30');
  expect(sumAmounts(['99.51', '-100.51'])).toBe('-1.00');
  expect(sumAmounts(['123456789012345678.90', '0.105'])).toBe('123456789012345679.005');
  expect(sumAmounts(['-0.05', '0.04'])).toBe('-0.01');
  expect(sumAmounts([])).toBe('0');
  expect(compareAmounts('2.5', '2.50')).toBe(0);
  expect(compareAmounts('9.99', '10')).toBeLessThan(0);
  expect(compareAmounts('-0.01', '-1')).toBeGreaterThan(0);
});

test('a day begins at midnight of its zone, also where clocks change', () => {
  expect(startOfDay('2026-11-22', 'Asia/Kolkata')?.toISOString()).toBe('2026-11-21T18:30:00.000Z');
  expect(startOfDay('2026-03-29', 'Europe/Berlin')?.toISOString()).toBe('2026-03-28T23:00:00.000Z');
  expect(startOfDay('2026-03-30', 'Europe/Berlin')?.toISOString()).toBe('2026-03-29T22:00:00.000Z');
  expect(startOfDay('2026-13-40', 'UTC')).toBeNull();
  expect(dayOf(new Date('2026-11-21T18:30:00Z'), 'Asia/Kolkata')).toBe('2026-11-22');
});

test.each([
  ['India is ahead', '2026-11-22T09:30', 'Asia/Kolkata', '2026-11-22T04:00:00.000Z'],
  ['Berlin, before clocks go forward', '2026-03-29T01:59', 'Europe/Berlin', '2026-03-29T00:59:00.000Z'],
  ['Berlin, skipped by the clocks', '2026-03-29T02:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
  ['Berlin, after clocks went forward', '2026-03-29T03:00', 'Europe/Berlin', '2026-03-29T01:00:00.000Z'],
  ['New York, skipped by the clocks', '2026-03-08T02:30', 'America/New_York', '2026-03-08T07:30:00.000Z'],
  ['Berlin, shown twice by the clocks', '2026-10-25T02:30', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
  ['Berlin, after clocks were set back', '2026-10-25T03:00', 'Europe/Berlin', '2026-10-25T02:00:00.000Z'],
  ['Santiago, whose clocks skip midnight', '2026-09-06T00:00', 'America/Santiago', '2026-09-06T04:00:00.000Z'],
])('the moment of a local time: %s', (_, local, zone, moment) => {
  expect(momentOf(local, zone)?.toISOString()).toBe(moment);
});

test('a text that is no local time has no moment, and a moment can be converted to local time and back', () => {
  expect(['', '2026-11-22', '2026-11-22T25:00', 'tomorrow'].map((text) => momentOf(text, 'UTC'))).toEqual([
    null,
    null,
    null,
    null,
  ]);
  expect(localTimeOf(new Date('2026-03-29T01:30:00Z'), 'Europe/Berlin')).toBe('2026-03-29T03:30');
});

test('the exact time has milliseconds and the offset', () => {
  expect(formatTime('2026-11-22T09:05:01.250Z', 'Asia/Bangkok', 'exact')).toContain('16:05:01.250');
  expect(formatTime('2026-11-22T09:05:01.250Z', 'Asia/Bangkok', 'exact')).toContain('GMT+07:00');
});

const now = new Date('2026-11-22T20:00:00Z');
test.each([
  ['today', { from: '2026-11-22T18:30:00.000Z' }],
  ['yesterday', { from: '2026-11-21T18:30:00.000Z', to: '2026-11-22T18:30:00.000Z' }],
  ['7d', { from: '2026-11-16T18:30:00.000Z' }],
  ['24h', { from: '2026-11-21T20:00:00.000Z' }],
  ['2026-11-01..2026-11-02', { from: '2026-10-31T18:30:00.000Z', to: '2026-11-02T18:30:00.000Z' }],
  ['..2026-11-02', { to: '2026-11-02T18:30:00.000Z' }],
  [undefined, {}],
])('the period %s in India', (period, range) => {
  expect(rangeOf(period, 'Asia/Kolkata', now)).toEqual(range);
});

test('a text that is no period is refused', () => {
  expect(['today', '2026-01-01..', '..', 'tomorrow', ''].filter(isPeriod)).toEqual(['today', '2026-01-01..']);
  expect(describePeriod('2026-01-01..2026-01-02')).toBe('2026-01-01 to 2026-01-02');
});

test.each([
  [340, '340 ms'],
  [59_999, '59 s'],
  [125_000, '2 min 5 s'],
  [7_500_000, '2 h 5 min'],
  [90_000_000, '1 d 1 h'],
])('%i ms is %s', (ms, shown) => {
  expect(formatDuration(ms)).toBe(shown);
});

test('JSON is indented without a change of its numbers and texts', () => {
  expect(indentJson('{"amount":100.00,"note":"a, {b}: \\"c\\"","list":[],"deep":{"n":12345678901234567890}}')).toBe(
    '{\n  "amount": 100.00,\n  "note": "a, {b}: \\"c\\"",\n  "list": [],\n  "deep": {\n    "n": 12345678901234567890\n  }\n}',
  );
  expect(indentJson('OK, {not} json')).toBe('OK, {not} json');
});
