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
import { hasOtherRange, rangeConditions, rowConditions } from './list-row-conditions.ts';
import {
  allInRange,
  foundFrom,
  inSearchTable,
  openConditions,
  othersOf,
  rangeOf,
  residualConditions,
  type Search,
  type Statement,
  statement,
} from './list-search.ts';
import { endOfSlice, nextSlice, passedForOrder } from './list-slices.ts';
import type { OrderList } from './order-filter.ts';

// A search that has to look at each order, because no index says whether it fits. One page looks at a limited number of them.

/**
 * Where the orders come from that are looked at. `groups`: orders of groups, which are few or not. `range`: the few orders of groups in a range.
 * `found`: the few orders of a finder. `time`: those of a finder by creation. `rows`: all rows of `order_search` by creation. `all`: all orders in the order of the list.
 */
export type Source =
  | { by: 'groups'; groups: Groups; isFew: boolean }
  | { by: 'range'; groups: Groups }
  | { by: 'found'; finder: Finder }
  | { by: 'time'; finder: Finder }
  | { by: 'rows' }
  | { by: 'all' };

/** The range that one round read: from the first order to `cut`, where a limit ended it. */
interface Round {
  read: number;
  before: number;
  first: Key | null;
  cut: Key | null;
  merchantIds: string[] | null;
  orderNos: string[] | null;
}

/** How many orders the first round reads. */
const firstRound = 200;
/** How many times the orders that may still be looked at a round reads at most, where they lie closer together than before. */
const mostRead = 4;
/** How much further than the round before a round goes, at most. */
const mostGrowth = 16;

/**
 * Looks at the orders of a source in the order of the list. Ends when a page is full, or about `budget` of them were looked at. The first round reads
 * few orders of each group. It shows how close together they lie. Each later round goes on from there to a bound that about as many orders precede as
 * may still be read. So a large group is not held up by many small ones.
 */
export async function findBounded(
  client: ClientBase,
  search: Search,
  source: Source,
  page: PageRequest<OrderList>,
  budget: number,
): Promise<Found> {
  const found: Found = { merchantIds: [], orderNos: [], stop: null };
  const groups = groupsOf(search, source);
  const goesUp = isUpward(search, page);
  const passing = passingOf(client, search, source, budget);
  let each = firstOf(source, budget, groups);
  let left = budget;
  let from = page.backward ? page.before : page.after;
  let until = await passing.end(beginningAt(page, from));
  for (;;) {
    const { text, values } = roundOf(search, source, beginningAt(page, from), { until, each });
    const { rows } = await client.query<Round>(text, values);
    const round = rows[0];
    if (!round) throw new Error('a round of a search has no answer');
    found.merchantIds.push(...(round.merchantIds ?? []));
    found.orderNos.push(...(round.orderNos ?? []));
    const stop: Key | null = round.cut ?? until;
    if (stop === null || found.orderNos.length > page.size) return found;
    left -= round.read;
    if (left <= 0 || passing.isOver()) return { ...found, stop };
    const growth = round.before === 0 ? mostGrowth : Math.max(1, Math.min(mostGrowth, left / round.before));
    const byGrowth = boundAfter(page, from ?? round.first ?? stop, stop, growth, goesUp);
    until = nearer(byGrowth, await passing.end(beginningAt(page, stop)), goesUp);
    from = stop;
    each = Math.max(2, Math.ceil((left * mostRead) / Math.max(mostRead, groups)));
  }
}

/** How many orders of each group the first round reads. Of few orders all are read at once. */
function firstOf(source: Source, budget: number, groups: number): number {
  const isFew = source.by === 'found' || source.by === 'range' || (source.by === 'groups' && source.isFew);
  return isFew ? budget : Math.max(2, Math.ceil(Math.min(firstRound, budget) / Math.max(1, groups)));
}

/** How far the rounds may go, where groups are read past orders that are in no other range of the filter. */
interface Passing {
  end(rest: PageRequest<OrderList>): Promise<Key | null>;
  isOver(): boolean;
}

function passingOf(client: ClientBase, search: Search, source: Source, budget: number): Passing {
  if (source.by !== 'groups' || source.isFew || !hasOtherRange(search.filter, search.sort))
    return { end: async () => null, isOver: () => false };
  let left = budget * passedForOrder(search);
  let slice = 0;
  return {
    end: (rest) => {
      slice = nextSlice(slice, left);
      left -= slice;
      return endOfSlice(client, search, source.groups, rest, slice);
    },
    isOver: () => left <= 0,
  };
}

/** How many groups a round reads at the same time. */
function groupsOf({ filter, sort, scope }: Search, source: Source): number {
  if (source.by === 'all' && sort === 'created')
    return merchantsToLookUp(filter.merchantIds ?? null, scope)?.length ?? 1;
  return source.by === 'groups' ? source.groups.rows.length : 1;
}

