import type { ClientBase } from 'pg';
import { isWithin } from '../../lists/conditions.ts';
import { type Key, keyColumns } from '../../lists/keys.ts';
import type { PageRequest } from '../../lists/page.ts';
import { between, keyAsJson, orderBy } from '../../lists/read-page.ts';
import { merchantsToLookUp } from '../../lists/scope.ts';
import { type Add, whereAll } from '../../lists/values.ts';
import { beginningAt, boundAfter, type Found, isUpward, nearer, upTo } from './list-bounds.ts';
import type { Finder } from './list-finders.ts';
import { type Groups, groupsFrom, inEnded, inGroup } from './list-groups.ts';
import { type OpenNotificationState, ordersOfNotifications } from './list-late-notifications.ts';
import { hasOtherRange, rangeConditions, rowConditions } from './list-row-conditions.ts';
import {
  allInRange,
  foundFrom,
  inSearchTable,
  openConditions,
  ordersByTime,
  othersOf,
  rangeOf,
  residualConditions,
  type Search,
  type Statement,
  statement,
} from './list-search.ts';
import { endOfSlice, nextSlice, passedForOrder } from './list-slices.ts';
import type { OrderList } from './order-filter.ts';

// A bounded search: no index says whether an order fits the filter, so each order is read and checked. One page reads a limited number of orders.
// docs/developers/add-a-filter.md explains groups, finders, slices and the ways to read a page.

/**
 * Where a bounded search reads the orders that it checks, in the order of the list:
 * - `groups`: the ended orders of these groups. `isFew`: the sorted column's range has few of them, so one round reads them all.
 * - `range`: the ended orders of these groups within the filter's ranges. They are few.
 * - `found`: the orders of one finder. They are few.
 * - `time`: the orders of one finder by time of creation. There may be many.
 * - `notified`: the same by notification state.
 * - `rows`: all rows of `order_search`, by time of creation.
 * - `all`: all orders.
 */
export type Source =
  | { by: 'groups'; groups: Groups; isFew: boolean }
  | { by: 'range'; groups: Groups }
  | { by: 'found'; finder: Finder }
  | { by: 'time'; finder: Finder }
  | { by: 'notified'; states: readonly OpenNotificationState[]; finder: Finder }
  | { by: 'rows' }
  | { by: 'all' };

/** What one round found. */
interface Round {
  /** How many orders the round read. */
  ordersRead: number;
  /** How many of them come no later than `cut`. */
  ordersComplete: number;
  firstKey: Key | null;
  /**
   * Where the round became incomplete: the earliest order at which a group had `limitPerGroup` orders. That group may have more orders after it, so
   * the round ignores all later orders of all groups. Null: no group reached its limit.
   */
  cut: Key | null;
  /** The orders up to `cut` that fit the filter, as keys. Null: none. */
  merchantIds: string[] | null;
  orderNos: string[] | null;
}

/** How many orders the first round reads, of all groups together. */
const firstRound = 200;
/** A later round reads at most this many times the orders that are left of the budget. More than one, because orders may be denser than before. */
const maxReadAhead = 4;
/** A round covers at most this many times the distance of the round before, in the sorted column. */
const maxGrowth = 16;

/**
 * Reads the orders of a source in the order of the list, and returns those that fit. Ends when a page is full, or when about `budget` orders were read.
 *
 * The first round reads a few orders of each group, to learn how densely orders lie in the sorted column. Each later round computes a bound from that:
 * a value of the sorted column before which about as many orders lie as are left of the budget. It reads all groups up to this bound.
 * With only a limit per group, one large group would end every round early. Many small groups would read far beyond that, and use up the budget.
 */
export async function findBounded(
  client: ClientBase,
  search: Search,
  source: Source,
  page: PageRequest<OrderList>,
  budget: number,
): Promise<Found> {
  const found: Found = { merchantIds: [], orderNos: [], stop: null };
  const groups = countGroups(search, source);
  const goesUp = isUpward(search, page);
  const skips = skipLimitOf(client, search, source, budget);
  let limitPerGroup = firstLimitOf(source, budget, groups);
  let ordersLeft = budget;
  let start = page.backward ? page.before : page.after;
  let bound = await skips.nextBound(beginningAt(page, start));
  for (;;) {
    const { text, values } = roundOf(search, source, beginningAt(page, start), { bound, limitPerGroup });
    const { rows } = await client.query<Round>(text, values);
    const round = rows[0];
    if (!round) throw new Error('a round of a search has no answer');
    found.merchantIds.push(...(round.merchantIds ?? []));
    found.orderNos.push(...(round.orderNos ?? []));
    // Without a limit or a bound, the round read to the end of the list.
    const stop: Key | null = round.cut ?? bound;
    if (stop === null || found.orderNos.length > page.size) return found;
    ordersLeft -= round.ordersRead;
    if (ordersLeft <= 0 || skips.isReached()) return { ...found, stop };
    const { ordersComplete } = round;
    const growth = ordersComplete === 0 ? maxGrowth : Math.max(1, Math.min(maxGrowth, ordersLeft / ordersComplete));
    const boundByGrowth = boundAfter(page, start ?? round.firstKey ?? stop, stop, growth, goesUp);
    bound = nearer(boundByGrowth, await skips.nextBound(beginningAt(page, stop)), goesUp);
    start = stop;
    limitPerGroup = Math.max(2, Math.ceil((ordersLeft * maxReadAhead) / Math.max(maxReadAhead, groups)));
  }
}

