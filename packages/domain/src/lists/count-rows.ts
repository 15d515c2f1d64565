import type { Reading } from '../database/reading.ts';
import type { ChildList, Listing } from './listing.ts';
import type { Total } from './page.ts';
import { type Scope, withinScope } from './scope.ts';
import { collectValues, whereAll } from './values.ts';

/** Totals are exact up to this number of rows. */
const defaultMost = 10_000;
/** How many rows a filter is applied to. A larger list with a filter gets a lower bound. */
const mostExamined = 100_000;

/** Counts the rows of a whole list, not of a page, by one statement. It reads at most `examined` rows and counts at most `most`. */
export async function countRows(
  reading: Reading,
  listing: Pick<Listing, 'table' | 'merchants' | 'access' | 'filters'>,
  most = defaultMost,
  examined = mostExamined,
): Promise<Total> {
  if (listing.merchants?.length === 0) return { count: 0, isExact: true };
  const { values, add } = collectValues();
  const filters = listing.filters(add);
  const access = listing.access(add);
  const limit = filters.length === 0 ? most + 1 : examined + 1;
  const rowsOf = (merchant: readonly string[]): string =>
    `select t.* from ${listing.table} t${whereAll([...merchant, ...access])} limit ${limit}`;
  const candidates =
    listing.merchants === null
      ? rowsOf([])
      : `select t.* from unnest(${add(listing.merchants)}::text[]) as of(merchant)
           cross join lateral (${rowsOf(['t.merchant_id = of.merchant'])}) t limit ${limit}`;
  // The first row beyond `examined` passes every filter. It marks that the search was cut.
  const found =
    filters.length === 0
      ? `select false as "isCut" from (${candidates}) t`
      : `select t.nth > ${examined} as "isCut" from (select t.*, row_number() over () as nth from (${candidates}) t) t
         where t.nth > ${examined} or (${filters.join(' and ')})`;
  const { rows } = await reading.query<{ count: number; isCut: boolean }>(
    `select count(*) filter (where not "isCut")::integer as count, coalesce(bool_or("isCut"), false) as "isCut"
     from (${found} limit ${most + 1}) t`,
    values,
  );
  const { count = 0, isCut = false } = rows[0] ?? {};
  return { count: Math.min(count, most), isExact: count <= most && !isCut };
}

/** Counts the list of each parent by one statement, in the order of the parents. A parent out of scope has no rows. */
export async function countChildRows(
  reading: Reading,
  list: ChildList,
  scope: Scope,
  parents: readonly (readonly string[])[],
  most = defaultMost,
): Promise<Total[]> {
  const { values, add } = collectValues();
  const keys = list.parent.map((_, i) => `${add(parents.map((parent) => parent[i] ?? ''))}::text[]`);
  const names = list.parent.map((_, i) => `k${i}`);
  const conditions = list.parent.map((column, i) => `t.${column} = k.k${i}`);
  const { rows } = await reading.query<{ place: number; count: number }>(
    `select k.place::integer, c.count from unnest(${keys.join(', ')}) with ordinality as k(${names.join(', ')}, place)
     cross join lateral (select count(*)::integer as count
       from (select 1 from ${list.table} t${whereAll(conditions)} limit ${most + 1}) t) c
     ${whereAll(list.parent[0] === 'merchant_id' ? withinScope(scope, 'k.k0', add) : [])}`,
    values,
  );
  const counts = new Map(rows.map(({ place, count }) => [place, count]));
  return parents.map((_, i) => {
    const count = counts.get(i + 1) ?? 0;
    return { count: Math.min(count, most), isExact: count <= most };
  });
}

/** Counts once for each limit, however often it is asked. */
export function countOnce<Result>(count: (most?: number) => Promise<Result>): (most?: number) => Promise<Result> {
  const counted = new Map<number | undefined, Promise<Result>>();
  return (most) => {
    const known = counted.get(most) ?? count(most);
    counted.set(most, known);
    return known;
  };
}
