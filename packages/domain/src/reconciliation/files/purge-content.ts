import type { DatabaseAccess } from '../../database/database.ts';
import { deleteContentSql, oldContentSql } from './queries.ts';

/**
 * Deletes the bytes of one statement that is older than `days`: they hold names and accounts of payers. Its name, size, hash and lines stay. A statement that
 * waits for its import keeps them. Resolves to whether there may be more.
 */
export async function purgeStatementContent(
  { database: { pool } }: DatabaseAccess,
  { days }: { days: number },
): Promise<boolean> {
  const { rows } = await pool.query<{ merchantId: string; fileNo: number }>(oldContentSql, [days]);
  const [old] = rows;
  if (!old) return false;
  await pool.query(deleteContentSql, [old.merchantId, old.fileNo]);
  return true;
}
