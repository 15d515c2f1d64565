import type { Country } from '../../core/country.ts';

/** The days of one country and year on which its banks do not work, and the weekend days on which they do. `MM-DD`. */
export interface HolidayYear {
  country: Country;
  year: number;
  /** Source of the days, so that they can be checked. */
  source: string;
  holidays: readonly string[];
  workingWeekends: readonly string[];
}
