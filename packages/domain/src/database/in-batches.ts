import { isCancelled, isUnavailable } from './connection-loss.ts';

export interface Batching<Item, Answer> {
  /** Does all of it with one statement; gives the answers in the items' order. */
  run(items: Item[]): Promise<Answer[]>;
  /** Items of the same key never ride together; null, or left out: any may. */
  keyOf?(item: Item): string | null;
  /** Items of one batch at the most. */
  size: number;
  /** Batches in flight at once. */
  concurrency: number;
}

interface Waiting<Item, Answer> {
  item: Item;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/**
 * Asks for many what is asked one by one: while batches are in flight, what arrives waits and rides together. A batch that fails is
 * done again one by one, so that one bad item cannot hurt its neighbours; not where the database is away, or a lock or the whole time was waited for: each would wait as long again. Callers bound how much waits.
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
      // A turn of the event loop first: what arrives together rides together.
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
