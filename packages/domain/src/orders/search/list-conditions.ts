import type { Country } from '../../core/country.ts';
import { isTerminal } from '../../core/order.ts';
import { currencyOf } from '../../countries/index.ts';
import { given, is, isOneOf, isWithin } from '../../lists/conditions.ts';
import { amongMerchants, merchantsToLookUp, type Scope } from '../../lists/scope.ts';
import { type Add, asTime, collectValues } from '../../lists/values.ts';
import { type Finder, finderParts } from './list-finders.ts';
import type { OrderFilter, OrderSort } from './order-filter.ts';

/** The request of a search, and the caller. */
export interface Search {
  filter: OrderFilter;
  sort: OrderSort;
  isReversed: boolean;
  scope: Scope;
  finders: readonly Finder[];
  /** More candidates than these are not sorted. */
  maxCandidates: number;
  /** About how many orders one page looks at. */
  maxExamined: number;
  /** The groups of more merchants are too many to look at their orders side by side. */
  maxMerchants: number;
  /** More groups are not searched one by one. */
  maxGroups: number;
}

/** SQL and its values. */
export interface Statement {
  text: string;
  values: unknown[];
}

/** A statement with the values that `make` adds. */
export function statement(make: (add: Add) => string): Statement {
  const { values, add } = collectValues();
  return { text: make(add), values };
}

/** Counts rows, up to one more than `most`. */
export const countUpTo = (rows: string, most: number): string =>
  `select count(*)::integer as count from (${rows} limit ${most + 1}) t`;

/** The countries of the filter that are within the scope; null: all. A country has one currency. */
export function wantedCountries(filter: OrderFilter, scope: Scope): Country[] | null {
  const limits = [filter.countries, scope.countries].filter((limit) => limit != null);
  const { currencies } = filter;
  if (limits.length === 0 && currencies == null) return null;
  const all = Object.keys(currencyOf) as Country[];
  return all.filter(
    (country) =>
      limits.every((limit) => limit.includes(country)) &&
      (currencies == null || currencies.includes(currencyOf[country])),
  );
}

/** Conditions of an order `t` by its amount and times. They hold as well for what follows: an order completes after its creation. */
export function rangeConditions(filter: OrderFilter, add: Add): string[] {
  const { amountFrom, amountTo, createdFrom, createdTo, completedFrom, completedTo } = filter;
  return [
    ...isWithin('t.created_at', createdFrom, createdTo, add),
    ...isWithin('t.completed_at', completedFrom, completedTo, add),
    ...given(
      completedTo == null ? null : `t.created_at < ${asTime(add(completedTo))}`,
      createdFrom == null || !asksForCompletion(filter) ? null : `t.completed_at >= ${asTime(add(createdFrom))}`,
      amountFrom == null ? null : `t.amount >= ${add(amountFrom)}::numeric`,
      amountTo == null ? null : `t.amount <= ${add(amountTo)}::numeric`,
    ),
  ];
}

function asksForCompletion({ completedFrom, completedTo }: OrderFilter): boolean {
  return completedFrom != null || completedTo != null;
}

/**
 * A range of the filter in a column by which the list is not sorted; null: there is none. Created comes first: orders are
 * stored by it.
 */
export function otherRange(filter: OrderFilter, sort: OrderSort): OrderSort | null {
  const { amountFrom, amountTo, createdFrom, createdTo } = filter;
  const has: Record<OrderSort, boolean> = {
    created: createdFrom != null || createdTo != null,
    amount: amountFrom != null || amountTo != null,
    completed: asksForCompletion(filter),
  };
  return (['created', 'amount', 'completed'] as const).find((range) => range !== sort && has[range]) ?? null;
}

/** Only this range of a filter. */
export function rangeOf(filter: OrderFilter, range: OrderSort): OrderFilter {
  const { createdFrom, createdTo, completedFrom, completedTo, amountFrom, amountTo } = filter;
  const ranges: Record<OrderSort, OrderFilter> = {
    created: { createdFrom, createdTo },
    completed: { completedFrom, completedTo },
    amount: { amountFrom, amountTo },
  };
  return ranges[range];
}

/** Whether only completed orders can match. Only these have a time of completion. */
export function isOnlyCompleted(filter: OrderFilter, sort: OrderSort): boolean {
  return sort === 'completed' || asksForCompletion(filter);
}

/** All parts of a filter except its finders, as conditions of an order `t`. */
export function rowConditions(filter: OrderFilter, sort: OrderSort, scope: Scope, add: Add): string[] {
  return [
    ...amongMerchants(filter.merchantIds ?? null, { ...scope, countries: null }, add),
    ...rangeConditions(filter, add),
    ...given(
      isOneOf('t.country', wantedCountries(filter, scope), add),
      is('t.kind', filter.kind, add),
      isOneOf('t.status', filter.statuses, add),
      isOneOf('t.channel_id', filter.channelIds, add),
      isOneOf('t.bank_code', filter.bankCodes, add),
      isOneOf('t.failure_reason', filter.failureReasons, add),
      isOnlyCompleted(filter, sort) ? 't.completed_at is not null' : null,
    ),
  ];
}

/** The condition of the indexes of open orders. Open orders are few, so each can be read. */
const openOrders = [
  `t.kind = 'payin' and t.status in ('created', 'processing', 'partial_paid')`,
  `t.kind = 'payout' and t.status in ('created', 'processing', 'market_available')`,
];

/** Whether open orders can match. */
export function mayBeOpen(filter: OrderFilter, sort: OrderSort): boolean {
  return !isOnlyCompleted(filter, sort) && (filter.statuses?.some((status) => !isTerminal(status)) ?? true);
}

/** The same of open orders, which no group has; by kind. */
export function openConditions({ filter, sort, scope, finders }: Search, add: Add): string[][] {
  if (!mayBeOpen(filter, sort)) return [];
  return openOrders.map((open) => [
    open,
    ...rowConditions(filter, sort, scope, add),
    ...finders.map(({ holds }) => holds(add)),
  ]);
}

export function createdWithin({ filter: { createdFrom, createdTo } }: Search, row: string, add: Add): string[] {
  return isWithin(`${row}.created_at`, createdFrom, createdTo, add);
}

/** The same conditions or order for `order_search`, which has the columns of the list by creation too. */
export function inSearchTable(text: string): string {
  return text.replaceAll('t.', 's.');
}

/** Whether a list has no part but merchants and the time of creation, which an index of its own serves. */
export function isPlain(search: Search): boolean {
  return (
    search.finders.length === 0 && isByTime(search, merchantsToLookUp(search.filter.merchantIds ?? null, search.scope))
  );
}

/**
 * Whether `order_search` has everything that the filter needs, so that its short rows can be read instead of orders.
 */
export function isOfSearchRows(search: Search): boolean {
  return search.finders.some(({ inSearch }) => inSearch) && isByTime(search, null);
}

/** Whether orders are wanted by creation, of these merchants or of all, with no other part of the filter than finders. */
function isByTime({ filter, sort, scope }: Search, merchants: readonly string[] | null): boolean {
  const { merchantIds, createdFrom: _from, createdTo: _to, ...others } = filter;
  const isOfAll = merchantIds == null && scope.merchantIds === null;
  return (
    sort === 'created' &&
    scope.countries === null &&
    (merchants !== null || isOfAll) &&
    Object.entries(others).every(([part, value]) => value == null || finderParts.has(part))
  );
}
