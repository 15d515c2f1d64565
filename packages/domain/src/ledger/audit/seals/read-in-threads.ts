import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import { LedgerUnavailable } from '../../../database/connection-loss.ts';
import type { DatabaseAccess } from '../../../database/database.ts';
import { ledgerSqlOf } from '../ledger-sql.ts';
import type { ReadSealedRows } from './read-sealed-rows.ts';
import type { SealedRowsAnswer, SealedRowsTask } from './sealed-rows-thread.ts';

/** Threads that read rows of seals. */
export interface SealedRowsThreads {
  read: ReadSealedRows;
  /** Ends the threads. Reads that are under way fail. */
  close(): Promise<void>;
}

/** How long threads wait for the next step, in ms: longer than from one job of the audit to the next. */
const idleMs = 15_000;

/**
 * Opens threads that read rows of seals. The daily run over the seals computes millions of hashes. In this thread, that
 * would delay all other work of the process. A thread starts at the first read, and ends after 15 s without one.
 */
export function openSealedRowsThreads({ database }: DatabaseAccess, databaseUrl: string): SealedRowsThreads {
  const sql = ledgerSqlOf(database.orm);
  const threads = new Piscina<SealedRowsTask, SealedRowsAnswer>({
    filename: fileURLToPath(new URL('./sealed-rows-thread.ts', import.meta.url)),
    minThreads: 0,
    maxThreads: 2,
    idleTimeout: idleMs,
    // A thread that waits must still read its connection, which the server may close.
    atomics: 'disabled',
    recordTiming: false,
  });
  return {
    read: async (parts) => {
      const answer = await threads.run({ databaseUrl, sql, parts });
      if ('unavailable' in answer) throw new LedgerUnavailable(answer.unavailable);
      return answer;
    },
    close: () => threads.destroy(),
  };
}
