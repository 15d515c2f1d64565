import type { EntityName } from '@mikro-orm/postgresql';
import type { Database } from '../store/database.ts';
import { columnsAs } from '../store/statements.ts';
import { findable, most } from './load-rows.ts';
import { type Only, withKeys } from './only.ts';
import { type Scope, withinScope } from './scope.ts';
import { statementName } from './statement-name.ts';
import { collectValues, whereAll } from './values.ts';

/** A small table whose key is one text. */
export interface SmallTable {
  entity: EntityName;
  omitted?: readonly string[];
  /** The key's property and column. */
  key: readonly [property: string, column: string];
  /** Whether its rows are merchants', and so to be kept within scope. */
  isOfMerchant: boolean;
}

/** What else a row is read with. */
export interface Wanted {
  /** Properties that are wanted; others are missing but the key. */
  only?: Only;
  /** The row of a table with the same key, under this property where there is one. */
  beside?: { property: string; table: SmallTable; only?: Only };
}

/**
 * The rows of these keys, in their order: null where there is none, or where it is out of scope. Every page asks for them, so that the
 * statement is planned once. While a table is small any plan will do; when it has grown, its statistics have it planned anew.
 * At most 1,000 keys.
 */
export async function loadFew<Row extends object>(
  { orm, reading }: Database,
  table: SmallTable,
  ids: readonly string[],
  scope: Scope,
  { only, beside }: Wanted = {},
): Promise<(Row | null)[]> {
  if (ids.length === 0) return [];
  if (ids.length > most) throw new RangeError(`at most ${most} rows are looked up at once, not ${ids.length}`);
  const { values, add } = collectValues();
  const [property, column] = table.key;
  const tableOf = ({ entity }: SmallTable): string => orm.getMetadata().get(entity).tableName;
  const columns = (of: SmallTable, wanted: Only, alias: string, prefix: string) =>
    columnsAs(orm, of.entity, { omitted: of.omitted, only: withKeys(wanted, [of.key[0]]), alias, prefix });
  const own = columns(table, only, 't', '');
  const other = beside && columns(beside.table, beside.only, 'b', 'beside ');
  const conditions = [`t.${column} = any(${add([...new Set(ids.map(findable))])}::text[])`];
  if (table.isOfMerchant) conditions.push(...withinScope(scope, 't.merchant_id', add));
  const join = beside ? ` left join ${tableOf(beside.table)} b on b.${beside.table.key[1]} = t.${column}` : '';
  const text = `select ${own.text}${other ? `, ${other.text}` : ''} from ${tableOf(table)} t${join}${whereAll(conditions)}`;
  const name = statementName(text);
  const { rows } = await reading.query<Record<string, unknown>>({ ...(name !== undefined && { name }), text, values });
  if (beside && other) fold(rows, beside, other.properties);
  const byId = new Map(rows.map((row) => [row[property], row as unknown as Row]));
  return ids.map((id) => byId.get(id) ?? null);
}

/** Makes one object of what stands beside each row. */
function fold(
  rows: Record<string, unknown>[],
  { property, table }: { property: string; table: SmallTable },
  of: string[],
) {
  const key = `beside ${table.key[0]}`;
  const names = of.map((one) => [one, `beside ${one}`] as const);
  for (const row of rows) {
    if (row[key] === null) continue;
    const other: Record<string, unknown> = {};
    for (const [one, name] of names) other[one] = row[name];
    row[property] = other;
  }
}
