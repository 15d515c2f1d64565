import type { ClientBase } from 'pg';
import type { Order } from '../../core/order.ts';
import { asList } from '../../database/answer-limit.ts';
import type { Reading } from '../../database/reading.ts';
import { countOnce } from '../../lists/count-rows.ts';
import type { Key } from '../../lists/keys.ts';
import { type Page, type PageRequest, type Total, toPage } from '../../lists/page.ts';
import { merchantsToLookUp } from '../../lists/scope.ts';
import { tookTooLong, withinTime } from '../../lists/within-time.ts';
import { findBounded, pageOfFound, type Source } from './list-bounded.ts';
import type { Found } from './list-bounds.ts';
import type { Finder } from './list-finders.ts';
import { type Groups, readGroups } from './list-groups.ts';
import { inTimeSql } from './list-late-notifications.ts';
import { entriesOf, finderOfTexts, findNewest, mostEntries } from './list-newest.ts';
import { hasOtherRange, hasOwnRange, mayBeOpen } from './list-row-conditions.ts';
import {
  candidatesInRange,
  candidatesOfFinder,
  columnsOfPage,
  countsInRange,
  type ExactPlan,
  finderByTime,
  isOfSearchRows,
  mostInRange,
  otherRange,
  pageOf,
  residualConditions,
  type Search,
  type Statement,
} from './list-search.ts';
import { findBySlices, passedForOrder } from './list-slices.ts';
import { type CountPlan, totalOf } from './list-totals.ts';
import type { OrderList, OrderSort } from './order-filter.ts';

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
/** The number of short rows of `order_search` that are read in the time of one order. */
const rowsForOrder = 10;
const nothing: Found = { merchantIds: [], orderNos: [], stop: null };
/** Totals are exact up to this number of orders. */
const maxCounted = 10_000;

export interface SearchOptions {
  /** The columns that are read of a row. */
  columns: string;
  /** Milliseconds for each statement; default 2,000. */
  patienceMs?: number | undefined;
  /** About how many orders one page looks at. */
  maxExamined: number;
}

/**
 * `newest`: a page is found in the indexes of the finder's texts. `bounded`: orders of a source are looked at one by one, as many as one page may. `slices`: a walk past orders that are outside of another range, as many
 * as one page may pass.
 */
type Plan =
  | ExactPlan
  | { by: 'newest'; finder: Finder }
  | { by: 'bounded'; source: Source; budget: number }
  | { by: 'slices'; groups: Groups; sparse: Groups; budget: number };

/** A page of orders, and how far a search came that had to look at too many orders for one page. */
export interface SearchedPage<Row> extends Page<Row> {
  /** Where the search of a short page ended, in the order of the list; null if the page is full or the list ends. */
  searchedUntil: SearchedUntil | null;
}

/** In a list by time, Unix milliseconds; in a list by amount, the amount. */
export type SearchedUntil = { at: number; amount: null } | { at: null; amount: string };

/**
 * A page of orders by filter and sort. Where each order has to be looked at, a page looks at a limited number: it can be short or empty, and its
 * cursor goes on from where the search ended. What takes too long otherwise is looked at like that too. Throws `SearchTooWide`.
 */
export async function searchOrders<Row extends Order>(
  reading: Reading,
  search: Search,
  page: PageRequest<OrderList>,
  options: SearchOptions,
): Promise<SearchedPage<Row>> {
  const { patienceMs = longest, maxExamined } = options;
  const within = (choose: (client: ClientBase) => Promise<Plan | null>) =>
    withinTime(reading, patienceMs, (client) => readPlanned(client, search, page, choose, options), unwanted);
  const first = await within((client) => choosePlan(client, search, maxExamined));
  const answer = first === tookTooLong ? await within(async () => bounded({ by: 'all' }, maxExamined)) : first;
  if (answer === tookTooLong) throw new SearchTooWide();
  const { plan, stop } = answer;
  const rows = answer.rows as unknown as Row[];
  const total = countOnce(
    async (most = maxCounted): Promise<Total> =>
      plan === null ? { count: 0, isExact: true } : count(reading, search, plan, most, rows.length),
  );
  // The list's sort leaves out orders that have no key in it.
  return { ...toPage(page as PageRequest<'orders'>, rows, stop), total, searchedUntil: stop && untilOf(search, stop) };
}

