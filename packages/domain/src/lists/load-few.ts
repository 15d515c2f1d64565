import type { EntityName } from '@mikro-orm/postgresql';
import { asList } from '../database/answer-limit.ts';
import { columnsAs } from '../database/columns.ts';
import type { Database } from '../database/database.ts';
import { isReadable } from '../database/json-columns.ts';
import { findable, most } from './load-rows.ts';
import { type Scope, withinScope } from './scope.ts';
import { statementName } from './statement-name.ts';
import { collectValues, whereAll } from './values.ts';

/** A table whose key is one column of type text. */
export interface SmallTable {
  entity: EntityName;
  omitted?: readonly string[];
  /** The key's property and column. */
  key: readonly [property: string, column: string];
  /** Whether its rows belong to merchants, so that the scope applies. */
  isOfMerchant: boolean;
}

/**
 * The rows of these keys, in their order; null for a row that does not exist, is out of scope, or cannot be read. Every page runs this
 * statement, so it is planned once. While a table is small any plan is good enough; when it grows, new statistics cause
 * a new plan. At most 1,000 keys.
 */
export async function loadFew<Row extends object>(
  { orm, reading }: Database,
  { entity, omitted, key: [property, column], isOfMerchant }: SmallTable,
  ids: readonly string[],
  scope: Scope,
): Promise<(Row | null)[]> {
  if (ids.length === 0) return [];
  if (ids.length > most) throw new RangeError(`at most ${most} rows are looked up at once, not ${ids.length}`);
  const { values, add } = collectValues();
  const own = columnsAs(orm, entity, { omitted, alias: 't', prefix: '' });
  const conditions = [`t.${column} = any(${add([...new Set(ids.map(findable))])}::text[])`];
  if (isOfMerchant) conditions.push(...withinScope(scope, 't.merchant_id', add));
  const { tableName } = orm.getMetadata().get(entity);
  const text = `select ${own.text} from ${tableName} t${whereAll(conditions)}`;
  const name = statementName(text);
  const { rows } = await reading.query<Record<string, unknown>>(
    asList({ ...(name !== undefined && { name }), text, values }),
  );
  const byId = new Map(rows.filter(isReadable).map((row) => [row[property], row as unknown as Row]));
  return ids.map((id) => byId.get(id) ?? null);
}
