import type { ClientBase } from 'pg';
import { type Key, keyColumns } from '../../lists/keys.ts';
import type { PageRequest } from '../../lists/page.ts';
import { between, keyAsJson, orderBy } from '../../lists/read-page.ts';
import { whereAll } from '../../lists/values.ts';
import { boundAfter, isUpward } from './list-bounds.ts';
import { rangeConditions, rangeOf, type Search, type Statement, statement } from './list-conditions.ts';
import { type Groups, groupsFrom, inGroup } from './list-groups.ts';
import type { OrderList } from './order-filter.ts';

// A list is sorted by one column, and a range of the filter is in another: for example sorted by creation, with a range of amounts. The index of a
// group has both columns, so PostgreSQL skips an order outside of the range in a fraction of a microsecond. But it may have to skip millions of orders
// before the first one that fits. So a page is read slice by slice, and ends when it has skipped enough. docs/developers/add-a-filter.md explains slices.

/** How many orders a probe reads, to learn how densely they lie in the sorted column. */
const probed = 200;
/** About how many orders the first slice has. It is enough where one in sixty is within the range. */
const firstSlice = 3_200;
/** Each slice has this many times the orders of the one before. */
const growth = 16;
/**
 * The number of orders that are skipped in the time in which one is read. If the index lacks the column of the range,
 * each of them is read.
 */
const skipped = { byIndex: 200, byOrder: 25 };

/**
 * How many orders a page may skip instead of reading one. The index by completion lacks the creation, and the other indexes lack the completion.
 * For a range in a missing column, each order has to be read.
 */
export function skippedForOrder({ filter, sort }: Search): number {
  const { createdFrom, createdTo, completedFrom, completedTo } = filter;
  const [from, to] = sort === 'completed' ? [createdFrom, createdTo] : [completedFrom, completedTo];
  return from == null && to == null ? skipped.byIndex : skipped.byOrder;
}

/** How many orders the next slice has: few at first. */
export function nextSlice(before: number, left: number): number {
  return Math.min(before === 0 ? firstSlice : before * growth, left);
}

/** What a probe found. `cut`: the earliest order at which a group reached the probe's limit. `before`: how many orders come before it. */
interface Probe {
  before: number;
  first: Key | null;
  cut: Key | null;
}

/**
 * The end of a slice with about `orders` orders of the groups, inside and outside of the other ranges. It is estimated from the first orders.
 * Null: the groups have so few orders that one slice has them all.
 */
export async function endOfSlice(
  client: ClientBase,
  search: Search,
  groups: Groups,
  page: PageRequest<OrderList>,
  orders: number,
): Promise<Key | null> {
  const { text, values } = probeOf(search, groups, page, Math.min(probed, orders));
  const { rows } = await client.query<Probe>(text, values);
  const { before, first, cut } = rows[0] ?? { before: 0, first: null, cut: null };
  if (cut === null || first === null) return null;
  return boundAfter(page, first, cut, orders / Math.max(1, before), isUpward(search, page));
}

function probeOf(search: Search, groups: Groups, page: PageRequest<OrderList>, orders: number): Statement {
  const order = orderBy(search, page);
  const key = keyColumns(page.list).map(([column]) => column);
  const of = (row: string): string => `(${key.map((column) => `${row}.${column}`).join(', ')})`;
  const each = Math.max(2, Math.ceil(orders / Math.max(1, groups.rows.length)));
  return statement((add) => {
    const own = rangeConditions(rangeOf(search.filter, search.sort), add);
    const conditions = whereAll([...inGroup(groups, search.sort), ...own, ...between(search, page, null, add)]);
    const columns = key.map((column) => `t.${column}`).join(', ');
    const read = `select ${columns}, row_number() over () as nth from (select ${columns} from orders t${conditions} ${order} limit ${each}) t`;
    return `with read as materialized (select t.* from ${groupsFrom(groups, add)} cross join lateral (${read}) t),
      cut as materialized (select t.* from read t where t.nth = ${each} ${order} limit 1)
      select (select ${keyAsJson(page.list)} from read t ${order} limit 1) as "first", (select ${keyAsJson(page.list)} from cut t) as "cut",
        (select count(*)::integer from read t, cut c where ${of('t')} ${isUpward(search, page) ? '<' : '>'} ${of('c')}) as "before"`;
  });
}