interface Planned {
  plan: Plan | null;
  rows: Record<string, unknown>[];
  stop: Key | null;
}

async function readPlanned(
  client: ClientBase,
  search: Search,
  page: PageRequest<OrderList>,
  choose: (client: ClientBase) => Promise<Plan | null>,
  { columns }: SearchOptions,
): Promise<Planned> {
  const plan = await choose(client);
  if (plan === null) return { plan, rows: [], stop: null };
  const found = await find(client, search, plan, page);
  const { text, values } =
    plan.by === 'newest' || plan.by === 'bounded' || plan.by === 'slices'
      ? pageOfFound(found ?? nothing, search, page)
      : pageOf(search, plan, page);
  const whole = columnsOfPage(search, columns, text, page);
  const { rows } = await client.query<Record<string, unknown>>(asList({ text: whole, values }));
  return { plan, rows, stop: found?.stop ?? null };
}

/** The orders of a page that may end before it is full; null: it is read at once. */
async function find(client: ClientBase, search: Search, plan: Plan, page: PageRequest<OrderList>) {
  if (plan.by === 'newest') return findNewest(client, search, plan.finder, page);
  if (plan.by === 'bounded') return findBounded(client, search, plan.source, page, plan.budget);
  return plan.by === 'slices' ? findBySlices(client, search, plan, page, plan.budget) : null;
}

function untilOf({ sort }: Search, [at]: Key): SearchedUntil {
  return sort === 'amount' ? { at: null, amount: String(at) } : { at: Number(at), amount: null };
}

async function count(reading: Reading, search: Search, plan: Plan, most: number, least: number): Promise<Total> {
  const unknown = { count: least, isExact: false };
  const work = async (client: ClientBase) => {
    const exact = await planOfTotal(client, search, plan);
    if (exact === null) return unknown;
    const { text, values } = totalOf(search, exact, most);
    const { rows } = await client.query<{ count: number; isCut: boolean }>(text, values);
    const { count, isCut } = rows[0] ?? { count: 0, isCut: false };
    return { count: Math.min(count, most), isExact: count <= most && !isCut };
  };
  const answer = await withinTime(reading, longest, work, unwanted);
  return answer === tookTooLong ? unknown : answer;
}

/** A total is counted by the page's finder, or group by group. Null: there are too many groups. */
async function planOfTotal(client: ClientBase, search: Search, plan: Plan): Promise<CountPlan | null> {
  if (plan.by === 'slices') return { by: 'walk', groups: plan.groups, sparse: plan.sparse };
  if (plan.by === 'newest') return { by: 'rows', finder: plan.finder };
  if (plan.by !== 'bounded') return plan;
  const { source } = plan;
  if (source.by === 'found' || source.by === 'notified') return source;
  const [finder, ...others] = search.finders;
  if (source.by === 'rows' && finder?.source && others.length === 0) return { by: 'rows', finder };
  const groups = 'groups' in source ? source.groups : await readGroups(client, search, search.maxGroups);
  return groups && { by: 'walk', groups, sparse: null };
}

