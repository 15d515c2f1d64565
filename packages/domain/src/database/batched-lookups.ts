import { LedgerUnavailable } from './connection-loss.ts';

export interface BatchedLookupOptions<Value> {
  /** Asks for up to `perStatement` keys at once; what is not in the answer is not there. */
  ask(keys: string[]): Promise<Map<string, Value>>;
  perStatement: number;
  /** More than so many that wait are refused. */
  maxWaiting: number;
}

/**
 * Looks keys up with one statement at a time, for all that came meanwhile. So a flood of keys that nobody knows costs the database
 * one connection and few statements.
 */
export function batchedLookups<Value>(options: BatchedLookupOptions<Value>): (key: string) => Promise<Value | null> {
  const { ask, perStatement, maxWaiting } = options;
  let waiting: { key: string; settle: PromiseWithResolvers<Value | null> }[] = [];
  let isAsking = false;
  const run = async (): Promise<void> => {
    isAsking = true;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, perStatement);
      waiting = waiting.slice(perStatement);
      try {
        const found = await ask(batch.map(({ key }) => key));
        for (const { key, settle } of batch) settle.resolve(found.get(key) ?? null);
      } catch (error) {
        for (const { settle } of batch) settle.reject(error);
      }
    }
    isAsking = false;
  };
  return (key) => {
    if (waiting.length >= maxWaiting) return Promise.reject(new LedgerUnavailable('too many lookups wait'));
    const settle = Promise.withResolvers<Value | null>();
    waiting.push({ key, settle });
    if (!isAsking) void run();
    return settle.promise;
  };
}
