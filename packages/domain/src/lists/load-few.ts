import { columnsAs } from '../database/columns.ts';
import type { Database } from '../database/database.ts';
import { type Joined, readJoined, type SmallTable } from './joined-rows.ts';
import { findable, most } from './load-rows.ts';
import { type Only, withKeys } from './only.ts';
import { type Scope, withinScope } from './scope.ts';
import { statementName } from './statement-name.ts';
import { collectValues, whereAll } from './values.ts';

/** What a row is read with. */
export interface Wanted {
  /** Properties that are wanted; others are missing but the key. */
  only?: Only;
  /** Rows with the same key that come with it. */
  relations?: readonly Joined[];
}

/**
 * The rows of these keys, in their order: null where there is none, or where it is out of scope. Every page asks for them, so that the
 * statement is planned once. While a table is small any plan will do; when it has grown, its statistics have it planned anew.
 * At most 1,000 keys.
 */
export async function loadFew<Row extends object>(
  { orm, reading }: Database,
  { entity, omitted, key: [property, column], isOfMerchant }: SmallTable,
  ids: readonly string[],
  scope: Scope,
  { only, relations = [] }: Wanted = {},
): Promise<(Row | null)[]> {
  if (ids.length === 0) return [];
  if (ids.length > most) throw new RangeError(`at most ${most} rows are looked up at once, not ${ids.length}`);
  const { values, add } = collectValues();
  const own = columnsAs(orm, entity, { omitted, only: withKeys(only, [property]), alias: 't', prefix: '' });
  const joined = readJoined(orm, relations, `t.${column}`);
  const conditions = [`t.${column} = any(${add([...new Set(ids.map(findable))])}::text[])`];
  if (isOfMerchant) conditions.push(...withinScope(scope, 't.merchant_id', add));
  const { tableName } = orm.getMetadata().get(entity);
  const text = `select ${own.text}${joined.columns} from ${tableName} t${joined.joins}${whereAll(conditions)}`;
  const name = statementName(text);
  const { rows } = await reading.query<Record<string, unknown>>({ ...(name !== undefined && { name }), text, values });
  joined.fold(rows);
  const byId = new Map(rows.map((row) => [row[property], row as unknown as Row]));
  return ids.map((id) => byId.get(id) ?? null);
}
