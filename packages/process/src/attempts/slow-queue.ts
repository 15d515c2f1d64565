/** Attempts that wait for each other. The share of the process's time that they take is limited. */
export interface SlowQueue {
  /** Resolves when the attempt may begin. `done` has to be called at its end, with the time that it took in ms. */
  enter(source: string): Promise<{ done: (ms: number) => void }>;
  /** Number of waiting attempts. */
  waiting(): number;
}

export interface SlowQueueOptions {
  /** The share of the time that these attempts may take, above 0 and at most 1. */
  share: number;
  /** The most time that one attempt is expected to take, in ms. */
  expectedMs: number;
  /** The most waiting attempts. Beyond it the one that has waited longest begins at once, because none is refused. */
  maxWaiting: number;
  now: () => number;
  /** Calls back after about this many milliseconds. Default: a timer. */
  later?: (ms: number, then: () => void) => void;
}

type Begin = () => void;

/** The sources take turns. So one with many attempts does not delay the others. */
export function openSlowQueue(options: SlowQueueOptions): SlowQueue {
  const { share, expectedMs, maxWaiting, now, later = (ms, then) => void setTimeout(then, ms).unref() } = options;
  // A Map keeps the order in which the sources have their turns.
  const queues = new Map<string, Begin[]>();
  let waiting = 0;
  let leftMs = expectedMs;
  let since = now();
  let isPlanned = false;
  const beginNext = (): void => {
    const [turn] = queues;
    if (!turn) return;
    const [source, queue] = turn;
    queues.delete(source);
    const begin = queue.shift();
    if (queue.length > 0) queues.set(source, queue);
    waiting -= 1;
    leftMs -= expectedMs;
    begin?.();
  };
  const serve = (): void => {
    isPlanned = false;
    leftMs = Math.min(expectedMs, leftMs + share * (now() - since));
    since = now();
    // One in each turn of the event loop, so that other requests are answered in between.
    if (leftMs >= 0) beginNext();
    if (waiting > 0) plan(leftMs >= 0 ? 0 : Math.ceil(-leftMs / share));
  };
  const done = (ms: number): void => {
    leftMs += expectedMs - ms;
  };
  const plan = (ms: number): void => {
    if (isPlanned) return;
    isPlanned = true;
    later(Math.max(1, ms), serve);
  };
  return {
    enter: (source) =>
      new Promise((resolve) => {
        const queue = queues.get(source) ?? [];
        queue.push(() => resolve({ done }));
        queues.set(source, queue);
        waiting += 1;
        if (waiting > maxWaiting) beginNext();
        plan(1);
      }),
    waiting: () => waiting,
  };
}
