import { asList } from '../database/answer-limit.ts';
import type { Reading } from '../database/reading.ts';
import { countChildRows, countOnce } from './count-rows.ts';
import type { KeyedRow, ListName } from './keys.ts';
import type { ChildList } from './listing.ts';
import { type Page, type PageRequest, toPage } from './page.ts';
import { between, orderBy } from './read-page.ts';
import { type Scope, withinScope } from './scope.ts';
import { collectValues, whereAll } from './values.ts';

/** The most parents at once. No answer has room for more pages. */
const maxParents = 1_000;

/**
 * The same page of the list of each parent, by one statement, in the order of the parents. A parent out of scope has no
 * rows. The scope does not apply to lists of the platform.
 */
export async function readPages<Row extends KeyedRow<Name>, Name extends ListName>(
  reading: Reading,
  list: ChildList,
  scope: Scope,
  parents: readonly (readonly string[])[],
  page: PageRequest<Name>,
): Promise<Page<Row>[]> {
  if (parents.length > maxParents)
    throw new RangeError(`the lists of at most ${maxParents} parents at once, not ${parents.length}`);
  const { values, add } = collectValues();
  const keys = list.parent.map((_, i) => `${add(parents.map((parent) => parent[i] ?? ''))}::text[]`);
  const names = list.parent.map((_, i) => `k${i}`);
  const order = orderBy({}, page);
  const conditions = [...list.parent.map((column, i) => `t.${column} = k.k${i}`), ...between({}, page, null, add)];
  const { rows } = await reading.query<Row & { place: number; nth: number }>(
    asList({
      text: `select t.*, k.place::integer from unnest(${keys.join(', ')}) with ordinality as k(${names.join(', ')}, place)
     cross join lateral (select ${list.columns}, row_number() over (${order})::integer as nth from ${list.table} t${whereAll(conditions)}
       ${order} limit ${page.size + 1}) t
     ${whereAll(list.parent[0] === 'merchant_id' ? withinScope(scope, 'k.k0', add) : [])} order by k.place, t.nth`,
      values,
    }),
  );
  const found: Row[][] = parents.map(() => []);
  for (const { place, nth, ...row } of rows) found[place - 1]?.push(row as unknown as Row);
  const totals = countOnce((most) => countChildRows(reading, list, scope, parents, most));
  const totalOf = (i: number) => async (most?: number) => (await totals(most))[i] ?? { count: 0, isExact: true };
  return found.map((fetched, i) => ({ ...toPage<Row, Name>(page, fetched), total: totalOf(i) }));
}
