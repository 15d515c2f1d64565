import { isWithin } from '../../lists/conditions.ts';
import type { Key } from '../../lists/keys.ts';
import type { PageRequest } from '../../lists/page.ts';
import { between, orderBy } from '../../lists/read-page.ts';
import { amongMerchants, merchantsToLookUp, type Scope } from '../../lists/scope.ts';
import { type Add, collectValues, whereAll } from '../../lists/values.ts';
import { upTo } from './list-bounds.ts';
import { type Finder, finderParts } from './list-finders.ts';
import { type Groups, groupsFrom, inGroup } from './list-groups.ts';
import { mayBeOpen, openOrders, rangeConditions, rowConditions } from './list-row-conditions.ts';
import type { OrderFilter, OrderList, OrderSort } from './order-filter.ts';

// The statements of a search for orders: where its candidates come from, and its page.

/** The request of a search, and the caller. */
export interface Search {
  filter: OrderFilter;
  sort: OrderSort;
  isReversed: boolean;
  scope: Scope;
  finders: readonly Finder[];
  /** More candidates than these are not sorted. */
  maxCandidates: number;
  /** The groups of more merchants are too many to look at their orders side by side. */
  maxMerchants: number;
  /** More groups are not searched one by one. */
  maxGroups: number;
}

/**
 * How orders are found. `found`: the orders of one finder, which are few. `time`: the orders of one finder, by creation. `range`: the orders of groups
 * within the filter's ranges, which are few. `walk`: groups in the order of the list. Of `sparse` groups all orders within the ranges are read:
 * a walk would read through the whole group.
 */
export type ExactPlan =
  | { by: 'found'; finder: Finder }
  | { by: 'time'; finder: Finder }
  | { by: 'range'; groups: Groups }
  | { by: 'walk'; groups: Groups; sparse: Groups | null };

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

/** Counts the orders of a finder, up to one more than can be sorted. */
export function candidatesOfFinder({ maxCandidates }: Search, source: (add: Add) => string): Statement {
  return statement((add) => countUpTo(`select from (${source(add)}) f`, maxCandidates));
}

/** How many times more orders of a range of creation can be sorted: they are stored next to each other. */
const nearby = 2.5;

/** How many orders of one range can be sorted. */
export function mostInRange({ maxCandidates }: Pick<Search, 'maxCandidates'>, range: OrderSort): number {
  return range === 'created' ? Math.max(maxCandidates, Math.ceil(maxCandidates * nearby)) : maxCandidates;
}

/** Counts the orders of groups within one range of the filter, up to one more than can be sorted. */
export function candidatesInRange(search: Search, groups: Groups, range: OrderSort): Statement {
  const { filter } = search;
  const maxCandidates = mostInRange(search, range);
  return statement((add) => {
    const where = `${whereAll([...inGroup(groups, range), ...rangeConditions(rangeOf(filter, range), add)])} ${byIndex[range]}`;
    return countUpTo(
      `select from ${groupsFrom(groups, add)} cross join lateral (select from orders t${where} limit ${maxCandidates + 1}) t`,
      maxCandidates,
    );
  });
}

