import { rangeOf } from '../format/period.ts';
import {
  countryNames,
  failureWords,
  notificationStateWords,
  orderKindWords,
  orderStatusWords,
} from '../format/words.ts';
import type { Country, OrderFilter, OrderSort } from '../generated/documents.generated.ts';
import { amount, choice, choices, type FilterValues, period, rare, text, texts } from '../list/filters.ts';

const SORTS: Readonly<Record<OrderSort, string>> = {
  CREATED_NEWEST: 'Newest first',
  CREATED_OLDEST: 'Oldest first',
  AMOUNT_LARGEST: 'Largest amounts first',
  AMOUNT_SMALLEST: 'Smallest amounts first',
  COMPLETED_NEWEST: 'Completed last',
  COMPLETED_OLDEST: 'Completed first',
};

/** The filters of the list of orders, in the order of the filter bar. */
export const orderFilters = {
  search: text('Search', 'number, reference, account, phone, name'),
  created: period('Created'),
  statuses: choices('Status', orderStatusWords),
  notificationStates: choices('Notified', notificationStateWords),
  kind: choice('Kind', orderKindWords),
  countries: choices('Country', countryNames as Record<Country, string>),
  merchantIds: texts('Merchant', 'CN10001'),
  channelIds: rare(texts('Channel', 'sandbox')),
  bankCodes: rare(texts('Bank', 'HDFC')),
  amountFrom: rare(amount('Amount from')),
  amountTo: rare(amount('Amount to')),
  completed: rare(period('Completed')),
  failureReasons: rare(choices('Failure', failureWords)),
  sortBy: choice('Sort', SORTS),
};

export type OrderSearch = FilterValues<typeof orderFilters>;

/** The API filter for the filters in the page's URL. */
export function toOrderFilter({ created, completed, sortBy: _, ...rest }: OrderSearch, zone: string): OrderFilter {
  const creation = rangeOf(created, zone);
  const completion = rangeOf(completed, zone);
  return {
    ...rest,
    ...(creation.from !== undefined && { createdFrom: creation.from }),
    ...(creation.to !== undefined && { createdTo: creation.to }),
    ...(completion.from !== undefined && { completedFrom: completion.from }),
    ...(completion.to !== undefined && { completedTo: completion.to }),
  };
}

/** Filters that the stream of orders knows, and periods that go on until now. */
const LIVE = new Set(['statuses', 'kind', 'countries', 'merchantIds', 'channelIds']);
const OPEN_PERIODS = new Set(['today', '24h', '7d', '30d']);

/** Whether an order that the stream reports belongs to the top of the list if it is newer than all others. */
export function isLiveTop({ created, ...search }: OrderSearch & { after?: string; before?: string }): boolean {
  const names = Object.keys(search).filter((name) => search[name as keyof typeof search] !== undefined);
  return names.every((name) => LIVE.has(name)) && (created === undefined || OPEN_PERIODS.has(created));
}
