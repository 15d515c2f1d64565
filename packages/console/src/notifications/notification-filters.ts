import { attemptErrors } from '../format/attempt-words.ts';
import { rangeOf } from '../format/period.ts';
import { notificationStateWords, orderStatusWords } from '../format/words.ts';
import type { NotificationFilter, NotificationHostFilter } from '../generated/documents.generated.ts';
import { choice, choices, type FilterValues, period, text, texts } from '../list/filters.ts';

/** Tabs: notifications, endpoint hosts. */
export const notificationTabs = { '/notifications': 'Notifications', '/notifications/hosts': 'Hosts' } as const;

/** The filters of the list of notifications, in the order of the filter bar. */
export const notificationFilters = {
  states: choices('State', notificationStateWords),
  created: period('Created'),
  merchantIds: texts('Merchant', 'IN10001'),
  host: text('Host', 'shop.example:443'),
  errors: choices('Last error', attemptErrors),
  attempts: choice('Attempts', { several: 'Two or more', first: 'At most one' }),
  statuses: choices('Order status', orderStatusWords),
  orderNo: text('Order', 'PI…'),
};

/** The API filter for the filters in the page's URL. */
export function toNotificationFilter(
  { created, attempts, ...rest }: FilterValues<typeof notificationFilters>,
  zone: string,
): NotificationFilter {
  const { from, to } = rangeOf(created, zone);
  return {
    ...rest,
    ...attemptsOf(attempts),
    ...(from !== undefined && { createdFrom: from }),
    ...(to !== undefined && { createdTo: to }),
  };
}

/** The limits of the number of attempts. */
export function attemptsOf(
  attempts: FilterValues<typeof notificationFilters>['attempts'],
): Pick<NotificationFilter, 'attemptsFrom' | 'attemptsTo'> {
  if (attempts === undefined) return {};
  return attempts === 'several' ? { attemptsFrom: 2 } : { attemptsTo: 1 };
}

/** The filters of the list of hosts. */
export const hostFilters = {
  state: choice('State', { failing: 'Last attempt failed', fine: 'Last attempt succeeded' }),
  merchantIds: texts('Merchant', 'IN10001'),
  host: text('Host', 'shop.example:443'),
};

/** The API filter for the filters in the page's URL. */
export function toHostFilter({ state, ...rest }: FilterValues<typeof hostFilters>): NotificationHostFilter {
  return { ...rest, ...(state && { failing: state === 'failing' }) };
}
