import pg from 'pg';
import { limitAnswers } from '../../../database/answer-limit.ts';
import { isUnavailable } from '../../../database/connection-loss.ts';
import type { LedgerSql } from '../ledger-sql.ts';
import { inSnapshot } from '../snapshot.ts';
import { type ReadPart, readSealedRows, type SealedPart } from './read-sealed-rows.ts';

// A thread that reads rows of seals and computes their hashes. It has a connection of its own, and not the ORM, which
// would take longer to load than a step takes.

/** A task for the thread. */
export interface SealedRowsTask {
  databaseUrl: string;
  sql: LedgerSql;
  parts: readonly SealedPart[];
}

let pool: pg.Pool | null = null;

/** An error loses its code on the way to another thread. So an unavailable database is a value. */
export type SealedRowsAnswer = ReadPart[] | { unavailable: string };

export default async function read({ databaseUrl, sql, parts }: SealedRowsTask): Promise<SealedRowsAnswer> {
  pool ??= openPool(databaseUrl);
  try {
    return await inSnapshot({ database: { pool } }, (read) => readSealedRows(read, sql, parts));
  } catch (error) {
    if (isUnavailable(error)) return { unavailable: (error as Error).message };
    throw error;
  }
}

function openPool(databaseUrl: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: 1,
    application_name: 'tidegate seals',
    connectionTimeoutMillis: 5_000,
    statement_timeout: 15_000,
    idle_in_transaction_session_timeout: 5_000,
    keepAlive: true,
  });
  // An idle connection that breaks is replaced at the next step.
  pool.on('error', () => undefined);
  limitAnswers(pool, 20_000);
  return pool;
}
