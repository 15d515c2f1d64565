import type { ClientBase } from 'pg';
import { type Key, keyColumns } from '../../lists/keys.ts';
import type { PageRequest } from '../../lists/page.ts';
import { between, keyAsJson, orderBy } from '../../lists/read-page.ts';
import { amongMerchants, merchantsToLookUp } from '../../lists/scope.ts';
import { type Add, whereAll } from '../../lists/values.ts';
import { beginningAt, boundAfter, isUpward, nearer, upTo } from './list-bounds.ts';
import {
  countUpTo,
  createdWithin,
  inSearchTable,
  openConditions,
  otherRange,
  rangeConditions,
  rangeOf,
  rowConditions,
  type Search,
  type Statement,
  statement,
} from './list-conditions.ts';
import type { Finder } from './list-finders.ts';
import { allInRange, type Groups, groupsFrom, inEnded, inGroup } from './list-groups.ts';
import { endOfSlice, nextSlice, skippedForOrder } from './list-slices.ts';
import type { OrderList, OrderSort } from './order-filter.ts';

// Orders are read in the order of the list, round by round, and those are kept that fit. docs/developers/add-a-filter.md
// explains finders, groups and slices.

/**
 * Where the orders of a page are read:
 * - `keys`: the orders of one finder. They are few, and looked up by key.
 * - `range`: the ended orders of these groups within a range that is not sorted by. They are few.
 * - `groups`: the ended orders of these groups, each group sorted by an index.
 * - `rows`: all rows of `order_search`, by time of creation.
 * - `all`: all orders, or those of some merchants.
 */
export type Source =
  | { by: 'keys'; finder: Finder }
  | { by: 'range'; groups: Groups; range: OrderSort }
  | { by: 'groups'; groups: Groups }
  | { by: 'rows' }
  | { by: 'all' };

/** The orders of a page and the one after it, as their keys. `stop`: where the search ended before the page was full. */
export interface Found {
  merchantIds: string[];
  orderNos: string[];
  stop: Key | null;
}

/** What one round found. */
interface Round {
  /** How many orders the round read. */
  ordersRead: number;
  /** How many of them come no later than `cut`. */
  ordersComplete: number;
  firstKey: Key | null;
  /**
   * Where the round became incomplete: the earliest order at which a group had `limit` orders. That group may have more
   * orders after it, so the round ignores all later orders of all groups. Null: no group reached its limit.
   */
  cut: Key | null;
  /** The orders up to `cut` that fit the filter, as keys. Null: none. */
  merchantIds: string[] | null;
  orderNos: string[] | null;
}

/** How many orders the first round reads, of all groups together. */
const firstRound = 200;
/** A later round reads at most this many times the orders that are left. More than one, because orders may be denser than before. */
const maxReadAhead = 4;
/** A round covers at most this many times the distance of the round before, in the sorted column. */
const maxGrowth = 16;
/** The number of short rows of `order_search` that are read in the time of one order. */
const rowsForOrder = { ofAllFinders: 10, ofSome: 3 };

/**
 * Reads the orders of a source in the order of the list, and returns those that fit. Ends when a page is full, or when
 * about `maxExamined` orders were read of which some do not fit.
 *
 * The first round reads a few orders of each group, to learn how densely orders lie in the sorted column. Each later
 * round computes a bound from that: a value of the sorted column before which about as many orders lie as may still be
 * read. It reads all groups up to this bound. With only a limit for each group, one large group would end every round
 * early, and many small groups would read far beyond that.
 */
