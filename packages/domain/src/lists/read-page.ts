import { asList } from '../database/answer-limit.ts';
import type { Reading } from '../database/reading.ts';
import { countOnce, countRows } from './count-rows.ts';
import { type Key, type KeyedRow, keyColumns, type ListName, lists } from './keys.ts';
import type { Listing } from './listing.ts';
import { type Page, type PageRequest, toPage } from './page.ts';
import { statementName } from './statement-name.ts';
import { type Add, asTime, collectValues, whereAll } from './values.ts';

/** The most rows that the search of one page reads. */
const maxExamined = 20_000;

/**
 * A page of a list, by key and never by an offset. So a deep page costs as much as the first, and concurrent writes
 * move no rows between pages. At most `maxExamined` rows are read. If these are not enough, the page is short and says
 * where to continue.
 */
export async function readPage<Row extends KeyedRow<Name>, Name extends ListName>(
  reading: Reading,
  listing: Listing,
  page: PageRequest<Name>,
  examined = maxExamined,
): Promise<Page<Row>> {
  const sources = listing.merchants?.length ?? 1;
  const order = orderBy(listing, { ...page, backward: false });
  const total = countOnce((most) => countRows(reading, { ...listing, order }, most));
  if (sources === 0) return { ...toPage<Row, Name>(page, []), total };
  const each = Math.ceil(examined / sources);
  const fetched = await fetchRows<Row>(reading, listing, page, each, null);
  // Of several merchants, one may fill the page while the search of another ended early.
  const mayBeCut = (sources > 1 || fetched.length <= page.size) && listing.rowConditions(() => '').length > 0;
  const stop = mayBeCut ? await findStop(reading, listing, page, each) : null;
  if (stop === null) return { ...toPage<Row, Name>(page, fetched), total };
  // Rows of one merchant beyond the end of another's search would leave a gap there.
  const sure = sources === 1 ? fetched : await fetchRows<Row>(reading, listing, page, each, stop);
  return { ...toPage<Row, Name>(page, sure, sure.length > page.size ? null : stop), total };
}

/**
 * The page's rows and one more. `until`: none beyond this key. With filters it is planned at each call, because a
 * stored plan does not know how rare the values are.
 */
async function fetchRows<Row extends object>(
  reading: Reading,
  listing: Listing,
  page: PageRequest,
  examined: number,
  until: Key | null,
): Promise<Row[]> {
  const { values, add } = collectValues();
  const order = orderBy(listing, page);
  const limit = `limit ${page.size + 1}`;
  const rowConditions = listing.rowConditions(add);
  const conditions = [...listing.indexConditions(add), ...between(listing, page, until, add)];
  const found = (of: readonly string[], columns: string): string =>
    rowConditions.length === 0
      ? `select ${columns} from ${listing.table} t${whereAll([...of, ...conditions])} ${order} ${limit}`
      : `select ${columns} from (select * from ${listing.table} t${whereAll([...of, ...conditions])} ${order} limit ${examined}) t
         ${whereAll(rowConditions)} ${order} ${limit}`;
  const { columns, around = (page) => page } = listing;
  const text = around(
    listing.merchants === null
      ? found([], columns)
      : `select ${columns} from unnest(${add(listing.merchants)}::text[]) as of(merchant)
         cross join lateral (${found(['t.merchant_id = of.merchant'], '*')}) t ${order} ${limit}`,
  );
  // The key alone finds the rows for any values.
  const name = rowConditions.length === 0 ? statementName(text) : undefined;
  const { rows } = await reading.query<Row>(asList({ ...(name !== undefined && { name }), text, values }));
  return rows;
}

/** The key at which the first of the searches ended early; null if all rows were read. */
async function findStop(reading: Reading, listing: Listing, page: PageRequest, examined: number): Promise<Key | null> {
  const { values, add } = collectValues();
  const order = orderBy(listing, page);
  const key = keyColumns(page.list);
  const conditions = [...listing.indexConditions(add), ...between(listing, page, null, add)];
  const last = (of: readonly string[]): string =>
    `select ${key.map(([column]) => `t.${column}`).join(', ')} from ${listing.table} t${whereAll([...of, ...conditions])}
     ${order} offset ${examined - 1} limit 1`;
  const from =
    listing.merchants === null
      ? `(${last([])}) t`
      : `unnest(${add(listing.merchants)}::text[]) as of(merchant) cross join lateral (${last(['t.merchant_id = of.merchant'])}) t`;
  const { rows } = await reading.query<{ key: Key }>(
    `select ${keyAsJson(page.list)} as key from ${from} ${order} limit 1`,
    values,
  );
  return rows[0]?.key ?? null;
}

/** SQL of the key of a row `t` as JSON. */
export function keyAsJson(list: ListName): string {
  const parts = keyColumns(list).map(([column, part]) =>
    part === 'time' ? inMillis(`t.${column}`) : `t.${column}${part === 'decimal' ? '::text' : ''}`,
  );
  return `json_build_array(${parts.join(', ')})`;
}

function inMillis(expression: string): string {
  return `round(extract(epoch from ${expression}) * 1000)::bigint`;
}

/** In the order of the fetch: a page from the end is fetched backward. */
export function orderBy(listing: Pick<Listing, 'isReversed'>, page: PageRequest): string {
  const way = isAscending(listing, page) === page.backward ? 'desc' : 'asc';
  return `order by ${keyColumns(page.list)
    .map(([column]) => `t.${column} ${way}`)
    .join(', ')}`;
}

/** Conditions for rows between the page's cursors, and up to `until` in the order of the fetch. */
export function between(
  listing: Pick<Listing, 'isReversed'>,
  page: PageRequest,
  until: Key | null,
  add: Add,
): string[] {
  const goesUp = isAscending(listing, page);
  const key = keyColumns(page.list);
  const compare = (sign: string, to: Key | null): string[] => {
    if (to === null) return [];
    const values = key.map(([, part], i) => (part === 'time' ? asTime(add(to[i])) : `${add(to[i])}${casts[part]}`));
    return [`(${key.map(([column]) => `t.${column}`).join(', ')}) ${sign} (${values.join(', ')})`];
  };
  return [
    ...compare(goesUp ? '>' : '<', page.after),
    ...compare(goesUp ? '<' : '>', page.before),
    ...compare(goesUp === page.backward ? '>=' : '<=', until),
  ];
}

function isAscending({ isReversed = false }: Pick<Listing, 'isReversed'>, { list }: PageRequest): boolean {
  return (lists[list].direction === 'asc') !== isReversed;
}

const casts = { text: '::text', number: '::bigint', decimal: '::numeric', day: '::date' };