/** The plan that looks at the fewest orders; null: nothing can match. */
async function choosePlan(client: ClientBase, search: Search, maxExamined: number): Promise<Plan | null> {
  const { filter, sort, scope, finders } = search;
  for (const finder of finders) {
    const count =
      finder.source && (await countCandidates(client, search.maxCandidates, candidatesOfFinder(search, finder.source)));
    if (count === null) continue;
    const isChecked = finders.length > 1 && count > maxExamined;
    return isChecked ? bounded({ by: 'found', finder }, maxExamined) : { by: 'found', finder };
  }
  const finder = finderByTime(search);
  if (finder) return { by: 'time', finder };
  const indexed = sort === 'created' ? finders.find(({ byTime }) => byTime) : undefined;
  if (indexed) return bounded({ by: 'time', finder: indexed }, maxExamined);
  const notified = await notifiedOf(client, search, maxExamined);
  if (notified) return bounded(notified, maxExamined);
  const ofTexts = finderOfTexts(search);
  if (ofTexts && (await countCandidates(client, mostEntries(search), entriesOf(search, ofTexts))) !== null)
    return { by: 'newest', finder: ofTexts };
  if (isOfSearchRows(search))
    return bounded({ by: 'rows' }, maxExamined * (finders.every(({ inSearch }) => inSearch) ? rowsForOrder : 3));
  const merchants = merchantsToLookUp(filter.merchantIds ?? null, scope)?.length ?? 0;
  if (sort === 'created' && finders.length > 0 && merchants > search.maxMerchants)
    return bounded({ by: 'all' }, maxExamined);
  const groups = await readGroups(client, search, search.maxGroups);
  if (groups === null) return bounded({ by: 'all' }, maxExamined);
  if (groups.rows.length === 0 && !mayBeOpen(filter, sort)) return null;
  return planOfGroups(client, search, groups, maxExamined);
}

/** The source by notification state, if the filter has one; null if too many notifications are in time: these have no order. */
async function notifiedOf(client: ClientBase, { finders }: Search, maxExamined: number): Promise<Source | null> {
  for (const finder of finders) {
    const { notified: states } = finder;
    if (states === undefined) continue;
    const inTime = { text: inTimeSql(maxExamined), values: [] };
    const isFew = !states.includes('pending') || (await countCandidates(client, maxExamined, inTime)) !== null;
    if (isFew) return { by: 'notified', states, finder };
  }
  return null;
}

async function planOfGroups(client: ClientBase, search: Search, groups: Groups, maxExamined: number): Promise<Plan> {
  const { filter, sort } = search;
  const isChecked = residualConditions(search, groups, () => '').length > 0;
  const countIn = (range: OrderSort) =>
    countCandidates(client, mostInRange(search, range), candidatesInRange(search, groups, range));
  const isOther = hasOtherRange(filter, sort);
  const inOwn = hasOwnRange(filter, sort) && (isChecked || isOther) ? await countIn(sort) : null;
  const isFew = inOwn !== null && inOwn <= maxExamined;
  if (!isOther || inOwn !== null)
    return isChecked ? bounded({ by: 'groups', groups, isFew }, maxExamined) : exactWalk(groups);
  if ((await countIn(otherRange(filter, sort))) !== null)
    return isChecked ? bounded({ by: 'range', groups }, maxExamined) : { by: 'range', groups };
  // Also orders that are not in the other range are read past.
  if (isChecked) return bounded({ by: 'groups', groups, isFew: false }, Math.ceil(maxExamined / 2));
  const { text, values } = countsInRange(search, groups);
  const { rows } = await client.query<{ isDense: boolean; isEmpty: boolean }>(text, values);
  const dense = groups.rows.filter((_, i) => rows[i]?.isDense);
  const sparse = groups.rows.filter((_, i) => !rows[i]?.isDense && !rows[i]?.isEmpty);
  return {
    by: 'slices',
    groups: { ...groups, rows: dense },
    sparse: { ...groups, rows: sparse },
    budget: maxExamined * passedForOrder(search),
  };
}

const bounded = (source: Source, budget: number): Plan => ({ by: 'bounded', source, budget });
const exactWalk = (groups: Groups): Plan => ({ by: 'walk', groups, sparse: null });

/** Counts the candidates. Null: more than can be sorted. */
async function countCandidates(
  client: ClientBase,
  maxCandidates: number,
  { text, values }: Statement,
): Promise<number | null> {
  const { rows } = await client.query<{ count: number }>(text, values);
  const count = rows[0]?.count ?? 0;
  return count <= maxCandidates ? count : null;
}