export async function walkOrders(
  client: ClientBase,
  search: Search,
  source: Source,
  page: PageRequest<OrderList>,
): Promise<Found> {
  const found: Found = { merchantIds: [], orderNos: [], stop: null };
  const goesUp = isUpward(search, page);
  const groups = countGroups(search, source);
  const budget = budgetOf(search, source);
  // More orders of one group are never needed for a page, if all fit.
  const most = Number.isFinite(budget) ? budget : page.size + 1;
  const skips = skipLimitOf(client, search, source);
  const isFew = source.by === 'keys' || source.by === 'range';
  let limit = isFew ? most : Math.min(most, Math.max(2, Math.ceil(Math.min(firstRound, budget) / Math.max(1, groups))));
  let ordersLeft = budget;
  let start = page.backward ? page.before : page.after;
  let bound = await skips.nextBound(beginningAt(page, start));
  for (;;) {
    const { text, values } = roundOf(search, source, beginningAt(page, start), { bound, limit });
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
    limit = Math.min(most, Math.max(2, Math.ceil((ordersLeft * maxReadAhead) / Math.max(maxReadAhead, groups))));
  }
}

/** How many orders one page reads. Without a limit where each order that is read fits. */
function budgetOf(search: Search, source: Source): number {
  const { maxExamined, finders } = search;
  if (residualOf(search, source, () => '').length === 0) return Number.POSITIVE_INFINITY;
  if (source.by === 'rows')
    return maxExamined * rowsForOrder[finders.every(({ inSearch }) => inSearch) ? 'ofAllFinders' : 'ofSome'];
  // Also orders that are not in the other range are read past.
  return source.by === 'groups' && otherRange(search.filter, search.sort) ? Math.ceil(maxExamined / 2) : maxExamined;
}

/**
 * Limits how many orders the index skips. It skips them if the filter has a range in another column than the sorted one:
 * for example sorted by creation, with a range of amounts. The round then reads few orders, but PostgreSQL goes past all
 * those between them.
 */
interface SkipLimit {
  /** The bound of the next round that covers the next slice; null: no limit. */
  nextBound(rest: PageRequest<OrderList>): Promise<Key | null>;
  isReached(): boolean;
}

