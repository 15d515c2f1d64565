import type { HolidayYear } from './holiday-year.ts';

/** Holidays in Maharashtra, where the clearing houses are. No Saturday counts as working, although banks work on some. */
export const in2026: HolidayYear = {
  country: 'IN',
  year: 2026,
  isAnnounced: true,
  source: 'holidays 0.105 (https://github.com/vacanza/holidays), India, subdivision MH, category public, 2026',
  holidays: [
    '01-26',
    '02-19',
    '03-03',
    '03-19',
    '03-26',
    '03-31',
    '04-03',
    '04-14',
    '05-01',
    '05-27',
    '06-26',
    '08-26',
    '09-04',
    '09-14',
    '10-02',
    '10-20',
    '11-10',
    '11-24',
    '12-25',
  ],
  workingWeekends: [],
};
