import type { HasConnections } from '../../database/connection-counts.ts';
import { LedgerUnavailable } from '../../database/connection-loss.ts';
import { connectionOptions } from '../../database/connection-options.ts';
import type { DatabaseAccess } from '../../database/database.ts';
import { openThreads } from '../../threads/open-threads.ts';
import { ledgerSqlOf } from '../ledger-sql.ts';
import type { ReadSealedRows } from './read-sealed-rows.ts';
import type { SealedRowsAnswer, SealedRowsTask } from './sealed-rows-thread.ts';

/** Threads that read rows of seals. */
export interface SealedRowsThreads extends HasConnections {
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
/** Each thread has one connection. */
const maxThreads = 2;

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
  const threads = openThreads<SealedRowsTask, SealedRowsAnswer>({
    name: 'the threads that read rows of seals',
    file,
    most: maxThreads,
    heapMb: maxHeapMb,
    idleMs,
  });
  let reads = 0;
  return {
    read: async (parts) => {
      const signal = AbortSignal.timeout(longestReadMs);
      reads += 1;
      const answer = await threads.run({ connection, sql, parts }, { signal }).finally(() => {
        reads -= 1;
      });
      if ('unavailable' in answer) throw new LedgerUnavailable(answer.unavailable);
      return answer;
    },
    connections: () => {
      const open = threads.count();
      const used = Math.min(reads, open);
      return [{ pool: 'seals', used, idle: open - used, waiting: reads - used, limit: maxThreads }];
    },
    close: threads.close,
  };
}