function skipLimitOf(client: ClientBase, search: Search, source: Source): SkipLimit {
  if (source.by !== 'groups' || otherRange(search.filter, search.sort) === null)
    return { nextBound: async () => null, isReached: () => false };
  let skipsLeft = search.maxExamined * skippedForOrder(search);
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
 * The statement of one round. `read`: up to `limit` orders of each group, none beyond `bound`. `cut`: the earliest order
 * at which a group reached its limit. `fitting`: the orders up to `cut` that fit the filter.
 */
function roundOf(
  search: Search,
  source: Source,
  page: PageRequest<OrderList>,
  { bound, limit }: { bound: Key | null; limit: number },
): Statement {
  const order = orderBy(search, page);
  const key = keyColumns(page.list).map(([column]) => column);
  const keyOf = (row: string): string => `(${key.map((column) => `${row}.${column}`).join(', ')})`;
  return statement((add) => {
    const cursors = [...between(search, page, null, add), ...upTo(search, page, bound, add)];
    const reads = readsOf(search, source, { cursors, order, limit }, add);
    const residual = residualOf(search, source, add);
    const isAfterCut = `${keyOf('t')} ${isUpward(search, page) ? '>' : '<'} ${keyOf('c')}`;
    const complete = `read t where not exists (select from cut c where ${isAfterCut})`;
    const fitting = `select t.* from ${[complete, ...residual].join(' and ')} ${order} limit ${page.size + 1}`;
    return `with read as materialized (${reads.map((read) => `(${read})`).join(' union all ')}),
      cut as materialized (select t.* from read t where t.nth = ${limit} ${order} limit 1),
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
  limit: number;
}

const numbered = (orders: string): string => `select t.*, row_number() over () as nth from (${orders}) t`;

/** Selects the orders that a round reads. `nth` numbers them within their group. */
function readsOf(search: Search, source: Source, { cursors, order, limit }: RoundParts, add: Add): string[] {
  const { filter, sort, scope } = search;
  const end = `${order} limit ${limit}`;
  const limited = (conditions: readonly string[]): string =>
    numbered(`select t.* from orders t${whereAll([...conditions, ...cursors])} ${end}`);
  // The indexes of groups have ended orders only. Open orders have indexes of their own, and are added.
  const open = () => openConditions({ ...search, finders: [] }, add).map(limited);
  switch (source.by) {
    case 'keys': {
      const conditions = whereAll([...rowConditions(filter, sort, scope, add), ...cursors]);
      return [numbered(`select t.* from ${ordersOf(source.finder, add)}${conditions} ${end}`)];
    }
    case 'range':
      return [numbered(`${allInRange(search, source, cursors, add)} ${end}`), ...open()];
    case 'groups': {
      const ended = limited([...inGroup(source.groups, sort), ...rangeConditions(filter, add)]);
      return [`select t.* from ${groupsFrom(source.groups, add)} cross join lateral (${ended}) t`, ...open()];
    }
    case 'rows': {
      // `is_hit`: those finders fit that need no other table.
      const conditions = whereAll([...createdWithin(search, 's', add), ...cursors.map(inSearchTable)]);
      const found = `select s.* from order_search s${conditions} ${inSearchTable(end)}`;
      const hit = search.finders.flatMap(({ inSearch }) => inSearch?.(add) ?? []).join(' and ');
      return [
        `select s.merchant_id, s.order_no, s.created_at, ${hit} as is_hit, row_number() over () as nth from (${found}) s`,
      ];
    }
    case 'all': {
      if (sort !== 'created')
        return [limited([...inEnded(sort), ...rangeConditions(rangeOf(filter, sort), add)]), ...open()];
      // PostgreSQL uses the partial index of merchants only if its condition is repeated here.
      const created = createdWithin(search, 't', add);
      const merchants = merchantsToLookUp(filter.merchantIds ?? null, scope);
      if (!merchants) return [limited(created)];
      const ofMerchant = limited(['t.merchant_id = of.merchant', `t.created_at > '-infinity'`, ...created]);
      return [`select t.* from unnest(${add(merchants)}::text[]) as of(merchant) cross join lateral (${ofMerchant}) t`];
    }
  }
}

/** The conditions that no index decides. A round checks them for each order that it read. */
function residualOf(search: Search, source: Source, add: Add): string[] {
  const { filter, sort, scope, finders } = search;
  const holding = (those: readonly Finder[]): string[] => those.map(({ holds }) => holds(add));
  switch (source.by) {
    case 'keys':
      return holding(finders.filter((one) => one !== source.finder));
    case 'range':
    case 'groups':
      return residualConditions(search, source.groups, add);
    case 'rows':
      return ['t.is_hit', ...holding(finders.filter(({ inSearch }) => !inSearch))];
    case 'all':
      return [...rowConditions(filter, sort, scope, add), ...holding(finders)];
  }
}

/** The conditions that neither the groups nor the columns of their indexes decide, so each order has to be read. */
export function residualConditions({ filter, scope, finders }: Search, groups: Groups, add: Add): string[] {
  const wanted = filter.merchantIds ?? null;
  const merchants = groups.by === 'merchant_id' ? [] : amongMerchants(wanted, { ...scope, countries: null }, add);
  return [...merchants, ...finders.map(({ holds }) => holds(add))];
}

/** Counts the orders of a finder's source, up to one more than `most`. */
export function candidatesOf(source: (add: Add) => string, most: number): Statement {
  return statement((add) => countUpTo(`select from (${source(add)}) f`, most));
}

/**
 * The orders of a finder as rows `t`. `offset 0` keeps PostgreSQL from joining the inner select into the outer one. So it
 * looks up each order by its key.
 */
export function ordersOf({ source }: Finder, add: Add): string {
  return ordersWith(`(select distinct merchant_id, order_no from (${source?.(add)}) f)`);
}

/** These columns of the orders with these keys, in the order of the list. */
export function pageOfFound(
  { merchantIds, orderNos }: Found,
  search: Search,
  page: PageRequest<OrderList>,
  columns: string,
): Statement {
  return statement(
    (add) =>
      `select ${columns} from ${ordersWith(`unnest(${add(merchantIds)}::text[], ${add(orderNos)}::text[])`)} ${orderBy(search, page)}`,
  );
}

const ordersWith = (keys: string): string => `${keys} as f(merchant_id, order_no) cross join lateral (
    select o.* from orders o where o.merchant_id = f.merchant_id and o.order_no = f.order_no offset 0) t`;
