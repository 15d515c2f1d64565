import type { HolidayYear } from './holiday-year.ts';

/** The first day of the year is a bank holiday. The source marks days of the lunar calendar as estimated. */
export const pk2026: HolidayYear = {
  country: 'PK',
  year: 2026,
  isAnnounced: true,
  source:
    'holidays 0.105 (https://github.com/vacanza/holidays), Pakistan, category public, 2026; 23 March: State Bank of Pakistan, BPRD circular letter 7 of 2026 (https://www.sbp.org.pk/bprd/2026/CL7.htm); 1 January: https://mansehra.com/archives/6702',
  holidays: [
    '01-01',
    '02-05',
    '03-20',
    '03-21',
    '03-22',
    '03-23',
    '05-01',
    '05-27',
    '05-28',
    '05-29',
    '06-24',
    '06-25',
    '08-14',
    '08-25',
    '11-09',
    '12-25',
  ],
  workingWeekends: [],
};
