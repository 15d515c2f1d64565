import type { ClientBase } from 'pg';
import type { Order } from '../../core/order.ts';
import type { Reading } from '../../database/reading.ts';
import { countOnce } from '../../lists/count-rows.ts';
import type { JoinedReading } from '../../lists/joined-rows.ts';
import { type Page, type PageRequest, type Total, toPage } from '../../lists/page.ts';
import { tookTooLong, withinTime } from '../../lists/within-time.ts';
import { mostGroups, readGroups } from './list-groups.ts';
import { hasOtherRange, mayBeOpen } from './list-row-conditions.ts';
import {
  candidatesInRange,
  candidatesOfFinder,
  columnsOfPage,
  countsInRange,
  finderByTime,
  type Plan,
  pageOf,
  type Search,
  type Statement,
  totalOf,
} from './list-search.ts';
import type { OrderList } from './order-filter.ts';

/** A search that would have to look at too many orders. It is refused: a page is never short. */
export class SearchTooWide extends Error {
  constructor() {
    super(
      'too many orders would have to be looked at: add a merchant, a status or a shorter time range, or more of the text',
    );
  }
}

/** How long one statement of a search may take, in milliseconds. */
const longest = 2_000;
/** Totals are exact up to this number of orders. */
const mostCounted = 10_000;

export interface SearchOptions {
  /** What a row is read as. */
  columns: string;
  joined?: JoinedReading | undefined;
  /** Milliseconds for each statement; default 2,000. */
  patienceMs?: number | undefined;
}

/** A page of orders by filter and sort: a full one as long as there are enough orders. Throws `SearchTooWide`. */
export async function searchOrders<Row extends Order>(
  reading: Reading,
  search: Search,
  page: PageRequest<OrderList>,
  { columns, joined, patienceMs = longest }: SearchOptions,
): Promise<Page<Row>> {
  const answer = await withinTime(reading, patienceMs, async (client) => {
    const plan = await choosePlan(client, search);
    if (plan === null) return { plan, rows: [] };
    const { text, values } = pageOf(search, plan, page);
    const whole = joined ? joined.around(text) : columnsOfPage(search, columns, text, page);
    const { rows } = await client.query<Record<string, unknown>>(whole, values);
    return { plan, rows: joined ? joined.fold(rows) : rows };
  });
  if (answer === tookTooLong) throw new SearchTooWide();
  const { plan } = answer;
  const rows = answer.rows as unknown as Row[];
  const total = countOnce(
    async (most = mostCounted): Promise<Total> =>
      plan === null ? { count: 0, isExact: true } : count(reading, totalOf(search, plan, most), most, rows.length),
  );
  // The list's sort leaves out orders that have no key in it.
  return { ...toPage(page as PageRequest<'orders'>, rows), total };
}

async function count(reading: Reading, { text, values }: Statement, most: number, least: number): Promise<Total> {
  const answer = await withinTime(reading, longest, (client) =>
    client.query<{ count: number; isCut: boolean }>(text, values),
  );
  if (answer === tookTooLong) return { count: least, isExact: false };
  const { count, isCut } = answer.rows[0] ?? { count: 0, isCut: false };
  return { count: Math.min(count, most), isExact: count <= most && !isCut };
}

/** The plan that looks at the fewest orders; null: nothing can match. */
async function choosePlan(client: ClientBase, search: Search): Promise<Plan | null> {
  const { filter, sort, scope, finders, mostCandidates } = search;
  const isFew = async ({ text, values }: Statement): Promise<boolean> => {
    const { rows } = await client.query<{ count: number }>(text, values);
    return (rows[0]?.count ?? 0) <= mostCandidates;
  };
  for (const finder of finders)
    if (finder.source && (await isFew(candidatesOfFinder(search, finder.source)))) return { by: 'found', finder };
  const finder = finderByTime(search);
  if (finder) return { by: 'time', finder };
  const groups = await readGroups(client, filter, sort, scope);
  if (groups.rows.length === 0 && !mayBeOpen(filter, sort)) return null;
  if (groups.rows.length > mostGroups) throw new SearchTooWide();
  if (!hasOtherRange(filter, sort)) return { by: 'walk', groups, sparse: null };
  if (await isFew(candidatesInRange(search, groups))) return { by: 'range', groups };
  const { text, values } = countsInRange(search, groups);
  const { rows } = await client.query<{ isDense: boolean; isEmpty: boolean }>(text, values);
  const dense = groups.rows.filter((_, i) => rows[i]?.isDense);
  const sparse = groups.rows.filter((_, i) => !rows[i]?.isDense && !rows[i]?.isEmpty);
  return { by: 'walk', groups: { ...groups, rows: dense }, sparse: { ...groups, rows: sparse } };
}
