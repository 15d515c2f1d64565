import { checkCoverage, factColumns, type RowFact } from './chain-coverage.ts';
import { type ChainedTableName, chainedTableNames, chainedTables } from './chained-tables.ts';
import type { Read } from './snapshot.ts';
import type { Violation } from './violation.ts';

/**
 * The position of a walk over all rows of the chained tables, one table after the other, each in the order of its key.
 */
export interface RowsPosition {
  table: ChainedTableName;
  /** The last row's merchant, and the rest of its key as text. */
  after: { merchantId: string; key: readonly string[] };
}

export interface RowsStep {
  /** Null when all tables were read. */
  next: RowsPosition | null;
  violations: Violation[];
}

const rowsPerStep = 2_000;

export function startOfRows(table: ChainedTableName = 'orders'): RowsPosition {
  return { table, after: { merchantId: '', key: chainedTables[table].start } };
}

/** One step of the walk. Every row must be in the batch that it names. */
export async function rowsStep(read: Read, { table, after }: RowsPosition): Promise<RowsStep> {
  const page = await read<RowFact & { key: string[] }>(pageSql(table), [after.merchantId, ...after.key, rowsPerStep]);
  const violations = await checkCoverage(read, page);
  const last = page.at(-1);
  if (last && page.length === rowsPerStep)
    return { violations, next: { table, after: { merchantId: last.merchantId, key: last.key } } };
  const nextTable = chainedTableNames[chainedTableNames.indexOf(table) + 1];
  return { violations, next: nextTable ? startOfRows(nextTable) : null };
}

function pageSql(table: ChainedTableName): string {
  const { key, types } = chainedTables[table];
  const columns = key.map((column) => `, t.${column}`).join('');
  const from = types.map((type, i) => `, $${i + 2}::${type}`).join('');
  return `select ${factColumns(table)}, array[${key.map((column) => `t.${column}::text`).join(', ')}] as key
    from ${table} t where (t.merchant_id${columns}) > ($1::text${from}) order by t.merchant_id${columns} limit $${types.length + 2}`;
}
