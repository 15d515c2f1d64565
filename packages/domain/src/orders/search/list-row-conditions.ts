import type { Country } from '../../core/country.ts';
import { isTerminal } from '../../core/order.ts';
import { currencyOf } from '../../countries/index.ts';
import { given, is, isOneOf, isWithin } from '../../lists/conditions.ts';
import { amongMerchants, type Scope } from '../../lists/scope.ts';
import { type Add, asTime } from '../../lists/values.ts';
import type { OrderFilter, OrderSort } from './order-filter.ts';

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

/** Which ranges a filter has. */
function rangesOf(filter: OrderFilter): OrderSort[] {
  const { amountFrom, amountTo, createdFrom, createdTo } = filter;
  const ranges: Record<OrderSort, boolean> = {
    created: createdFrom != null || createdTo != null,
    amount: amountFrom != null || amountTo != null,
    completed: asksForCompletion(filter),
  };
  return (Object.keys(ranges) as OrderSort[]).filter((range) => ranges[range]);
}

/** Whether a filter has a range of a column by which the list is not sorted. */
export function hasOtherRange(filter: OrderFilter, sort: OrderSort): boolean {
  return rangesOf(filter).some((range) => range !== sort);
}

/** Whether a filter has a range of the column by which the list is sorted. */
export function hasOwnRange(filter: OrderFilter, sort: OrderSort): boolean {
  return rangesOf(filter).includes(sort);
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
export const openOrders = [
  `t.kind = 'payin' and t.status in ('created', 'processing', 'partial_paid')`,
  `t.kind = 'payout' and t.status in ('created', 'processing', 'market_available')`,
];

/** Whether open orders can match. */
export function mayBeOpen(filter: OrderFilter, sort: OrderSort): boolean {
  return !isOnlyCompleted(filter, sort) && (filter.statuses?.some((status) => !isTerminal(status)) ?? true);
}