/** The range to look up orders by that are then sorted by something else. Created comes first: orders are stored by it. */
export function otherRange({ amountFrom, amountTo, createdFrom, createdTo }: OrderFilter, sort: OrderSort): OrderSort {
  if (sort !== 'created' && (createdFrom != null || createdTo != null)) return 'created';
  return sort !== 'amount' && (amountFrom != null || amountTo != null) ? 'amount' : 'completed';
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

/** Exactly as the index is sorted. */
const byIndex: Record<OrderSort, string> = {
  created: 'order by t.created_at, t.amount',
  amount: 'order by t.amount, t.created_at',
  completed: 'order by t.completed_at, t.amount',
};

/** A group with fewer orders within the ranges is not walked through. */
const fewestToWalk = 31;

/** Counts the orders of each group within the range that is not sorted by, up to a few, in the order of the groups. */
export function countsInRange({ filter, sort, maxCandidates }: Search, groups: Groups): Statement {
  const dense = Math.min(fewestToWalk, maxCandidates + 1);
  return statement((add) => {
    const range = otherRange(filter, sort);
    const where = `${whereAll([...inGroup(groups, range), ...rangeConditions(rangeOf(filter, range), add)])} ${byIndex[range]}`;
    return `select c.count >= ${dense} as "isDense", c.count = 0 as "isEmpty" from ${groupsFrom(groups, add)} cross join lateral (
      select count(*) as count from (select from orders t${where} limit ${dense}) t) c order by g.place`;
  });
}

/** The same conditions or order for `order_search`, which has the columns of the list by creation too. */
export function inSearchTable(text: string): string {
  return text.replaceAll('t.', 's.');
}

/**
 * The conditions of a walk's other ranges, as PostgreSQL cannot look them up in the index. Within a short time it would expect one search of the
 * index for each moment, and read all orders of that time.
 */
function asFilters(conditions: readonly string[], sort: OrderSort): string[] {
  if (sort !== 'created') return [...conditions];
  return conditions.map((one) => one.replace(/^t\.amount/, '(t.amount + 0)'));
}

/** One page and the row after it: all columns of `orders`. `until`: none beyond this bound, which `isNear` if few orders come before it. */
export function pageOf(
  search: Search,
  plan: ExactPlan,
  page: PageRequest<OrderList>,
  { until, isNear }: { until: Key | null; isNear: boolean } = { until: null, isNear: false },
): Statement {
  const order = orderBy(search, page);
  const limit = `limit ${page.size + 1}`;
  return statement((add) => {
    const cursors = [...between(search, page, null, add), ...upTo(search, page, until, add)];
    if (plan.by === 'time')
      return `select t.* from ${byTimeFrom}${whereAll([...byTimeConditions(search, plan.finder, add), ...cursors.map(inSearchTable)])} ${inSearchTable(order)} ${limit}`;
    if (plan.by === 'found')
      return `select t.* from ${foundFrom(plan.finder, add)}${whereAll([...foundConditions(search, plan.finder, add), ...cursors])} ${order} ${limit}`;
    const { groups } = plan;
    const all = (of: Groups): string => `${allInRange(search, of, cursors, add)} ${order} ${limit}`;
    const walked = (): string => {
      const ranges = rangeConditions(search.filter, add);
      const conditions = [
        ...inGroup(groups, search.sort),
        ...(isNear ? asFilters(ranges, search.sort) : ranges),
        ...cursors,
      ];
      return walk(groupsFrom(groups, add), groups.rows.length, `${whereAll(conditions)} ${order}`, order, page.size);
    };
    const open = openConditions(search, add).map(
      (one) => `select t.* from orders t${whereAll([...one, ...cursors])} ${order} ${limit}`,
    );
    const ended = plan.by === 'range' ? [all(groups)] : [walked(), ...(plan.sparse ? [all(plan.sparse)] : [])];
    return `select t.* from (${[...ended, ...open].map((part) => `(${part})`).join(' union all ')}) t ${order} ${limit}`;
  });
}

/** All orders of groups between the cursors and within all ranges, looked up by the range that is not sorted by. */
export function allInRange({ filter, sort }: Search, groups: Groups, cursors: readonly string[], add: Add): string {
  const range = otherRange(filter, sort);
  const conditions = [...inGroup(groups, range), ...rangeConditions(filter, add), ...cursors];
  return `select t.* from ${groupsFrom(groups, add)} cross join lateral (select t.* from orders t${whereAll(conditions)} ${byIndex[range]} offset 0) t`;
}

/**
 * Reads groups in the order of the list. The rows of a page come from as many groups at most: those with the first rows. The group with the
 * second first row gives one row less than the first group, and so on.
 */
function walk(groups: string, count: number, conditions: string, order: string, size: number): string {
  const limit = `limit ${size + 1}`;
  if (count === 1)
    return `select t.* from ${groups} cross join lateral (select t.* from orders t${conditions} ${limit}) t ${order} ${limit}`;
  const heads = `select g.*, row_number() over (${order}) as nth from ${groups} cross join lateral (select t.* from orders t${conditions} limit 1) t ${order} ${limit}`;
  return `select t.* from (${heads}) g cross join lateral (select t.* from orders t${conditions} limit ${size + 2} - g.nth) t ${order} ${limit}`;
}

/** These columns of a page, in its order. */
export function columnsOfPage(search: Search, columns: string, text: string, page: PageRequest<OrderList>): string {
  return `select ${columns} from (${text}) t ${orderBy(search, page)}`;
}

/** The orders of a finder as rows `t`, each looked up by its key. */
export function foundFrom({ source }: Finder, add: Add): string {
  return `(select distinct merchant_id, order_no from (${source?.(add)}) f) f cross join lateral (
    select o.* from orders o where o.merchant_id = f.merchant_id and o.order_no = f.order_no offset 0) t`;
}

const byTimeFrom = `order_search s cross join lateral (
    select o.* from orders o where o.merchant_id = s.merchant_id and o.order_no = s.order_no offset 0) t`;

export function byTimeConditions(
  { filter: { createdFrom, createdTo } }: Search,
  { byTime }: Finder,
  add: Add,
): string[] {
  return [byTime?.(add) ?? 'false', ...isWithin('s.created_at', createdFrom, createdTo, add)];
}

/** Keys of a finder's orders in this part of the list, from its rows of `order_search` by time of creation. */
export function ordersByTime(
  search: Search,
  finder: Finder,
  { cursors, order, limit }: { cursors: readonly string[]; order: string; limit: number },
  add: Add,
): string {
  const conditions = [...byTimeConditions(search, finder, add), ...cursors.map(inSearchTable)];
  return `select s.*, row_number() over () as nth from (
    select s.merchant_id, s.order_no from order_search s${whereAll(conditions)} ${inSearchTable(order)} limit ${limit}) s`;
}

export function othersOf({ finders }: Search, finder: Finder, add: Add): string[] {
  return finders.filter((one) => one !== finder).map(({ holds }) => holds(add));
}

export function foundConditions(search: Search, finder: Finder, add: Add): string[] {
  const { filter, sort, scope } = search;
  return [...rowConditions(filter, sort, scope, add), ...othersOf(search, finder, add)];
}

/** The same for open orders, which no group has; by kind. */
export function openConditions({ filter, sort, scope, finders }: Search, add: Add): string[][] {
  if (!mayBeOpen(filter, sort)) return [];
  return openOrders.map((open) => [
    open,
    ...rowConditions(filter, sort, scope, add),
    ...finders.map(({ holds }) => holds(add)),
  ]);
}

/** The conditions that neither the groups nor the columns of their indexes decide, so each order has to be read. */
export function residualConditions({ filter, scope, finders }: Search, groups: Groups, add: Add): string[] {
  const wanted = filter.merchantIds ?? null;
  const merchants = groups.by === 'merchant_id' ? [] : amongMerchants(wanted, { ...scope, countries: null }, add);
  return [...merchants, ...finders.map(({ holds }) => holds(add))];
}

/** Whether a list has no part but merchants and the time of creation, which an index of its own serves. */
export function isPlain(search: Search): boolean {
  return (
    search.finders.length === 0 && isByTime(search, merchantsToLookUp(search.filter.merchantIds ?? null, search.scope))
  );
}

/** A finder whose orders need not be looked at, because nothing else is asked for but the time of creation. */
export function finderByTime(search: Search): Finder | null {
  const [finder, ...others] = search.finders;
  const isAlone = others.length === 0 && isByTime(search, null);
  return isAlone && finder?.byTime ? finder : null;
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