/** How many orders of each group the first round reads. If the source has few orders, that is all of them. */
function firstLimitOf(source: Source, budget: number, groups: number): number {
  const isFew = source.by === 'found' || source.by === 'range' || (source.by === 'groups' && source.isFew);
  return isFew ? budget : Math.max(2, Math.ceil(Math.min(firstRound, budget) / Math.max(1, groups)));
}

/**
 * Limits how many orders the index skips. It skips them if the filter has a range in another column than the sorted one: for example sorted by
 * creation, with a range of amounts. The round then reads few orders, but PostgreSQL goes past all those between them.
 */
interface SkipLimit {
  /** The bound of the next round that covers the next slice; null: no limit. */
  nextBound(rest: PageRequest<OrderList>): Promise<Key | null>;
  isReached(): boolean;
}

function skipLimitOf(client: ClientBase, search: Search, source: Source, budget: number): SkipLimit {
  if (source.by !== 'groups' || source.isFew || !hasOtherRange(search.filter, search.sort))
    return { nextBound: async () => null, isReached: () => false };
  let skipsLeft = budget * passedForOrder(search);
  let slice = 0;
  return {
    nextBound: (rest) => {
      slice = nextSlice(slice, skipsLeft);
      skipsLeft -= slice;
      return endOfSlice(client, search, source.groups, rest, slice);
    },
    isReached: () => skipsLeft <= 0,
  };
}

/** How many groups a round reads, each up to its own limit. Without groups, the merchants or the whole source count as such. */
function countGroups({ filter, sort, scope }: Search, source: Source): number {
  if (source.by === 'all' && sort === 'created')
    return merchantsToLookUp(filter.merchantIds ?? null, scope)?.length ?? 1;
  return source.by === 'groups' ? source.groups.rows.length : 1;
}

/**
 * The statement of one round. `read`: up to `limitPerGroup` orders of each group, none beyond `bound`. `cut`: the earliest order at which a group
 * reached its limit. `fitting`: the orders up to `cut` that fit the filter.
 */
function roundOf(
  search: Search,
  source: Source,
  page: PageRequest<OrderList>,
  { bound, limitPerGroup }: { bound: Key | null; limitPerGroup: number },
): Statement {
  const order = orderBy(search, page);
  const key = keyColumns(page.list).map(([column]) => column);
  const keyOf = (row: string): string => `(${key.map((column) => `${row}.${column}`).join(', ')})`;
  return statement((add) => {
    const cursors = [...between(search, page, null, add), ...upTo(search, page, bound, add)];
    const { reads, residual } = partsOf(search, source, { cursors, order, limitPerGroup }, add);
    const isAfterCut = `${keyOf('t')} ${isUpward(search, page) ? '>' : '<'} ${keyOf('c')}`;
    const complete = `read t where not exists (select from cut c where ${isAfterCut})`;
    const fitting = `select t.* from ${[complete, ...residual].join(' and ')} ${order} limit ${page.size + 1}`;
    return `with read as materialized (${reads.map((read) => `(${read})`).join(' union all ')}),
      cut as materialized (select t.* from read t where t.nth = ${limitPerGroup} ${order} limit 1),
      fitting as materialized (${fitting})
      select (select count(*)::integer from read) as "ordersRead", (select count(*)::integer from ${complete}) as "ordersComplete",
        (select ${keyAsJson(page.list)} from read t ${order} limit 1) as "firstKey", (select ${keyAsJson(page.list)} from cut t) as "cut",
        (select array_agg(t.merchant_id ${order}) from fitting t) as "merchantIds", (select array_agg(t.order_no ${order}) from fitting t) as "orderNos"`;
  });
}

/** The same for each part of a round. */
interface RoundParts {
  /** Conditions of an order `t`: after the start of the round, and not beyond its bound. */
  cursors: readonly string[];
  order: string;
  limitPerGroup: number;
}

/**
 * `reads`: selects the orders that a round reads. `nth` numbers them within their group. `residual`: the conditions that no index decides. The round
 * checks them for each order that it read.
 *
 * `offset 0` keeps PostgreSQL from joining the inner select into the outer one. So it looks up each order by its key.
 */
