import type { HolidayYear } from './holiday-year.ts';

/**
 * The fixed days of the law and the first day of the year, which is a bank holiday. The moon decides about Eid-ul-Fitr
 * (March), Eid-ul-Adha (May), Ashura (June) and Eid Milad-un-Nabi (August). The source estimates them, and Pakistan
 * often begins a month a day later. So the day after each is a holiday too: a settlement is a day late then, never a
 * day early.
 */
export const pk2027: HolidayYear = {
  country: 'PK',
  year: 2027,
  isAnnounced: false,
  source: 'holidays, commit c382fdec4 (https://github.com/vacanza/holidays), Pakistan, category public, 2027, computed',
  holidays: [
    '01-01',
    '02-05',
    '03-09',
    '03-10',
    '03-11',
    '03-12',
    '03-23',
    '05-01',
    '05-16',
    '05-17',
    '05-18',
    '05-19',
    '05-28',
    '06-14',
    '06-15',
    '06-16',
    '08-14',
    '08-15',
    '11-09',
    '12-25',
  ],
  workingWeekends: [],
};
