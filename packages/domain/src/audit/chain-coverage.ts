import { coverageOf } from '../core/ledger-batch.ts';
import type { OrderRef } from '../core/order.ts';
import { type ChainedTableName, nameSql, type RowRef } from './chained-tables.ts';
import type { Read } from './snapshot.ts';
import type { Violation } from './violation.ts';

export const coverageRuleName = 'every row is in the ledger batch that it names';

/** A row of a chained table, and the batch that it names. */
export interface RowFact extends RowRef {
  batchNo: number;
}

/** Rows whose batch does not name them: they were inserted or moved by hand. */
export async function checkCoverage(read: Read, rows: readonly RowFact[]): Promise<Violation[]> {
  const keys = new Map<string, { merchantId: string; batchNo: number }>();
  for (const { merchantId, batchNo } of rows) keys.set(`${merchantId} ${batchNo}`, { merchantId, batchNo });
  const values = [
    [...keys.values()].map(({ merchantId }) => merchantId),
    [...keys.values()].map(({ batchNo }) => batchNo),
  ];
  const batches = await read<{ merchantId: string; batchNo: number; rows: string[] }>(namedSql, values);
  const named = new Map(
    batches.map(({ merchantId, batchNo, rows }) => [`${merchantId} ${batchNo}`, coverageOf({ rows })]),
  );
  return rows.flatMap(({ merchantId, name, batchNo }): Violation[] =>
    named.get(`${merchantId} ${batchNo}`)?.(name)
      ? []
      : [{ rule: coverageRuleName, merchantId, subject: name, detail: `batch ${batchNo} does not cover it` }],
  );
}

/** The chained rows of these orders, but for entries and decisions: those are read in the order of their numbers. */
export async function rowsOfOrders(read: Read, refs: readonly OrderRef[]): Promise<RowFact[]> {
  if (refs.length === 0) return [];
  return read<RowFact>(rowsOfOrdersSql, [refs.map((ref) => ref.merchantId), refs.map((ref) => ref.orderNo)]);
}

const namedSql = `select b.merchant_id as "merchantId", b.batch_no::float8 as "batchNo", b.rows
  from unnest($1::text[], $2::bigint[]) as k(m, n) cross join lateral (
    select * from ledger_batch b where b.merchant_id = k.m and b.batch_no = k.n offset 0) b`;

export const factColumns = (table: ChainedTableName): string =>
  `t.merchant_id as "merchantId", ${nameSql(table)} as name, t.batch_no::float8 as "batchNo"`;

const rowsOfOrdersSql = (['orders', 'order_transition', 'payment', 'money_case', 'transfer'] as const)
  .map(
    (table) => `select ${factColumns(table)} from unnest($1::text[], $2::text[]) as k(m, n) cross join lateral (
      select * from ${table} s where s.merchant_id = k.m and s.order_no = k.n offset 0) t`,
  )
  .join('\nunion all ');
