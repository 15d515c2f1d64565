import type { ClientBase } from 'pg';
import { isWithin } from '../../lists/conditions.ts';
import type { PageRequest } from '../../lists/page.ts';
import { between, orderBy } from '../../lists/read-page.ts';
import { type Add, asTime, whereAll } from '../../lists/values.ts';
import { type Found, isUpward } from './list-bounds.ts';
import type { Finder } from './list-finders.ts';
import { countUpTo, inSearchTable, isOfSearchRows, type Search, type Statement, statement } from './list-search.ts';
import type { OrderList } from './order-filter.ts';

// The newest orders, or the oldest, that have a text. The indexes of texts have the time of creation too. So the
// entries of a text are sorted without reading the rows, and only the rows of the page are read. baseline/lists.ts has the
// indexes.

/** How many more entries of an index can be sorted than orders can. */
const entriesForOrder = 15;

/** The finder of a search that needs nothing else than its texts and a time of creation. */
export function finderOfTexts(search: Search): Finder | null {
  const { filter, scope, finders } = search;
  const [finder, ...others] = finders;
  const isAlone = others.length === 0 && filter.merchantIds == null && scope.merchantIds === null;
  return isAlone && isOfSearchRows(search) && finder?.texts ? finder : null;
}

/** How many entries can be sorted. */
export const mostEntries = ({ maxCandidates }: Search): number => maxCandidates * entriesForOrder;

/** Counts the entries of a finder, up to one more than can be sorted. */
export function entriesOf(search: Search, { texts, keys }: Finder): Statement {
  return statement((add) => {
    const entries = (texts ?? []).map((one) => `select from order_search s${whereAll([one(add)])}`);
    return countUpTo(
      [...entries, ...(keys ?? []).map((one) => `select from (${one(add)}) f`)].join(' union all '),
      mostEntries(search),
    );
  });
}

/** The orders of a page and the one after it. */
export async function findNewest(
  client: ClientBase,
  search: Search,
  finder: Finder,
  page: PageRequest<OrderList>,
): Promise<Found> {
  const order = orderBy(search, page);
  const { text, values } = statement((add) => {
    const parts = [
      ...(finder.texts ?? []).map((one) => newestWith(search, page, one, add)),
      ...(finder.keys ?? []).map((one) => newestAmong(search, page, one, add)),
    ];
    const all = parts.map((part) => `(${part})`).join(' union all ');
    return `select t.merchant_id, t.order_no from (select distinct * from (${all}) t) t ${order} limit ${page.size + 1}`;
  });
  const { rows } = await client.query<{ merchant_id: string; order_no: string }>(text, values);
  return {
    merchantIds: rows.map(({ merchant_id: merchantId }) => merchantId),
    orderNos: rows.map(({ order_no: orderNo }) => orderNo),
    stop: null,
  };
}

const columns = 's.merchant_id, s.order_no, s.created_at';

/**
 * Rows with a text, up to the creation of the last one of a page. First the index alone says when that one was created.
 * `offset 0` keeps PostgreSQL from reading all rows in the order of creation.
 */
function newestWith(search: Search, page: PageRequest<OrderList>, hasText: (add: Add) => string, add: Add): string {
  const { createdFrom, createdTo } = search.filter;
  const goesUp = isUpward(search, page);
  const start = page.backward ? page.before : page.after;
  const time = start === null ? null : asTime(add(start[0]));
  const [beyond, back, last] = goesUp ? ['>', '<=', 'max'] : ['<', '>=', 'min'];
  const conditions = [hasText(add), ...isWithin('s.created_at', createdFrom, createdTo, add)];
  const further = [...conditions, ...(time === null ? [] : [`s.created_at ${beyond} ${time}`])];
  const edge = `select ${last}(s.created_at) from (
    select s.created_at from (select s.created_at from order_search s${whereAll(further)} offset 0) s
    order by s.created_at ${goesUp ? 'asc' : 'desc'} limit ${page.size + 1}) s`;
  // Orders of the same moment as the start can come after it.
  const rest = time === null ? [] : [`s.created_at ${beyond}= ${time}`];
  const upTo = `s.created_at ${back} coalesce((${edge}), ${time ?? 'null'})`;
  const cursors = between(search, page, null, add).map(inSearchTable);
  return `select ${columns} from order_search s${whereAll([...conditions, ...rest, upTo, ...cursors])} offset 0`;
}

/** Rows with these keys, which are few. */
function newestAmong(search: Search, page: PageRequest<OrderList>, keys: (add: Add) => string, add: Add): string {
  const { createdFrom, createdTo } = search.filter;
  const conditions = [
    ...isWithin('s.created_at', createdFrom, createdTo, add),
    ...between(search, page, null, add).map(inSearchTable),
  ];
  return `select ${columns} from (${keys(add)}) f cross join lateral (
    select ${columns} from order_search s where s.merchant_id = f.merchant_id and s.order_no = f.order_no offset 0) s${whereAll(conditions)}`;
}
