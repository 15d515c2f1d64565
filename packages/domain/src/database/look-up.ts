import { isConnectionLoss, LedgerUnavailable } from './connection-loss.ts';
import { inBatches } from './in-batches.ts';

/** Keys in one statement. */
const batchSize = 200;
/** The most keys in progress. Further ones are refused at once. */
export const lookUpLimit = 5_000;
/** How long the database counts as unavailable after a failed connection, in milliseconds. */
const awayFor = 50;

interface Wanted {
  key: string;
  /** Time of the request, from `performance.now()`. */
  requestedAt: number;
}

/**
 * Looks up untrusted keys, such as merchant numbers; null for an unknown key. One statement runs at a time. Keys that
 * arrive meanwhile go into the next one. So a flood of invented keys costs the database one connection at most. If the
 * database is unavailable, all waiting calls are refused together with the first.
 */
export function openLookUp<Value>(
  read: (keys: string[]) => Promise<Map<string, Value>>,
): (key: string) => Promise<Value | null> {
  let away: { since: number; error: unknown } | null = null;
  const run = async (wanted: Wanted[]): Promise<(Value | null)[]> => {
    // The first of a batch has waited longest. Calls that waited before the failure are refused without another read,
    // however long that takes.
    const requestedAt = wanted[0]?.requestedAt ?? 0;
    if (away && (requestedAt <= away.since || performance.now() - away.since < awayFor)) throw away.error;
    try {
      const found = await read(wanted.map(({ key }) => key));
      return wanted.map(({ key }) => found.get(key) ?? null);
    } catch (error) {
      if (isConnectionLoss(error)) away = { since: performance.now(), error };
      throw error;
    }
  };
  const ask = inBatches({ run, size: batchSize, concurrency: 1 });
  let calls = 0;
  return async (key) => {
    if (calls >= lookUpLimit) throw new LedgerUnavailable('too much is being looked up');
    calls += 1;
    try {
      return await ask({ key, requestedAt: performance.now() });
    } finally {
      calls -= 1;
    }
  };
}
