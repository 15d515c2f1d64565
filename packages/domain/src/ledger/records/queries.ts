import type { EntityName } from '@mikro-orm/postgresql';
import { type Column, read, type Statement } from '../../database/columns.ts';
import { asArrays, asJson, type WritingStatement } from '../../database/row-parameters.ts';

/** The columns of an entity, from which the queries of its table are made. */
export type ColumnsOf = (entity: EntityName) => Column[];

/** For queries by orders: `t` is the table, $1 the merchants, $2 the order numbers. */
export const byOrder = 'join unnest($1::text[], $2::text[]) as k(m, n) on t.merchant_id = k.m and t.order_no = k.n';

/** Columns as the core wants them: times as Unix milliseconds, 64-bit counters as numbers, numerics as text. */
export function selectList(columns: Column[]): string {
  return columns.map((c) => `${read(c, 't')} as "${c.property}"`).join(', ');
}

/** The type in which a column is sent. */
function sentType({ type }: Column): string {
  return type === 'timestamptz' ? 'float8' : type;
}

/** `r(…)`: the rows of a JSON text, one column for each property, under the property's name. */
function rows(columns: Column[]): string {
  return `json_to_recordset($1::json) as r(${columns.map((c) => `"${c.property}" ${sentType(c)}`).join(', ')})`;
}

function value(column: Column): string {
  return column.type === 'timestamptz' ? `to_timestamp(r."${column.property}" / 1000)` : `r."${column.property}"`;
}

function insertFrom(rows: string, table: string, columns: Column[]): Statement {
  const text = `insert into ${table} (${columns.map((c) => c.name).join(', ')}) select ${columns.map(value).join(', ')} from ${rows}`;
  return { name: `insert-${table}`, text };
}

export function insert(table: string, columns: Column[]): WritingStatement {
  return { ...insertFrom(rows(columns), table, columns), valuesOf: asJson };
}

/** For tables with rows for each order. PostgreSQL fills an array up with nulls that is null itself. */
export function insertMany(table: string, columns: Column[]): WritingStatement {
  const arrays = columns.map((c, i) => `unnest($${i + 1}::${sentType(c)}[]) as "${c.property}"`);
  return {
    ...insertFrom(`(select ${arrays.join(', ')}) r`, table, columns),
    valuesOf: asArrays(columns),
  };
}

/** Updates the columns of these properties. `also`: columns that get the same value in each row. */
export function update<Row extends object>(
  table: string,
  columns: Column[],
  changing: readonly (keyof Row & string)[],
  also: readonly string[] = [],
): WritingStatement {
  const used = columns.filter((c) => c.primary || changing.some((property) => property === c.property));
  const set = [...also, ...used.filter((c) => !c.primary).map((c) => `${c.name} = ${value(c)}`)];
  const key = used.filter((c) => c.primary).map((c) => `t.${c.name} = r."${c.property}"`);
  return {
    name: `update-${table}`,
    text: `update ${table} t set ${set.join(', ')} from ${rows(used)} where ${key.join(' and ')}`,
    valuesOf: asJson,
  };
}

/** Inserts rows, or replaces those that are there. */
export function upsert(table: string, columns: Column[]): WritingStatement {
  const { text, ...rest } = insert(table, columns);
  const key = columns.filter((c) => c.primary).map((c) => c.name);
  const set = columns.filter((c) => !c.primary).map((c) => `${c.name} = excluded.${c.name}`);
  return {
    ...rest,
    name: `write-${table}`,
    text: `${text} on conflict (${key.join(', ')}) do update set ${set.join(', ')}`,
  };
}
