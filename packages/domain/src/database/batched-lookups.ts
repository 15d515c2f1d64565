import { LedgerUnavailable } from './connection-loss.ts';

export interface BatchedLookupOptions<Value> {
  /** Reads up to `perStatement` keys at once. A key without an entry in the answer does not exist. */
  ask(keys: string[]): Promise<Map<string, Value>>;
  perStatement: number;
  /** If more keys wait, further ones are refused. */
  maxWaiting: number;
}

/**
 * Looks keys up with one statement at a time. Keys that arrive meanwhile go into the next one. So a flood of unknown
 * keys costs the database one connection and few statements.
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