/** One round: reads up to `each` orders of each group up to `until`, and finds those that fit. */
function roundOf(
  search: Search,
  source: Source,
  page: PageRequest<OrderList>,
  { until, each }: { until: Key | null; each: number },
): Statement {
  const order = orderBy(search, page);
  const key = keyColumns(page.list).map(([column]) => column);
  const of = (row: string): string => `(${key.map((column) => `${row}.${column}`).join(', ')})`;
  return statement((add) => {
    const cursors = [...between(search, page, null, add), ...upTo(search, page, until, add)];
    const { reads, residual } = partsOf(search, source, { cursors, order, each }, add);
    const examined = `read t where not exists (select from cut c where ${of('t')} ${isUpward(search, page) ? '>' : '<'} ${of('c')})`;
    const fitting = `select t.* from ${[examined, ...residual].join(' and ')} ${order} limit ${page.size + 1}`;
    return `with read as materialized (${reads.map((read) => `(${read})`).join(' union all ')}),
      cut as materialized (select t.* from read t where t.nth = ${each} ${order} limit 1),
      fitting as materialized (${fitting})
      select (select count(*)::integer from read) as "read", (select count(*)::integer from ${examined}) as "before",
        (select ${keyAsJson(page.list)} from read t ${order} limit 1) as "first", (select ${keyAsJson(page.list)} from cut t) as "cut",
        (select array_agg(t.merchant_id ${order}) from fitting t) as "merchantIds", (select array_agg(t.order_no ${order}) from fitting t) as "orderNos"`;
  });
}

interface Reading {
  cursors: readonly string[];
  order: string;
  each: number;
}

/**
 * The orders that a round reads, each with its number within its group, and the conditions that are then checked for
 * each.
 */
function partsOf(
  search: Search,
  source: Source,
  { cursors, order, each }: Reading,
  add: Add,
): { reads: string[]; residual: string[] } {
  const { filter, sort, scope, finders } = search;
  const limited = (conditions: readonly string[]): string =>
    `select t.*, row_number() over () as nth from (select t.* from orders t${whereAll([...conditions, ...cursors])} ${order} limit ${each}) t`;
  if (source.by === 'found') {
    const conditions = whereAll([...rowConditions(filter, sort, scope, add), ...cursors]);
    const found = `select t.* from ${foundFrom(source.finder, add)}${conditions} ${order} limit ${each}`;
    return {
      reads: [`select t.*, row_number() over () as nth from (${found}) t`],
      residual: othersOf(search, source.finder, add),
    };
  }
  if (source.by === 'time') {
    const inSearch = [source.finder.byTime?.(add) ?? 'false', ...createdWithin(search, 's', add)];
    const columns = 's.merchant_id, s.order_no, s.created_at';
    const found = `select ${columns} from order_search s${whereAll([...inSearch, ...cursors.map(inSearchTable)])} ${inSearchTable(order)} limit ${each}`;
    const read = `select t.*, s.nth from (select s.*, row_number() over () as nth from (${found}) s) s cross join lateral (
      select o.* from orders o where o.merchant_id = s.merchant_id and o.order_no = s.order_no offset 0) t`;
    return {
      reads: [read],
      residual: [...rowConditions(filter, sort, scope, add), ...othersOf(search, source.finder, add)],
    };
  }
  if (source.by === 'rows') {
    const conditions = whereAll([...createdWithin(search, 's', add), ...cursors.map(inSearchTable)]);
    const found = `select s.* from order_search s${conditions} ${inSearchTable(order)} limit ${each}`;
    const hit = finders.flatMap(({ inSearch }) => inSearch?.(add) ?? []).join(' and ');
    const read = `select s.merchant_id, s.order_no, s.created_at, ${hit} as is_hit, row_number() over () as nth from (${found}) s`;
    return { reads: [read], residual: ['t.is_hit', ...finders.flatMap((one) => (one.inSearch ? [] : one.holds(add)))] };
  }
  if (source.by === 'all' && sort !== 'created') {
    const open = openConditions({ ...search, finders: [] }, add);
    const ended = [...inEnded(sort), ...rangeConditions(rangeOf(filter, sort), add)];
    return {
      reads: [ended, ...open].map(limited),
      residual: [...rowConditions(filter, sort, scope, add), ...finders.map(({ holds }) => holds(add))],
    };
  }
  if (source.by === 'all') {
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
  const { groups } = source;
  const open = openConditions({ ...search, finders: [] }, add).map(limited);
  const residual = residualConditions(search, groups, add);
  if (source.by === 'range') {
    const found = `${allInRange(search, groups, cursors, add)} ${order} limit ${each}`;
    return { reads: [`select t.*, row_number() over () as nth from (${found}) t`, ...open], residual };
  }
  const ended = limited([...inGroup(groups, sort), ...rangeConditions(filter, add)]);
  return {
    reads: [`select t.* from ${groupsFrom(groups, add)} cross join lateral (${ended}) t`, ...open],
    residual,
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
