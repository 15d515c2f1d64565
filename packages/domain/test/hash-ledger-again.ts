import type { MikroORM } from '@mikro-orm/postgresql';
import type pg from 'pg';
import { readRowsOfLinks, withNames } from '../src/audit/ledger-rows.ts';
import { ledgerSqlOf } from '../src/audit/ledger-sql.ts';
import { batchHash, type LedgerBatch } from '../src/core/ledger-batch.ts';
import { columnsOf } from '../src/database/columns.ts';
import { LedgerBatchRow } from '../src/database/entities/ledger.ts';

const firstHash = '0'.repeat(64);

/**
 * Computes every hash of the ledger chains again, for tests that move rows into the past. The triggers of the
 * connection have to be disabled.
 */
export async function hashLedgerAgain(client: pg.ClientBase, orm: MikroORM): Promise<void> {
  const read = async <Row>(text: string, values: unknown[]): Promise<Row[]> => (await client.query(text, values)).rows;
  const batches = await read<LedgerBatch>(
    `select ${columnsOf(orm, LedgerBatchRow)} from ledger_batch t order by merchant_id, batch_no`,
    [],
  );
  const contentsOf = await readRowsOfLinks(read, ledgerSqlOf(orm), batches.map(withNames));
  const last = new Map<string, string>();
  for (const [batch, contents] of contentsOf) {
    const { merchantId, batchNo } = batch;
    const texts = contents.map((content) => content?.text ?? '');
    const hash = batchHash(last.get(merchantId) ?? firstHash, batch, texts.join(''));
    last.set(merchantId, hash);
    await client.query('update ledger_batch set hash = $3 where merchant_id = $1 and batch_no = $2', [
      merchantId,
      batchNo,
      hash,
    ]);
  }
  for (const [merchantId, hash] of last)
    await client.query('update wallet set last_batch_hash = $2 where merchant_id = $1', [merchantId, hash]);
}
