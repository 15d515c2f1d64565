import type { HolidayYear } from './holiday-year.ts';

/**
 * The days of the law (State Council, order 795 of 2024), as the source computes them. Days in lieu are the next working
 * days. The yearly notice moves days, and names weekend days on which banks work. It is usually out in
 * November.
 */
export const cn2027: HolidayYear = {
  country: 'CN',
  year: 2027,
  isAnnounced: false,
  source: 'holidays, commit c382fdec4 (https://github.com/vacanza/holidays), China, category public, 2027, computed',
  holidays: [
    '01-01',
    '02-05',
    '02-06',
    '02-07',
    '02-08',
    '02-09',
    '02-10',
    '04-05',
    '05-01',
    '05-02',
    '05-03',
    '05-04',
    '06-09',
    '09-15',
    '10-01',
    '10-02',
    '10-03',
    '10-04',
    '10-05',
  ],
  workingWeekends: [],
};
