import type { Country } from '../../core/country.ts';
import type { HolidayYear } from './holiday-year.ts';

// Days are `YYYY-MM-DD` in the time zone of the country.

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof weekdays)[number];

/** The known working days. */
export interface Calendar {
  country: Country;
  years: readonly HolidayYear[];
}

const dayMs = 86_400_000;

/** The day `days` later, or earlier if negative. */
export function shiftDay(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}

export function weekdayOf(day: string): Weekday {
  // 1970-01-01 was a Thursday.
  const sinceMonday = (Math.floor(Date.parse(`${day}T00:00:00Z`) / dayMs) + 3) % 7;
  return weekdays[sinceMonday < 0 ? sinceMonday + 7 : sinceMonday] as Weekday;
}

/** Whether banks work on the day; null: the holidays of its year are not known. */
export function isWorkingDay({ country, years }: Calendar, day: string): boolean | null {
  const known = years.find((one) => one.country === country && one.year === Number(day.slice(0, 4)));
  if (!known) return null;
  const date = day.slice(5);
  if (known.holidays.includes(date)) return false;
  return !['sat', 'sun'].includes(weekdayOf(day)) || known.workingWeekends.includes(date);
}

/** Whether the government has announced the holidays around the day: those of its year are compared with the announcement. */
export function isAnnounced({ country, years }: Calendar, day: string): boolean {
  const year = Number(day.slice(0, 4));
  return years.some((one) => one.country === country && one.year === year && one.isAnnounced);
}

/**
 * The last day that a run on `runDay` settles: a day T is settled on the n-th working day after it. Null: a year on the
 * way is not known.
 */
export function cutOffOf(calendar: Calendar, runDay: string, workingDays: number): string | null {
  let left = workingDays;
  let day = runDay;
  for (;;) {
    const works = isWorkingDay(calendar, day);
    if (works === null) return null;
    if (works) left -= 1;
    if (left === 0) return shiftDay(day, -1);
    day = shiftDay(day, -1);
  }
}

/**
 * Whether a cycle runs on the day: the first working day on or after one of its weekdays. Null: a year on the way is
 * not known.
 */
export function runsOn(calendar: Calendar, cycleDays: readonly string[], runDay: string): boolean | null {
  const works = isWorkingDay(calendar, runDay);
  if (!works) return works;
  for (let day = runDay; ; ) {
    if (cycleDays.includes(weekdayOf(day))) return true;
    day = shiftDay(day, -1);
    const worked = isWorkingDay(calendar, day);
    if (worked === null) return null;
    if (worked) return false;
  }
}
