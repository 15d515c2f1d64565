import { columnsAs } from '../database/columns.ts';
import type { Database } from '../database/database.ts';
import { type Joined, readJoined, type SmallTable } from './joined-rows.ts';
import { findable, most } from './load-rows.ts';
import { type Only, withKeys } from './only.ts';
import { type Scope, withinScope } from './scope.ts';
import { statementName } from './statement-name.ts';
import { collectValues, whereAll } from './values.ts';

/** What to read of a row. */
export interface Wanted {
  /** The wanted properties. Others are missing, except the key. */
  only?: Only;
  /** Rows with the same key to join. */
  relations?: readonly Joined[];
}

/**
 * The rows of these keys, in their order; null for a row that does not exist or is out of scope. Every page runs this
 * statement, so it is planned once. While a table is small any plan is good enough; when it grows, new statistics cause
 * a new plan. At most 1,000 keys.
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
