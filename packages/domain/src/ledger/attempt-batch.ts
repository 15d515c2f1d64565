import { setTimeout as sleep } from 'node:timers/promises';
import type { Locking } from '../database/begin.ts';
import { isCancelled, isConnectionLoss, isTimeout, LedgerUnavailable } from '../database/connection-loss.ts';
import { onConnection } from '../database/transaction.ts';
import { runBatch } from './batch.ts';
import type { BatchOutcome } from './decide-batch.ts';
import type { Waiting } from './held-merchants.ts';
import type { WriterOptions } from './writer-options.ts';

const connectionRetries = [50, 200, 600];
/** A database that hangs for longer, in ms, is not tried again. */
const retryWithin = 1_000;

/**
 * Runs the commands as one batch; a lost connection is tried again, since every command may come twice. Throws LedgerUnavailable where the
 * database is unavailable, and what PostgreSQL says where it refuses the batch or did not get a lock in time.
 */
export async function attemptBatch(
  options: WriterOptions,
  batch: readonly Waiting[],
  locking: Omit<Locking, 'settings'>,
): Promise<BatchOutcome> {
  const began = performance.now();
  for (const pause of [...connectionRetries, null]) {
    try {
      return await transact(options, batch, locking);
    } catch (error) {
      if (!isConnectionLoss(error) && !isCancelled(error)) throw error;
      // A process that was paused for longer has lost its connection, and the next one works.
      const isLate = (isTimeout(error) || isCancelled(error)) && performance.now() - began + (pause ?? 0) > retryWithin;
      if (pause === null || isLate) throw new LedgerUnavailable('the database cannot be reached', { cause: error });
      await sleep(pause);
    }
  }
  throw new LedgerUnavailable('the database cannot be reached');
}

function transact(
  options: WriterOptions,
  batch: readonly Waiting[],
  locking: Omit<Locking, 'settings'>,
): Promise<BatchOutcome> {
  return onConnection(options.pool, async (client) => {
    const started = performance.now();
    const commands = batch.map(({ command }) => command);
    const settings = options.settings ?? [];
    const outcome = await runBatch(client, options.sql, commands, options, { ...locking, settings });
    const { newOrders } = outcome.written;
    if (newOrders.length > 0) options.created?.(newOrders.length);
    const size = outcome.results.filter((result) => result !== null).length;
    const waitedMs = started - Math.min(...batch.map(({ since }) => since));
    if (size > 0) options.observed?.({ size, waitedMs, tookMs: performance.now() - started });
    return outcome;
  });
}
