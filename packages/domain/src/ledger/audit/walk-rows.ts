import { hash } from 'node:crypto';
import type { PoolClient } from 'pg';
import { firstEntryHash } from '../../core/wallet.ts';
import { type ChainState, checkCoverage, factColumns, type RowFact } from './chain-coverage.ts';
import { type ChainedTableName, chainedTableNames, chainedTables } from './chained-tables.ts';
import { readRows } from './ledger-rows.ts';
import type { LedgerSql } from './ledger-sql.ts';
import type { Read } from './snapshot.ts';
import type { Violation } from './violation.ts';

export const sealRuleName = 'rows from before the chain are as they were sealed';

/** The seal of a merchant's rows without a batch in one table. */
export interface Seal {
  merchantId: string;
  tableName: ChainedTableName;
  rows: number;
  hash: string;
}

/**
 * The position of a walk over all rows of the chained tables, one table after the other, each in the order of its key.
 */
export interface RowsPosition {
  table: ChainedTableName;
  /** The last row's merchant, and the rest of its key as text. */
  after: { merchantId: string; key: readonly string[] };
  /** The state of the chain at the beginning of the walk. */
  chain: ChainState;
  /** Of the last row's merchant so far. */
  seal: Seal;
}

export interface RowsStep {
  /** Null when all tables were read. */
  next: RowsPosition | null;
  violations: Violation[];
  /** Saved with the step: new seals, and whether all of them have been made now. */
  seals: Seal[];
  sealedSince: number | null;
}

const rowsPerStep = 2_000;

export function startOfRows(chain: ChainState, table: ChainedTableName = 'orders'): RowsPosition {
  const seal = { merchantId: '', tableName: table, rows: 0, hash: firstEntryHash };
  return { table, after: { merchantId: '', key: chainedTables[table].start }, chain, seal };
}

/**
 * One step of the walk. Every row must be in the batch that it names. The first walk after the chain was required
 * seals the older rows once. Each later walk recomputes the seals and compares them.
 */
export async function rowsStep(read: Read, sql: LedgerSql, position: RowsPosition): Promise<RowsStep> {
  const { table, chain } = position;
  const page = await read<RowFact & { key: string[] }>(pageSql(table), [
    position.after.merchantId,
    ...position.after.key,
    rowsPerStep,
  ]);
  const violations = await checkCoverage(read, page, chain);
  const last = page.at(-1);
  const isTableRead = !last || page.length < rowsPerStep;
  const { ended, seal } =
    chain.requiredSince === null ? { ended: [], seal: position.seal } : await sealPage(read, sql, position, page);
  if (isTableRead && chain.requiredSince !== null && seal.merchantId !== '') ended.push(seal);
  const problems = chain.isSealed ? await compare(read, position, ended, isTableRead) : [];
  const nextTable = chainedTableNames[chainedTableNames.indexOf(table) + 1];
  const seals = chain.isSealed ? [] : ended.filter(({ rows }) => rows > 0);
  const common = { violations: [...violations, ...problems], seals };
  if (!isTableRead) return { ...common, next: { ...position, after: last, seal }, sealedSince: null };
  if (nextTable) return { ...common, next: startOfRows(chain, nextTable), sealedSince: null };
  return { ...common, next: null, sealedSince: chain.isSealed ? null : chain.requiredSince };
}

/** The seals that end within this page, and that of its last merchant so far. */
async function sealPage(
  read: Read,
  sql: LedgerSql,
  { table, seal: firstSeal }: RowsPosition,
  page: readonly RowFact[],
) {
  const older = page.filter(({ batchNo }) => batchNo === null);
  const found = await readRows(read, sql, older);
  const textOf = new Map(older.map((row, i) => [row, found[i]?.text ?? '']));
  const ended: Seal[] = [];
  let seal = firstSeal;
  for (const row of page) {
    if (row.merchantId !== seal.merchantId) {
      if (seal.merchantId !== '') ended.push(seal);
      seal = { merchantId: row.merchantId, tableName: table, rows: 0, hash: firstEntryHash };
    }
    if (row.batchNo !== null) continue;
    seal = { ...seal, rows: seal.rows + 1, hash: hash('sha256', seal.hash + (textOf.get(row) ?? ''), 'hex') };
  }
  return { ended, seal };
}

/**
 * Compares the merchants that end here with their seals. Merchants in the same range that have no rows any more are
 * compared too.
 */
async function compare(
  read: Read,
  position: RowsPosition,
  ended: readonly Seal[],
  isTableRead: boolean,
): Promise<Violation[]> {
  const upTo = ended.at(-1)?.merchantId ?? position.seal.merchantId;
  const values = [position.table, position.chain.requiredSince, position.seal.merchantId, isTableRead ? null : upTo];
  const kept = await read<Pick<Seal, 'merchantId' | 'rows' | 'hash'>>(keptSql, values);
  const sealOf = new Map(kept.map((seal) => [seal.merchantId, seal]));
  const now = new Map(ended.map((seal) => [seal.merchantId, seal]));
  return [...new Set([...now.keys(), ...sealOf.keys()])].flatMap((merchantId): Violation[] => {
    const none = { rows: 0, hash: firstEntryHash };
    const [was, is] = [sealOf.get(merchantId) ?? none, now.get(merchantId) ?? none];
    if (was.rows === is.rows && was.hash === is.hash) return [];
    const detail = was.rows === is.rows ? 'a row was changed' : `there are ${is.rows} rows, ${was.rows} were sealed`;
    return [{ rule: sealRuleName, merchantId, subject: position.table, detail }];
  });
}

/** Saves the seals of a step, in its transaction. */
export async function saveSeals(
  client: PoolClient,
  { seals, sealedSince }: Pick<RowsStep, 'seals' | 'sealedSince'>,
  requiredSince: number | null,
): Promise<void> {
  if (seals.length > 0) await client.query(insertSealsSql, [JSON.stringify(seals), requiredSince]);
  if (sealedSince !== null) await client.query(sealedSql, [sealedSince]);
}

function pageSql(table: ChainedTableName): string {
  const { key, types } = chainedTables[table];
  const columns = key.map((column) => `, t.${column}`).join('');
  const from = types.map((type, i) => `, $${i + 2}::${type}`).join('');
  return `select ${factColumns(table)}, array[${key.map((column) => `t.${column}::text`).join(', ')}] as key
    from ${table} t where (t.merchant_id${columns}) > ($1::text${from}) order by t.merchant_id${columns} limit $${types.length + 2}`;
}

const since = (parameter: string): string => `to_timestamp(${parameter}::float8 / 1000)::timestamptz(3)`;

// Up to a merchant, or, at a table's end, to the last seal.
const keptSql = `select merchant_id as "merchantId", rows::float8 as rows, hash from ledger_seal
  where table_name = $1 and required_since = ${since('$2')} and merchant_id >= $3 and ($4::text is null or merchant_id <= $4)`;

// A step that was done but not saved is done again.
const insertSealsSql = `insert into ledger_seal (merchant_id, table_name, required_since, rows, hash)
  select r."merchantId", r."tableName", ${since('$2')}, r.rows, r.hash
  from json_to_recordset($1::json) as r("merchantId" text, "tableName" text, rows bigint, hash text) on conflict do nothing`;

const sealedSql = `update ledger_chain set sealed_at = clock_timestamp() where required_since = ${since('$1')} and sealed_at is null`;
