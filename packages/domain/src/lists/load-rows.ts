import type { EntityName } from '@mikro-orm/postgresql';
import { asList } from '../database/answer-limit.ts';
import { columnsOf } from '../database/columns.ts';
import type { Database } from '../database/database.ts';
import { isReadable } from '../database/json-columns.ts';
import { type Scope, withinScope } from './scope.ts';
import { collectValues, whereAll } from './values.ts';

/** A table whose rows are looked up by key, many at once. */
export interface Lookup {
  entity: EntityName;
  omitted?: readonly string[];
  /** Columns of the key, each with its type. */
  key: readonly (readonly [column: string, type: 'text' | 'bigint'])[];
  /** Whether its rows belong to merchants, so that the scope applies. */
  isOfMerchant: boolean;
}

const merchantId = ['merchant_id', 'text'] as const;

/** A merchant's rows, whose key begins with the merchant's number. */
export function ofMerchant(entity: Lookup['entity'], ...key: Lookup['key']): Lookup {
  return { entity, key: [merchantId, ...key], isOfMerchant: true };
}

/** The most keys at once. No page is larger. */
export const most = 1_000;

/**
 * The rows of these keys by one statement, in the order of the keys; null for a row that does not exist or is out of
 * scope, or that cannot be read. A repeated key returns the same row again. At most 1,000 keys.
 */
export async function loadRows<Row extends object>(
  database: Database,
  lookup: Lookup,
  keys: readonly (readonly (string | number)[])[],
  scope: Scope,
): Promise<(Row | null)[]> {
  if (keys.length === 0) return [];
  if (keys.length > most) throw new RangeError(`at most ${most} rows are looked up at once, not ${keys.length}`);
  const { values, add } = collectValues();
  const arrays = lookup.key.map(([, type], i) => `${add(keys.map((one) => findable(one[i] ?? '')))}::${type}[]`);
  const names = lookup.key.map((_, i) => `k${i}`);
  const matches = lookup.key.map(([column], i) => `t.${column} = k.k${i}`);
  const { orm, reading } = database;
  const text = `select ${columnsOf(orm, lookup.entity, lookup.omitted)}, k.place::integer
     from unnest(${arrays.join(', ')}) with ordinality as k(${names.join(', ')}, place)
     join ${orm.getMetadata().get(lookup.entity).tableName} t on ${matches.join(' and ')}
     ${whereAll(lookup.isOfMerchant ? withinScope(scope, 't.merchant_id', add) : [])}`;
  const { rows } = await reading.query<Row & { place: number }>(asList({ text, values }));
  const found = new Array<Row | null>(keys.length).fill(null);
  for (const { place, ...row } of rows.filter(isReadable)) found[place - 1] = row as unknown as Row;
  return found;
}

/** Text that PostgreSQL cannot store matches nothing. */
export function findable<Part extends string | number>(part: Part): Part | '' {
  return typeof part === 'string' && (part.includes('\0') || !part.isWellFormed()) ? '' : part;
}
