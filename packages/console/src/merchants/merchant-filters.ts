import { countryNames } from '../format/words.ts';
import type { Country, MerchantFilter } from '../generated/documents.generated.ts';
import { choice, choices, type FilterValues, text } from '../list/filters.ts';
import { merchantStatusWords } from './merchant-words.ts';

/** The filters of the list of merchants, in the order of the filter bar. */
export const merchantFilters = {
  search: text('Name or number', 'beginning or part of it'),
  countries: choices('Country', countryNames as Record<Country, string>),
  status: choice('Status', merchantStatusWords),
};

/** The API filter for the filters in the page's URL. */
export function toMerchantFilter(values: FilterValues<typeof merchantFilters>): MerchantFilter {
  return values;
}
