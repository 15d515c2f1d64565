import type { HolidayYear } from './holiday-year.ts';

/** All public holidays. Banks work on a few of them: a settlement is a day late then, never a day early. */
export const th2026: HolidayYear = {
  country: 'TH',
  year: 2026,
  isAnnounced: true,
  source: 'holidays 0.105 (https://github.com/vacanza/holidays), Thailand, category public, 2026',
  holidays: [
    '01-01',
    '01-02',
    '03-03',
    '04-06',
    '04-13',
    '04-14',
    '04-15',
    '05-01',
    '05-04',
    '06-01',
    '06-03',
    '07-28',
    '07-29',
    '07-30',
    '08-12',
    '10-13',
    '10-23',
    '12-07',
    '12-10',
    '12-31',
  ],
  workingWeekends: [],
};
