import type { DatabaseAccess } from '../../database/database.ts';
import { sameFileSql } from '../files/queries.ts';
import { dropUpload } from '../files/receive-statement.ts';
import type { StatementFile } from '../types.ts';
import { endAttemptSql, refusedFileSql, startImportSql } from './queries.ts';

/** A day of a channel that is being fetched. */
export interface Fetch {
  merchantId: string;
  channelId: string;
  format: string;
  day: string;
  /** How many attempts there were, with this one. */
  attempts: number;
  /** The attempt. */
  holder: string;
  /** The operator who asked for it; null: the schedule. */
  requestedBy: string | null;
  /** Bytes that the attempts for the day have transferred, used or not. */
  bytes: number;
}

/**
 * Lets a fetched file be imported. Content that the channel has given before is not stored again, unless another version of the day came since: if it was
 * imported, the day has it; if it was refused, it is checked again, because what it was refused for may be over.
 */
export async function startImport(
  { database: { pool, orm } }: DatabaseAccess,
  { merchantId, channelId, format, day, holder }: Fetch,
  { fileNo, sha256 }: StatementFile,
  formatVersion: number,
): Promise<{ outcome: 'received'; fileNo: number } | { outcome: 'unknown'; detail: string }> {
  const of = [merchantId, channelId, format, day, holder];
  const same = await pool.query<StatementFile>(sameFileSql(orm), [merchantId, channelId, sha256, day]);
  const known = same.rows[0]?.fileNo;
  if (known !== undefined) {
    await dropUpload(pool, merchantId, fileNo);
    await pool.query(endAttemptSql, [...of, 'received', 0, null, null, known]);
    return { outcome: 'received', fileNo: known };
  }
  const values = [merchantId, channelId, sha256, day];
  const refused = await pool.query<{ fileNo: number }>(refusedFileSql, values);
  const toImport = refused.rows[0]?.fileNo ?? fileNo;
  const started = await pool.query(startImportSql, [...of, toImport, formatVersion]);
  if (toImport !== fileNo) await dropUpload(pool, merchantId, fileNo);
  if (started.rowCount === 1) return { outcome: 'received', fileNo: toImport };
  await dropUpload(pool, merchantId, fileNo);
  return { outcome: 'unknown', detail: 'it took longer than its lease' };
}
