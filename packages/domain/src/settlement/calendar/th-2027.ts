import type { HolidayYear } from './holiday-year.ts';

/**
 * All public holidays that the law names, as the source computes them. The cabinet may add days. A settlement on such a
 * day reaches the merchant a day later.
 */
export const th2027: HolidayYear = {
  country: 'TH',
  year: 2027,
  isAnnounced: false,
  source: 'holidays, commit c382fdec4 (https://github.com/vacanza/holidays), Thailand, category public, 2027, computed',
  holidays: [
    '01-01',
    '02-22',
    '04-06',
    '04-13',
    '04-14',
    '04-15',
    '05-03',
    '05-04',
    '05-20',
    '06-03',
    '07-19',
    '07-20',
    '07-28',
    '08-12',
    '10-13',
    '10-25',
    '12-06',
    '12-10',
    '12-31',
  ],
  workingWeekends: [],
};
