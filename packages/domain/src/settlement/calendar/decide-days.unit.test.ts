import { expect, test } from 'vitest';
import { cutOffOf, isWorkingDay, runsOn, shiftDay, weekdayOf } from './decide-days.ts';
import { holidayYears } from './index.ts';

const calendarOf = (country: 'CN' | 'TH' | 'IN' | 'PK') => ({ country, years: holidayYears });

test.each<[string, 'CN' | 'TH' | 'IN' | 'PK', string, number, string | null]>([
  ['T+1 on a Tuesday settles Monday', 'TH', '2026-11-24', 1, '2026-11-23'],
  ['T+1 on a Monday settles the weekend', 'TH', '2026-11-23', 1, '2026-11-22'],
  ['T+2 on a Monday settles Thursday', 'TH', '2026-11-23', 2, '2026-11-19'],
  ['T+1 after Songkran settles its days', 'TH', '2026-04-16', 1, '2026-04-15'],
  ['T+2 after Songkran settles the Thursday before', 'TH', '2026-04-16', 2, '2026-04-09'],
  ['a holiday in India moves the settled days', 'IN', '2026-11-25', 2, '2026-11-22'],
  ['a holiday in Pakistan moves the settled days', 'PK', '2026-11-10', 2, '2026-11-05'],
  ['a working Saturday in China counts as a working day', 'CN', '2026-10-12', 2, '2026-10-09'],
  ['the days of a long holiday do not count as working days', 'CN', '2026-10-08', 2, '2026-09-29'],
  ['without a file of holidays for the year there is no day', 'TH', '2026-01-01', 2, null],
  ['for a later year without a file there is no day either', 'TH', '2028-01-04', 1, null],
  ['T+2 in the computed year of China skips the days in lieu', 'CN', '2027-02-12', 2, '2027-02-10'],
  ['T+2 in the computed year of Pakistan skips Eid and the day after it', 'PK', '2027-03-15', 2, '2027-03-07'],
  ['T+2 over the end of a year reads the files of both years', 'TH', '2027-01-04', 2, '2026-12-29'],
])('%s', (_, country, runDay, workingDays, expected) => {
  expect(cutOffOf(calendarOf(country), runDay, workingDays)).toBe(expected);
});

test.each<[string, string[], string, boolean | null]>([
  ['its weekday', ['mon'], '2026-11-23', true],
  ['another weekday', ['mon'], '2026-11-24', false],
  ['the first working day after a holiday on its weekday', ['mon'], '2026-12-08', true],
  ['the holiday itself', ['mon'], '2026-12-07', false],
  ['the Monday after its Saturday', ['sat'], '2026-11-23', true],
  ['the second working day after it', ['sat'], '2026-11-24', false],
  ['a day of an unknown year', ['mon'], '2028-01-03', null],
])('a cycle runs on %s: %s %s', (_, cycleDays, runDay, expected) => {
  expect(runsOn(calendarOf('TH'), cycleDays, runDay)).toBe(expected);
});

test('every day in the files of holidays is a date of its year and listed once, and a working weekend day counts as a working day', () => {
  for (const { country, year, source, holidays, workingWeekends } of holidayYears) {
    expect(source).toContain('https://');
    const days = [...holidays, ...workingWeekends].map((date) => `${year}-${date}`);
    expect(new Set(days).size).toBe(days.length);
    for (const day of days) expect(shiftDay(day, 0)).toBe(day);
    for (const date of workingWeekends) {
      expect(['sat', 'sun']).toContain(weekdayOf(`${year}-${date}`));
      expect(isWorkingDay({ country, years: holidayYears }, `${year}-${date}`)).toBe(true);
    }
  }
});
