import { isCancelled, isUnavailable } from './connection-loss.ts';

export interface Batching<Item, Answer> {
  /** Processes all items with one statement. Returns the answers in the items' order. */
  run(items: Item[]): Promise<Answer[]>;
  /** Items with the same key are never in one batch. Null, or absent: any may be. */
  keyOf?(item: Item): string | null;
  /** The most items in one batch. */
  size: number;
  /** Number of batches in flight. */
  concurrency: number;
}

interface Waiting<Item, Answer> {
  item: Item;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/**
 * Groups single calls into batches: calls that arrive while batches are in flight go into the next one. A failed batch
 * is repeated one by one, so that one bad item does not fail the others. It is not repeated if the database is unavailable or
 * a time limit was reached, because each item would wait as long again. Callers limit how many items wait.
 */
export function inBatches<Item, Answer>(batching: Batching<Item, Answer>): (item: Item) => Promise<Answer> {
  let waiting: Waiting<Item, Answer>[] = [];
  let running = 0;

  const settle = async (batch: Waiting<Item, Answer>[]): Promise<void> => {
    try {
      const answers = await batching.run(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, i) => {
        resolve(answers[i] as Answer);
      });
    } catch (error) {
      if (batch.length > 1 && !isUnavailable(error) && !isCancelled(error))
        for (const one of batch) await settle([one]);
      else for (const { reject } of batch) reject(error);
    }
  };
  const worker = async (): Promise<void> => {
    while (waiting.length > 0) {
      // Waits for one tick of the event loop, so that concurrent calls share a batch.
      await new Promise(setImmediate);
      const { batch, rest } = nextBatch(waiting, batching);
      waiting = rest;
      if (batch.length > 0) await settle(batch);
    }
    running -= 1;
  };
  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (running >= batching.concurrency) return;
      running += 1;
      void worker();
    });
}

function nextBatch<Item, Answer>(
  waiting: Waiting<Item, Answer>[],
  { keyOf = () => null, size }: Batching<Item, Answer>,
): { batch: Waiting<Item, Answer>[]; rest: Waiting<Item, Answer>[] } {
  const keys = new Set<string>();
  const batch: Waiting<Item, Answer>[] = [];
  const rest: Waiting<Item, Answer>[] = [];
  for (const one of waiting) {
    const key = keyOf(one.item);
    if (batch.length >= size || (key !== null && keys.has(key))) rest.push(one);
    else batch.push(one);
    if (key !== null) keys.add(key);
  }
  return { batch, rest };
}
