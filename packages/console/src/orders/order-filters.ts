import { rangeOf } from '../format/period.ts';
import { countryNames, orderKindWords, orderStatusWords } from '../format/words.ts';
import type { Country, OrderFilter } from '../generated/documents.generated.ts';
import { amount, choice, choices, type FilterValues, period, text, texts } from '../list/filters.ts';

/** The filters of the list of orders, in the order of the filter bar. */
export const orderFilters = {
  created: period('Created'),
  statuses: choices('Status', orderStatusWords),
  kind: choice('Kind', orderKindWords),
  countries: choices('Country', countryNames as Record<Country, string>),
  merchantIds: texts('Merchant', 'M1001'),
  channelIds: texts('Channel', 'sandbox'),
  merchantOrderNo: text("Merchant's number", 'exactly as the merchant wrote it'),
  amountFrom: amount('Amount from'),
  amountTo: amount('Amount to'),
};

export type OrderSearch = FilterValues<typeof orderFilters>;

/** The filter of the API for what the address says. */
export function toOrderFilter({ created, ...rest }: OrderSearch, zone: string): OrderFilter {
  const { from, to } = rangeOf(created, zone);
  return { ...rest, ...(from !== undefined && { createdFrom: from }), ...(to !== undefined && { createdTo: to }) };
}
