import pg from 'pg';
import { limitAnswers } from '../../database/answer-limit.ts';
import { isUnavailable, surviveLoss } from '../../database/connection-loss.ts';
import type { connectionOptions } from '../../database/connection-options.ts';
import type { LedgerSql } from '../ledger-sql.ts';
import { inSnapshot } from '../snapshot.ts';
import { type ReadPart, readSealedRows, type SealedPart } from './read-sealed-rows.ts';

// A thread that reads rows of seals and computes their hashes. It has a connection of its own, and not the ORM, which
// would take longer to load than a step takes.

/** A task for the thread. */
export interface SealedRowsTask {
  connection: ReturnType<typeof connectionOptions>;
  sql: LedgerSql;
  parts: readonly SealedPart[];
}

let pool: pg.Pool | null = null;

/** An error loses its code on the way to another thread. So an unavailable database is a value. */
export type SealedRowsAnswer = ReadPart[] | { unavailable: string };

export default async function read({ connection, sql, parts }: SealedRowsTask): Promise<SealedRowsAnswer> {
  pool ??= openPool(connection);
  try {
    return await inSnapshot({ database: { pool } }, (read) => readSealedRows(read, sql, parts));
  } catch (error) {
    if (isUnavailable(error)) return { unavailable: (error as Error).message };
    throw error;
  }
}

function openPool(connection: SealedRowsTask['connection']): pg.Pool {
  // The thread keeps its connection until it ends, so that the connections of a process can be counted by its threads.
  const options = { max: 1, idleTimeoutMillis: 0, application_name: 'tidegate seals' };
  const pool = new pg.Pool({ ...connection, ...options });
  surviveLoss(pool);
  limitAnswers(pool, 20_000);
  return pool;
}
