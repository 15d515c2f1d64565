import { FairQueue, type FairQueueOptions } from './fair-queue.ts';
import type { Priority } from './priority.ts';

/** Who asks for a share, and how long that may take. */
export interface Asking {
  /** The merchant, or `platform`. */
  owner: string;
  priority: Priority;
  /** An asker that would have to wait longer is refused. 0: it gets its share at once or not at all. */
  maxWaitMs: number;
  /** Waits to the end, also where its turn is not expected in time: for work that is tried again anyway. */
  isPatient?: boolean;
  /** Ends the wait. Nothing stays behind. */
  signal?: AbortSignal;
}

interface Waiter<G> {
  give(given: G | null): void;
}

/** Promises in a fair queue: each is served, refused at its deadline, or ended by its signal. */
export class WaitingLine<G> {
  readonly queue: FairQueue<Waiter<G>>;

  readonly #changed: (by: number) => void;

  /** `changed` is called with 1 for each that begins to wait, and with -1 for each that ends. */
  constructor(options: FairQueueOptions, changed: (by: number) => void = () => undefined) {
    this.queue = new FairQueue(options);
    this.#changed = changed;
  }

  /** Waits in the queue. Null: not served in time, or no place left. */
  wait({ owner, priority, maxWaitMs, signal }: Asking): Promise<G | null> {
    const { promise, resolve } = Promise.withResolvers<G | null>();
    if (signal?.aborted || maxWaitMs <= 0) return Promise.resolve(null);
    const end = (): void => {
      if (this.queue.remove(ticket)) waiter.give(null);
    };
    const timer = setTimeout(end, maxWaitMs);
    const waiter: Waiter<G> = {
      give: (given) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
        this.#changed(-1);
        resolve(given);
      },
    };
    const added = this.queue.add(waiter, owner, priority);
    if (!added) {
      clearTimeout(timer);
      return Promise.resolve(null);
    }
    const ticket = added;
    signal?.addEventListener('abort', end, { once: true });
    this.#changed(1);
    return promise;
  }

  /** Gives a share to the next one that may have it. False: nothing waits that may have it. */
  serve(given: (owner: string) => G, mayServe?: (owner: string) => boolean): boolean {
    const ticket = this.queue.next(mayServe);
    ticket?.value.give(given(ticket.owner));
    return ticket !== null;
  }
}
