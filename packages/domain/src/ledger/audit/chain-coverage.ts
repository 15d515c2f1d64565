import { namesOf } from '../../core/ledger-batch.ts';
import type { OrderRef } from '../../core/order.ts';
import { chainedTableNames, chainedTables, nameSql, type RowRef } from './chained-tables.ts';
import type { Read } from './snapshot.ts';
import type { Violation } from './violation.ts';

export const coverageRuleName = 'every row is in the ledger batch that it names';

/** A row of a chained table, the batch that it names, and its time in Unix ms. */
export interface RowFact extends RowRef {
  batchNo: number | null;
  at: number;
}

/**
 * Whether older rows are sealed, and since when every row must be in the chain, in Unix ms. Null: not yet, because an
 * older version may still write.
 */
export interface ChainState {
  requiredSince: number | null;
  isSealed: boolean;
}

export async function readChainState(read: Read): Promise<ChainState> {
  const rows = await read<ChainState>(
    `select round(date_part('epoch', required_since) * 1000) as "requiredSince", sealed_at is not null as "isSealed" from ledger_chain`,
    [],
  );
  // Deleting this row does not switch the rule off.
  return rows[0] ?? { requiredSince: 0, isSealed: true };
}

/**
 * Rows whose batch does not name them, or without a batch although the chain is required: they were inserted or moved
 * by hand.
 */
export async function checkCoverage(
  read: Read,
  rows: readonly RowFact[],
  { requiredSince }: ChainState,
): Promise<Violation[]> {
  const keys = new Map<string, { merchantId: string; batchNo: number }>();
  for (const { merchantId, batchNo } of rows)
    if (batchNo !== null) keys.set(`${merchantId} ${batchNo}`, { merchantId, batchNo });
  const values = [
    [...keys.values()].map(({ merchantId }) => merchantId),
    [...keys.values()].map(({ batchNo }) => batchNo),
  ];
  const batches = await read<{ merchantId: string; batchNo: number; rows: string[] }>(namedSql, values);
  const named = new Map(
    batches.map(({ merchantId, batchNo, rows }) => [`${merchantId} ${batchNo}`, new Set(namesOf({ rows }))]),
  );
  return rows.flatMap(({ merchantId, name, batchNo, at }): Violation[] => {
    const isRight =
      batchNo === null
        ? requiredSince === null || at < requiredSince
        : named.get(`${merchantId} ${batchNo}`)?.has(name);
    if (isRight) return [];
    const detail = batchNo === null ? 'it was written without the chain' : `batch ${batchNo} does not cover it`;
    return [{ rule: coverageRuleName, merchantId, subject: name, detail }];
  });
}

/** All chained rows of these orders. */
export async function rowsOfOrders(read: Read, refs: readonly OrderRef[]): Promise<RowFact[]> {
  if (refs.length === 0) return [];
  return read<RowFact>(rowsOfOrdersSql, [refs.map((ref) => ref.merchantId), refs.map((ref) => ref.orderNo)]);
}

const namedSql = `select b.merchant_id as "merchantId", b.batch_no::float8 as "batchNo", b.rows
  from unnest($1::text[], $2::bigint[]) as k(m, n) cross join lateral (
    select * from ledger_batch b where b.merchant_id = k.m and b.batch_no = k.n offset 0) b`;

export const factColumns = (table: (typeof chainedTableNames)[number]): string =>
  `t.merchant_id as "merchantId", ${nameSql(table)} as name, t.batch_no::float8 as "batchNo",
    round(date_part('epoch', t.${chainedTables[table].at}) * 1000) as at`;

const rowsOfOrdersSql = chainedTableNames
  .map(
    (table) => `select ${factColumns(table)} from unnest($1::text[], $2::text[]) as k(m, n) cross join lateral (
      select * from ${table} s where s.merchant_id = k.m and s.order_no = k.n offset 0) t`,
  )
  .join('\nunion all ');
