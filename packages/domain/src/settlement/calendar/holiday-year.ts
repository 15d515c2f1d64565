import type { Country } from '../../core/country.ts';

/** The days of one country and year on which its banks do not work, and the weekend days on which they do. `MM-DD`. */
export interface HolidayYear {
  country: Country;
  year: number;
  /**
   * Whether the government has announced the days, and they were compared with it. Until then they are computed by law,
   * and an alert reminds of it.
   */
  isAnnounced: boolean;
  /** Source of the days, so that they can be checked. */
  source: string;
  holidays: readonly string[];
  workingWeekends: readonly string[];
}
