import { isWithin } from '../../lists/conditions.ts';
import type { PageRequest } from '../../lists/page.ts';
import { between, orderBy } from '../../lists/read-page.ts';
import { amongMerchants, merchantsToLookUp, type Scope } from '../../lists/scope.ts';
import { type Add, collectValues, whereAll } from '../../lists/values.ts';
import { type Finder, finderParts } from './list-finders.ts';
import { type Groups, groupsFrom, inGroup } from './list-groups.ts';
import { mayBeOpen, openOrders, rangeConditions, rowConditions } from './list-row-conditions.ts';
import type { OrderFilter, OrderList, OrderSort } from './order-filter.ts';

// The statements of a search for orders: where its candidates come from, its page, its total.

/** What is searched, and by whom. */
export interface Search {
  filter: OrderFilter;
  sort: OrderSort;
  isReversed: boolean;
  scope: Scope;
  finders: readonly Finder[];
  /** More candidates than these are not sorted. */
  mostCandidates: number;
}

/**
 * How orders are found. `found`: the orders of one finder, which are few. `time`: the orders of one finder, by creation. `range`: the orders of groups
 * within the filter's ranges, which are few. `walk`: groups in the order of the list. Of `sparse` groups all orders within the ranges are read:
 * a walk would read through the whole group.
 */
export type Plan =
  | { by: 'found'; finder: Finder }
  | { by: 'time'; finder: Finder }
  | { by: 'range'; groups: Groups }
  | { by: 'walk'; groups: Groups; sparse: Groups | null };

export interface Statement {
  text: string;
  values: unknown[];
}

/** Rows that a total looks at where a condition has to be checked for each. */
const mostExamined = 100_000;

function statement(make: (add: Add) => string): Statement {
  const { values, add } = collectValues();
  return { text: make(add), values };
}

const countUpTo = (rows: string, most: number): string =>
  `select count(*)::integer as count from (${rows} limit ${most + 1}) t`;

/** Counts the orders of a finder, up to one more than can be sorted. */
export function candidatesOfFinder({ mostCandidates }: Search, source: (add: Add) => string): Statement {
  return statement((add) => countUpTo(`select from (${source(add)}) f`, mostCandidates));
}

/** Counts the orders of groups within the filter's ranges, up to one more than can be sorted. */
export function candidatesInRange({ filter, sort, mostCandidates }: Search, groups: Groups): Statement {
  return statement((add) => {
    const where = whereAll([...inGroup(groups, filter, sort), ...rangeConditions(filter, add)]);
    return countUpTo(
      `select from ${groupsFrom(groups, add)} cross join lateral (select from orders t${where} limit ${mostCandidates + 1}) t`,
      mostCandidates,
    );
  });
}

/** A group with fewer orders within the ranges is not walked through. */
const fewestToWalk = 31;

/** Counts the orders of each group within the filter's ranges up to a few, in the order of the groups. */
export function countsInRange({ filter, sort, mostCandidates }: Search, groups: Groups): Statement {
  const dense = Math.min(fewestToWalk, mostCandidates + 1);
  return statement((add) => {
    const where = whereAll([...inGroup(groups, filter, sort), ...rangeConditions(filter, add)]);
    return `select c.count >= ${dense} as "isDense", c.count = 0 as "isEmpty" from ${groupsFrom(groups, add)} cross join lateral (
      select count(*) as count from (select from orders t${where} limit ${dense}) t) c order by g.place`;
  });
}

/** One page and the row after it: all columns of `orders`. */
export function pageOf(search: Search, plan: Plan, page: PageRequest<OrderList>): Statement {
  const order = orderBy(search, page);
  const limit = `limit ${page.size + 1}`;
  return statement((add) => {
    const cursors = between(search, page, null, add);
    // The same columns stand in `order_search`.
    const inSearch = (text: string): string => text.replaceAll('t.', 's.');
    if (plan.by === 'time')
      return `select t.* from ${byTimeFrom}${whereAll([...byTimeConditions(search, plan.finder, add), ...cursors.map(inSearch)])} ${inSearch(order)} ${limit}`;
    if (plan.by === 'found')
      return `select t.* from ${foundFrom(plan.finder, add)}${whereAll([...foundConditions(search, plan.finder, add), ...cursors])} ${order} ${limit}`;
    const conditions = whereAll([...walkConditions(search, plan.groups, add), ...cursors]);
    const all = (groups: Groups): string =>
      `select t.* from ${groupsFrom(groups, add)} cross join lateral (select t.* from orders t${conditions} offset 0) t ${order} ${limit}`;
    const walked = (groups: Groups): string =>
      walk(groupsFrom(groups, add), groups.rows.length, `${conditions} ${order}`, order, limit);
    const open = openConditions(search, add).map(
      (one) => `select t.* from orders t${whereAll([...one, ...cursors])} ${order} ${limit}`,
    );
    const ended =
      plan.by === 'range' ? [all(plan.groups)] : [walked(plan.groups), ...(plan.sparse ? [all(plan.sparse)] : [])];
    return `select t.* from (${[...ended, ...open].map((part) => `(${part})`).join(' union all ')}) t ${order} ${limit}`;
  });
}

