import type { Reading } from '../database/reading.ts';
import type { ChildList, Listing } from './listing.ts';
import type { Total } from './page.ts';
import { type Scope, withinScope } from './scope.ts';
import { collectValues, whereAll } from './values.ts';

/** Totals are exact up to this number of rows. */
const defaultMost = 10_000;
/** The most rows that a filter is applied to. In a larger list a filtered total is a lower bound. */
const maxExamined = 100_000;

/** The list to count. `order`: as in the page's search, so that a lower bound counts the first rows of the list. */
interface Counted extends Pick<Listing, 'table' | 'merchants' | 'indexConditions' | 'rowConditions'> {
  order: string;
}

/**
 * Counts the rows of a whole list, not of a page, by one statement. A filter is applied to at most `examined` rows, an equal share of each
 * merchant. At most `most` rows are counted.
 */
export async function countRows(
  reading: Reading,
  { table, merchants, order, ...listing }: Counted,
  most = defaultMost,
  examined = maxExamined,
): Promise<Total> {
  if (merchants?.length === 0) return { count: 0, isExact: true };
  const { values, add } = collectValues();
  const rowConditions = listing.rowConditions(add);
  const indexConditions = listing.indexConditions(add);
  const each = Math.ceil(examined / (merchants?.length ?? 1));
  const found = (merchant: readonly string[]): string => {
    const where = whereAll([...merchant, ...indexConditions]);
    if (rowConditions.length === 0)
      return `select false as "isTruncated" from ${table} t${where} ${order} limit ${most + 1}`;
    // The row beyond `each` passes every filter. It marks that the search was truncated.
    return `select t.nth > ${each} as "isTruncated"
      from (select t.*, row_number() over () as nth from (select t.* from ${table} t${where} ${order} limit ${each + 1}) t) t
      where t.nth > ${each} or (${rowConditions.join(' and ')})`;
  };
  const all =
    merchants === null
      ? found([])
      : `select t."isTruncated" from unnest(${add(merchants)}::text[]) as of(merchant)
           cross join lateral (${found(['t.merchant_id = of.merchant'])}) t`;
  const { rows } = await reading.query<{ count: number; isTruncated: boolean }>(
    `select count(*) filter (where not "isTruncated")::integer as count, coalesce(bool_or("isTruncated"), false) as "isTruncated"
     from (select t."isTruncated" from (${all}) t limit ${most + 1}) t`,
    values,
  );
  const { count = 0, isTruncated = false } = rows[0] ?? {};
  return { count: Math.min(count, most), isExact: count <= most && !isTruncated };
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

/** Counts once for each limit. */
export function countOnce<Result>(count: (most?: number) => Promise<Result>): (most?: number) => Promise<Result> {
  const counted = new Map<number | undefined, Promise<Result>>();
  return (most) => {
    const known = counted.get(most) ?? count(most);
    counted.set(most, known);
    return known;
  };
}
