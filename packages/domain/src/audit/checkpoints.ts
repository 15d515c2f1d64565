import type { PoolClient } from 'pg';
import type { DatabaseAccess } from '../database/database.ts';
import { walletText } from './check-wallets.ts';
import { type Position, startOf } from './position.ts';

/** A merchant whose wallet row has changed since its ledger was last checked, and the number of its unchecked rows. */
export interface Waiting {
  position: Position;
  rows: number;
}

const limit = 500;

/** The wallets that have waited longest come first; `isAll`: there are no more. */
export async function waitingWallets(domain: DatabaseAccess): Promise<{ wallets: Waiting[]; isAll: boolean }> {
  const { rows } = await domain.database.pool.query<WaitingRow>(waitingSql, [limit]);
  const wallets = rows.map(({ merchantId, position, last }) => {
    const from = position ?? startOf(merchantId);
    return { position: from, rows: Math.max(0, last - from.entryNo - from.transferNo - from.auditNo - from.batchNo) };
  });
  return { wallets, isAll: rows.length < limit };
}

interface WaitingRow {
  merchantId: string;
  position: Position | null;
  last: number;
}

/**
 * Stores the position up to which these merchants' ledger was checked. Of merchants that were read to their end it also
 * stores the wallet's row.
 */
export async function saveCheckpoints(
  client: PoolClient,
  positions: readonly Position[],
  ended: ReadonlyMap<string, string>,
): Promise<void> {
  const rows = positions.map((position) => ({
    merchantId: position.merchantId,
    position,
    seen: ended.get(position.merchantId) ?? null,
  }));
  await client.query(saveSql, [JSON.stringify(rows)]);
}

const waitingSql = `select w.merchant_id as "merchantId", c.position, (w.last_entry_no + w.last_transfer_no + w.last_audit_no + w.last_batch_no)::float8 as last
  from wallet w left join audit_checkpoint c using (merchant_id)
  where c.wallet_seen is distinct from ${walletText} order by c.checked_at nulls first, w.merchant_id limit $1`;

const saveSql = `insert into audit_checkpoint (merchant_id, position, wallet_seen, checked_at)
  select r."merchantId", r.position, r.seen, clock_timestamp() from json_to_recordset($1::json) as r("merchantId" text, position jsonb, seen text)
  on conflict (merchant_id) do update set position = excluded.position, wallet_seen = excluded.wallet_seen, checked_at = excluded.checked_at`;
