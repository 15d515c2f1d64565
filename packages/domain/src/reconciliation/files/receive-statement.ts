import { createHash } from 'node:crypto';
import type { DatabaseAccess } from '../../database/database.ts';
import { inChunks } from '../../database/in-chunks.ts';
import { largestStatement } from '../statement.ts';
import type { StatementFile } from '../types.ts';
import { addChunkSql, beginFileSql, dropUploadSql, endFileSql, fileSql } from './queries.ts';

export type ReceivedStatement = { ok: true; file: StatementFile } | { ok: false; problem: 'too_large' | 'empty' };

/**
 * Keeps the bytes of a statement as they are, in chunks, with their SHA-256. Only `importStatement` says what they are. Uploads that were broken off,
 * or that were not imported within a day, are removed. Who uploads is stored by the connections of the ledger: another one has to confirm it.
 */
export async function receiveStatement(
  { database }: DatabaseAccess,
  {
    tenant,
    name,
    uploadedBy,
    largest = largestStatement,
  }: { tenant: string; name: string; uploadedBy: string; largest?: number },
  bytes: AsyncIterable<Uint8Array>,
): Promise<ReceivedStatement> {
  const { pool } = database;
  const drop = (fileNo: number | null): Promise<void> => dropUpload(pool, tenant, fileNo);
  await drop(null);
  const inserted = await database.ledgerPool.query<{ fileNo: number }>(beginFileSql, [tenant, name, uploadedBy]);
  const fileNo = inserted.rows[0]?.fileNo ?? 0;
  const hash = createHash('sha256');
  let size = 0;
  let chunks = 0;
  try {
    for await (const chunk of inChunks(bytes)) {
      size += chunk.length;
      if (size > largest) break;
      hash.update(chunk);
      await pool.query(addChunkSql, [tenant, fileNo, chunks, chunk]);
      chunks += 1;
    }
  } catch (error) {
    await drop(fileNo).catch(() => undefined);
    throw error;
  }
  if (size === 0 || size > largest) {
    await drop(fileNo);
    return { ok: false, problem: size === 0 ? 'empty' : 'too_large' };
  }
  await pool.query(endFileSql, [tenant, fileNo, size, hash.digest('hex')]);
  const { rows } = await pool.query<StatementFile>(fileSql(database.orm), [tenant, fileNo]);
  const [file] = rows;
  if (!file) throw new Error('an uploaded statement is not there');
  return { ok: true, file };
}

/** Removes an upload that is not imported; null: those that were broken off, or not imported within a day. */
export async function dropUpload(
  pool: DatabaseAccess['database']['pool'],
  tenant: string,
  fileNo: number | null,
): Promise<void> {
  await pool.query(dropUploadSql, [tenant, fileNo]);
}
