import { setTimeout as sleep } from 'node:timers/promises';

/** How many milliseconds the reconciliation rests after it has worked for so many. */
export type RestAfter = (workedMs: number) => number;

/** A rest is this many times as long as the work before it. */
const restPerWork = 3;

/** Shorter work needs no rest. So files and days of a few lines are reconciled without rests. */
const shortestWorkMs = 100;

/**
 * No rest is longer, whatever the work took. Rests within a transaction have to be shorter than the time after which
 * PostgreSQL ends an idle one.
 */
const longestRestMs = 2_000;

/** A process that ends waits at most this long. */
const longestNapMs = 100;

/**
 * The rest after some work, in proportion to its elapsed time. On a busy machine or database the same work takes
 * longer, so the rests grow with the load. Then the reconciliation takes less of the processors (ADR 0028).
 */
export const restAfter: RestAfter = (workedMs) =>
  workedMs < shortestWorkMs ? 0 : Math.min(longestRestMs, restPerWork * workedMs);

/** Divides long work of the reconciliation by rests, so that it does not slow the orders of merchants. */
export interface Pace {
  /** Called between two pieces of work. Rests if there was enough work since the last rest. Shorter pieces add up. */
  rest(): Promise<void>;
}

/** Begins to count the work. `isEnding` ends a rest early. */
export function openPace(isEnding: () => boolean, rest: RestAfter = restAfter): Pace {
  let since = performance.now();
  return {
    rest: async () => {
      const due = rest(performance.now() - since);
      if (due <= 0) return;
      for (const until = performance.now() + due; performance.now() < until && !isEnding(); )
        await sleep(Math.min(longestNapMs, Math.max(1, until - performance.now())));
      since = performance.now();
    },
  };
}
