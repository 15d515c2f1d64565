import { StatementNotRead } from '@tidegate/domain/reconciliation';

/** The time for reading a file, in ms: so much for a file, and so much more for each MiB of it. */
export interface ReadingTime {
  ms: number;
  msPerMib: number;
}

/** A thread has worked on a file for longer than it may. */
export class TooSlow extends Error {
  readonly seconds: number;

  constructor(ms: number) {
    super('reading takes too long');
    this.seconds = Math.max(1, Math.round(ms / 1_000));
  }
}

/** The time that a thread works on a file. While it waits for bytes, or for the receiver of its rows, the clock is stopped. */
export interface ThreadClock {
  /** The thread works. */
  start(): void;
  /** The thread waits. */
  stop(): void;
  /** The thread has begun the file. Until then, the file waits for a thread. */
  begin(): void;
  hasBegun(): boolean;
  /** The file has so many bytes more. */
  add(bytes: number): void;
}

/** How long a file waits until a thread begins it, in ms. */
const longestWaitMs = 60_000;

/** `end` is called when the time is over. */
export function openThreadClock({ ms, msPerMib }: ReadingTime, end: (reason: Error) => void): ThreadClock {
  let [hasBegun, size, used, since] = [false, 0, 0, 0];
  let timer: NodeJS.Timeout | undefined;
  const allowed = (): number => ms + (msPerMib * size) / 1024 ** 2;
  const timeOver = (): void =>
    end(hasBegun ? new TooSlow(allowed()) : new StatementNotRead('no thread has begun to read it'));
  return {
    start: () => {
      since = performance.now();
      timer = setTimeout(timeOver, hasBegun ? Math.max(0, allowed() - used) : longestWaitMs);
    },
    stop: () => {
      clearTimeout(timer);
      if (hasBegun) used += performance.now() - since;
      since = performance.now();
    },
    begin: () => {
      hasBegun = true;
    },
    hasBegun: () => hasBegun,
    add: (bytes) => {
      size += bytes;
    },
  };
}
