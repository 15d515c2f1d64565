import type { ClientBase } from 'pg';
import type { Order } from '../../core/order.ts';
import { asList } from '../../database/answer-limit.ts';
import type { Reading } from '../../database/reading.ts';
import { countOnce } from '../../lists/count-rows.ts';
import type { Key } from '../../lists/keys.ts';
import { type Page, type PageRequest, type Total, toPage } from '../../lists/page.ts';
import { merchantsToLookUp } from '../../lists/scope.ts';
import { tookTooLong, withinTime } from '../../lists/within-time.ts';
import { isOfSearchRows, mayBeOpen, otherRange, type Search, type Statement } from './list-conditions.ts';
import type { Finder } from './list-finders.ts';
import { candidatesInRange, type Groups, mostInRange, readGroups } from './list-groups.ts';
import { totalOf } from './list-totals.ts';
import { candidatesOf, pageOfFound, type Source, walkOrders } from './list-walk.ts';
import type { OrderList } from './order-filter.ts';

/** A search that took too long, even where one page looks at few orders. */
export class SearchTooWide extends Error {
  constructor() {
    super(
      'too many orders would have to be looked at: add a merchant, a status or a shorter time range, or more of the text',
    );
  }
}

/** How long one statement of a search may take, in milliseconds. */
const longest = 2_000;
/**
 * Off for searches. Every step looks up few rows by index, but PostgreSQL does not know how few: it would compile statements that end within
 * milliseconds, or read whole tables. It expects one row of a group, and would sort a whole group by an index of another order.
 */
const unwanted = ['jit', 'enable_seqscan', 'enable_hashjoin', 'enable_mergejoin', 'enable_sort'];
/** Totals are exact up to this number of orders. */
const maxCounted = 10_000;

export interface SearchOptions {
  /** The columns that are read of a row. */
  columns: string;
  /** Milliseconds for each statement; default 2,000. */
  patienceMs?: number | undefined;
}

/** A page of orders, and how far a search came that had to look at too many orders for one page. */
export interface SearchedPage<Row> extends Page<Row> {
  /** Where the search of a short page ended, in the order of the list; null if the page is full or the list ends. */
  searchedUntil: SearchedUntil | null;
}

/** In a list by time, Unix milliseconds; in a list by amount, the amount. */
export type SearchedUntil = { at: number; amount: null } | { at: null; amount: string };

/**
 * A page of orders by filter and sort. Where each order has to be looked at, a page looks at a limited number: it can be
 * short or empty, and its cursor goes on from where the search ended. What takes too long otherwise is looked at like
 * that too. Throws `SearchTooWide`.
 */
export async function searchOrders<Row extends Order>(
  reading: Reading,
  search: Search,
  page: PageRequest<OrderList>,
  { columns, patienceMs = longest }: SearchOptions,
): Promise<SearchedPage<Row>> {
  const read = (choose: (client: ClientBase) => Promise<Source | null>) =>
    withinTime(reading, patienceMs, (client) => readFrom(client, search, page, choose, columns), unwanted);
  const first = await read((client) => chooseSource(client, search));
  const answer = first === tookTooLong ? await read(async () => ({ by: 'all' })) : first;
  if (answer === tookTooLong) throw new SearchTooWide();
  const { source, stop } = answer;
  const rows = answer.rows as unknown as Row[];
  const total = countOnce((most = maxCounted) => count(reading, search, { source, most, least: rows.length }));
  // The list's sort leaves out orders that have no key in it.
  return { ...toPage(page as PageRequest<'orders'>, rows, stop), total, searchedUntil: stop && untilOf(search, stop) };
}

async function readFrom(
  client: ClientBase,
  search: Search,
  page: PageRequest<OrderList>,
  choose: (client: ClientBase) => Promise<Source | null>,
  columns: string,
) {
  const source = await choose(client);
  if (source === null) return { source, rows: [], stop: null };
  const found = await walkOrders(client, search, source, page);
  const { rows } = await client.query<Record<string, unknown>>(asList(pageOfFound(found, search, page, columns)));
  return { source, rows, stop: found.stop };
}

function untilOf({ sort }: Search, [at]: Key): SearchedUntil {
  return sort === 'amount' ? { at: null, amount: String(at) } : { at: Number(at), amount: null };
}

/** The source with the fewest orders to look at; null: nothing can match. */
async function chooseSource(client: ClientBase, search: Search): Promise<Source | null> {
  const { filter, sort, scope, finders, maxCandidates } = search;
  for (const finder of finders) {
    const { source } = finder;
    if (source === null) continue;
    if (await isAtMost(client, maxCandidates, candidatesOf(source, maxCandidates))) return { by: 'keys', finder };
  }
  if (isOfSearchRows(search)) return { by: 'rows' };
  const merchants = merchantsToLookUp(filter.merchantIds ?? null, scope)?.length ?? 0;
  if (sort === 'created' && finders.length > 0 && merchants > search.maxMerchants) return { by: 'all' };
  const groups = await readGroups(client, search, search.maxGroups);
  if (groups === null) return { by: 'all' };
  if (groups.rows.length === 0 && !mayBeOpen(filter, sort)) return null;
  const range = otherRange(filter, sort);
  const isFew =
    range !== null && (await isAtMost(client, mostInRange(search, range), candidatesInRange(search, groups, range)));
  return isFew ? { by: 'range', groups, range } : { by: 'groups', groups };
}

async function isAtMost(client: ClientBase, most: number, { text, values }: Statement): Promise<boolean> {
  const { rows } = await client.query<{ count: number }>(text, values);
  return (rows[0]?.count ?? 0) <= most;
}

/** Counts by keys or group by group. Where there are too many groups, only what was read is known: `least`. */
async function count(
  reading: Reading,
  search: Search,
  { source, most, least }: { source: Source | null; most: number; least: number },
): Promise<Total> {
  if (source === null) return { count: 0, isExact: true };
  const unknown = { count: least, isExact: false };
  const work = async (client: ClientBase) => {
    const counted = await countedBy(client, search, source);
    if (counted === null) return unknown;
    const { text, values } = totalOf(search, counted, most);
    const { rows } = await client.query<{ count: number; isCut: boolean }>(text, values);
    const { count, isCut } = rows[0] ?? { count: 0, isCut: false };
    return { count: Math.min(count, most), isExact: count <= most && !isCut };
  };
  const answer = await withinTime(reading, longest, work, unwanted);
  return answer === tookTooLong ? unknown : answer;
}

async function countedBy(client: ClientBase, search: Search, source: Source): Promise<Finder | Groups | null> {
  if (source.by === 'keys') return source.finder;
  return 'groups' in source ? source.groups : readGroups(client, search, search.maxGroups);
}
