import type { Reading } from '../database/reading.ts';
import type { KeyedRow, ListName } from './keys.ts';
import { type Page, type PageRequest, toPage } from './page.ts';
import { between, type Listing, orderBy } from './read-page.ts';
import { type Scope, withinScope } from './scope.ts';
import { collectValues, whereAll } from './values.ts';

/** A list that belongs to something, e.g. to an order: the rows of each parent are a list of their own. */
export interface ChildList extends Pick<Listing, 'table' | 'columns'> {
  /** The columns that name the parent, all of them text; what is merchants' begins with `merchant_id`. An index serves them with the key. */
  parent: readonly string[];
}

/** More parents are never asked for at once: no answer could hold as many pages. */
const mostParents = 1_000;

/**
 * The same page of the list of each parent, by one statement, in the order of the parents. A parent out of scope has no rows; what
 * belongs to no merchant is narrowed by no scope.
 */
export async function readPages<Row extends KeyedRow<Name>, Name extends ListName>(
  reading: Reading,
  list: ChildList,
  scope: Scope,
  parents: readonly (readonly string[])[],
  page: PageRequest<Name>,
): Promise<Page<Row>[]> {
  if (parents.length > mostParents)
    throw new RangeError(`the lists of at most ${mostParents} parents at once, not ${parents.length}`);
  const { values, add } = collectValues();
  const keys = list.parent.map((_, i) => `${add(parents.map((parent) => parent[i] ?? ''))}::text[]`);
  const names = list.parent.map((_, i) => `k${i}`);
  const order = orderBy({}, page);
  const conditions = [...list.parent.map((column, i) => `t.${column} = k.k${i}`), ...between({}, page, null, add)];
  const { rows } = await reading.query<Row & { place: number; nth: number }>(
    `select t.*, k.place::integer from unnest(${keys.join(', ')}) with ordinality as k(${names.join(', ')}, place)
     cross join lateral (select ${list.columns}, row_number() over (${order})::integer as nth from ${list.table} t${whereAll(conditions)}
       ${order} limit ${page.size + 1}) t
     ${whereAll(list.parent[0] === 'merchant_id' ? withinScope(scope, 'k.k0', add) : [])} order by k.place, t.nth`,
    values,
  );
  const found: Row[][] = parents.map(() => []);
  for (const { place, nth, ...row } of rows) found[place - 1]?.push(row as unknown as Row);
  return found.map((fetched) => toPage(page, fetched));
}
