import type { HolidayYear } from './holiday-year.ts';

/**
 * Holidays in Maharashtra on weekdays, as in the year before. The source computes the days of the Hindu calendar, and
 * estimates those that depend on the moon (10 March, 17 May, 16 June). The state and the Reserve Bank of India publish
 * the list in December.
 */
export const in2027: HolidayYear = {
  country: 'IN',
  year: 2027,
  isAnnounced: false,
  source:
    'holidays, commit c382fdec4 (https://github.com/vacanza/holidays), India, subdivision MH, category public, 2027, computed',
  holidays: [
    '01-26',
    '02-19',
    '03-10',
    '03-22',
    '03-26',
    '04-07',
    '04-14',
    '04-15',
    '05-17',
    '05-20',
    '06-16',
    '08-25',
    '10-29',
  ],
  workingWeekends: [],
};