function partsOf(
  search: Search,
  source: Source,
  { cursors, order, limitPerGroup }: RoundParts,
  add: Add,
): { reads: string[]; residual: string[] } {
  const { filter, sort, scope, finders } = search;
  const limited = (conditions: readonly string[]): string =>
    `select t.*, row_number() over () as nth from (select t.* from orders t${whereAll([...conditions, ...cursors])} ${order} limit ${limitPerGroup}) t`;
  if (source.by === 'found') {
    // All orders of the finder, looked up by key and sorted.
    const conditions = whereAll([...rowConditions(filter, sort, scope, add), ...cursors]);
    const found = `select t.* from ${foundFrom(source.finder, add)}${conditions} ${order} limit ${limitPerGroup}`;
    return {
      reads: [`select t.*, row_number() over () as nth from (${found}) t`],
      residual: othersOf(search, source.finder, add),
    };
  }
  if (source.by === 'time' || source.by === 'notified') {
    const part = { ...search, cursors, order, limit: limitPerGroup };
    const keys =
      source.by === 'notified'
        ? ordersOfNotifications({ ...part, states: source.states }, add)
        : ordersByTime(search, source.finder, part, add);
    const read = `select t.*, s.nth from (${keys}) s cross join lateral (
      select o.* from orders o where o.merchant_id = s.merchant_id and o.order_no = s.order_no offset 0) t`;
    return {
      reads: [read],
      residual: [...rowConditions(filter, sort, scope, add), ...othersOf(search, source.finder, add)],
    };
  }
  if (source.by === 'rows') {
    // Rows of `order_search` only. `is_hit`: those finders fit that need no other table.
    const conditions = whereAll([...createdWithin(search, 's', add), ...cursors.map(inSearchTable)]);
    const found = `select s.* from order_search s${conditions} ${inSearchTable(order)} limit ${limitPerGroup}`;
    const hit = finders.flatMap(({ inSearch }) => inSearch?.(add) ?? []).join(' and ');
    const read = `select s.merchant_id, s.order_no, s.created_at, ${hit} as is_hit, row_number() over () as nth from (${found}) s`;
    return { reads: [read], residual: ['t.is_hit', ...finders.flatMap((one) => (one.inSearch ? [] : one.holds(add)))] };
  }
  if (source.by === 'all') return partsOfAll(search, limited, add);
  // The indexes of groups have ended orders only. Open orders have indexes of their own, and are added.
  const { groups } = source;
  const open = openConditions({ ...search, finders: [] }, add).map(limited);
  const residual = residualConditions(search, groups, add);
  if (source.by === 'range') {
    const found = `${allInRange(search, groups, cursors, add)} ${order} limit ${limitPerGroup}`;
    return { reads: [`select t.*, row_number() over () as nth from (${found}) t`, ...open], residual };
  }
  const ended = limited([...inGroup(groups, sort), ...rangeConditions(filter, add)]);
  return {
    reads: [`select t.* from ${groupsFrom(groups, add)} cross join lateral (${ended}) t`, ...open],
    residual,
  };
}

/** The parts of a round over all orders. `limited`: selects the orders with these conditions, up to the limit. */
function partsOfAll(
  search: Search,
  limited: (conditions: readonly string[]) => string,
  add: Add,
): { reads: string[]; residual: string[] } {
  const { filter, sort, scope, finders } = search;
  if (sort !== 'created') {
    // The index of all ended orders by amount or completion. Open orders have indexes of their own.
    const open = openConditions({ ...search, finders: [] }, add);
    const ended = [...inEnded(sort), ...rangeConditions(rangeOf(filter, sort), add)];
    return {
      reads: [ended, ...open].map(limited),
      residual: [...rowConditions(filter, sort, scope, add), ...finders.map(({ holds }) => holds(add))],
    };
  }
  // The index by creation: of each merchant, or of all. PostgreSQL uses the partial index of merchants only if its condition is repeated here.
  const created = createdWithin(search, 't', add);
  const merchants = merchantsToLookUp(filter.merchantIds ?? null, scope);
  const read = merchants
    ? `select t.* from unnest(${add(merchants)}::text[]) as of(merchant) cross join lateral (
        ${limited(['t.merchant_id = of.merchant', `t.created_at > '-infinity'`, ...created])}) t`
    : limited(created);
  return {
    reads: [read],
    residual: [...rowConditions(filter, sort, scope, add), ...finders.map(({ holds }) => holds(add))],
  };
}

function createdWithin({ filter: { createdFrom, createdTo } }: Search, row: string, add: Add): string[] {
  return isWithin(`${row}.created_at`, createdFrom, createdTo, add);
}

/** The orders with these keys, in the order of the list. */
export function pageOfFound({ merchantIds, orderNos }: Found, search: Search, page: PageRequest<OrderList>): Statement {
  return statement(
    (
      add,
    ) => `select t.* from unnest(${add(merchantIds)}::text[], ${add(orderNos)}::text[]) as f(merchant_id, order_no) cross join lateral (
      select o.* from orders o where o.merchant_id = f.merchant_id and o.order_no = f.order_no offset 0) t ${orderBy(search, page)}`,
  );
}