/** Reads groups in the order of the list. The rows of a page come from as many groups at most: those with the first rows. */
function walk(groups: string, count: number, conditions: string, order: string, limit: string): string {
  const heads = `(select g.* from ${groups} cross join lateral (select t.* from orders t${conditions} limit 1) t ${order} ${limit}) g`;
  return `select t.* from ${count === 1 ? groups : heads} cross join lateral (select t.* from orders t${conditions} ${limit}) t ${order} ${limit}`;
}

/** These columns of a page, in its order. */
export function columnsOfPage(search: Search, columns: string, text: string, page: PageRequest<OrderList>): string {
  return `select ${columns} from (${text}) t ${orderBy(search, page)}`;
}

/** Counts all orders of a search up to `most`; `isCut`: not all were looked at. */
export function totalOf(search: Search, plan: Plan, most: number): Statement {
  return statement((add) => {
    const ended = totalOfEnded(search, plan, most, add);
    if (plan.by === 'time' || plan.by === 'found') return ended;
    const open = openConditions(search, add).map((one) => `select from orders t${whereAll(one)}`);
    if (open.length === 0) return ended;
    return `select e.count + o.count as count, e."isCut" from (${ended}) e cross join (${countUpTo(open.join(' union all '), most)}) o`;
  });
}

function totalOfEnded(search: Search, plan: Plan, most: number, add: Add): string {
  if (plan.by === 'time')
    return `${countUpTo(`select from order_search s${whereAll(byTimeConditions(search, plan.finder, add))}`, most).replace('as count', 'as count, false as "isCut"')}`;
  if (plan.by === 'found')
    return `${countUpTo(`select from ${foundFrom(plan.finder, add)}${whereAll(foundConditions(search, plan.finder, add))}`, most).replace('as count', 'as count, false as "isCut"')}`;
  const sparse = plan.by === 'walk' ? (plan.sparse?.rows ?? []) : [];
  const groups = { ...plan.groups, rows: [...plan.groups.rows, ...sparse] };
  const from = groupsFrom(groups, add);
  const residual = residualConditions(search, groups, add);
  const inside = [...inGroup(groups, search.filter, search.sort), ...rangeConditions(search.filter, add)];
  if (residual.length === 0)
    return `${countUpTo(`select from ${from} cross join lateral (select from orders t${whereAll(inside)} limit ${most + 1}) t`, most).replace('as count', 'as count, false as "isCut"')}`;
  const each = Math.ceil(mostExamined / Math.max(1, groups.rows.length));
  return `select count(*) filter (where not "isCut")::integer as count, coalesce(bool_or("isCut"), false) as "isCut" from (
      select t.nth > ${each} as "isCut" from ${from} cross join lateral (
        select t.*, row_number() over () as nth from (select t.* from orders t${whereAll(inside)} limit ${each + 1}) t) t
      where t.nth > ${each} or (${residual.join(' and ')}) limit ${most + 1}) t`;
}

/** The orders of a finder as rows `t`, each looked up by its key. */
function foundFrom({ source }: Finder, add: Add): string {
  return `(select distinct merchant_id, order_no from (${source?.(add)}) f) f cross join lateral (
    select o.* from orders o where o.merchant_id = f.merchant_id and o.order_no = f.order_no offset 0) t`;
}

const byTimeFrom = `order_search s cross join lateral (
    select o.* from orders o where o.merchant_id = s.merchant_id and o.order_no = s.order_no offset 0) t`;

function byTimeConditions({ filter: { createdFrom, createdTo } }: Search, { byTime }: Finder, add: Add): string[] {
  return [byTime?.(add) ?? 'false', ...isWithin('s.created_at', createdFrom, createdTo, add)];
}

function foundConditions({ filter, sort, scope, finders }: Search, finder: Finder, add: Add): string[] {
  const others = finders.filter((one) => one !== finder);
  return [...rowConditions(filter, sort, scope, add), ...others.map(({ holds }) => holds(add))];
}

function walkConditions(search: Search, groups: Groups, add: Add): string[] {
  return [
    ...inGroup(groups, search.filter, search.sort),
    ...rangeConditions(search.filter, add),
    ...residualConditions(search, groups, add),
  ];
}

/** The same for open orders, which no group has; by kind. */
function openConditions({ filter, sort, scope, finders }: Search, add: Add): string[][] {
  if (!mayBeOpen(filter, sort)) return [];
  return openOrders.map((open) => [
    open,
    ...rowConditions(filter, sort, scope, add),
    ...finders.map(({ holds }) => holds(add)),
  ]);
}

/** What neither the groups nor the columns of their indexes say: each order has to be looked at. */
function residualConditions({ filter, scope, finders }: Search, groups: Groups, add: Add): string[] {
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
