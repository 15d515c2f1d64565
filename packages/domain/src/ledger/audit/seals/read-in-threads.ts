import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import { LedgerUnavailable } from '../../../database/connection-loss.ts';
import { connectionOptions } from '../../../database/connection-options.ts';
import type { DatabaseAccess } from '../../../database/database.ts';
import { ledgerSqlOf } from '../ledger-sql.ts';
import type { ReadSealedRows } from './read-sealed-rows.ts';
import type { SealedRowsAnswer, SealedRowsTask } from './sealed-rows-thread.ts';

/** Threads that read rows of seals. */
export interface SealedRowsThreads {
  read: ReadSealedRows;
  /** Ends the threads. Reads that are under way fail, and later ones too. */
  close(): Promise<void>;
}

/** How long threads wait for the next step, in ms: longer than from one job of the audit to the next. */
const idleMs = 15_000;
/** The longest time of a read, in ms. Its statements have shorter limits, so only a thread that hangs reaches it. */
const longestReadMs = 120_000;
/** The memory of a thread for objects. A read holds one page of rows at a time. */
const maxHeapMb = 96;
const answerMs = 20_000;

/**
 * Opens threads that read rows of seals. The daily run over the seals computes millions of hashes. In this thread, that
 * would delay all other work of the process. A thread starts at the first read, and ends after 15 s without one.
 *
 * `file` is the code of a thread. A read rejects if a thread cannot start, fails, hangs or needs too much memory; this thread goes on.
 */
export function openSealedRowsThreads(
  { database }: DatabaseAccess,
  databaseUrl: string,
  file = new URL('./sealed-rows-thread.ts', import.meta.url),
): SealedRowsThreads {
  const sql = ledgerSqlOf(database.orm);
  const connection = connectionOptions(databaseUrl, answerMs);
  const threads = new Piscina<SealedRowsTask, SealedRowsAnswer>({
    filename: fileURLToPath(file),
    minThreads: 0,
    maxThreads: 2,
    idleTimeout: idleMs,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
    // A thread that waits must still read its connection, which the server may close.
    atomics: 'disabled',
    recordTiming: false,
  });
  let failed = new AbortController();
  // If a thread ends before it has a task, the task would wait forever.
  threads.on('error', (error) => {
    const before = failed;
    failed = new AbortController();
    before.abort(error);
  });
  let isClosed = false;
  return {
    read: async (parts) => {
      if (isClosed) throw new Error('the threads that read rows of seals are closed');
      const signal = AbortSignal.any([failed.signal, AbortSignal.timeout(longestReadMs)]);
      const answer = await threads.run({ connection, sql, parts }, { signal }).catch((error) => {
        throw signal.aborted ? signal.reason : error;
      });
      if ('unavailable' in answer) throw new LedgerUnavailable(answer.unavailable);
      return answer;
    },
    close: () => {
      isClosed = true;
      return threads.destroy();
    },
  };
}
