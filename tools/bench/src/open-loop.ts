import { percentileOf } from './percentile.ts';

/**
 * The waits of requests that arrived at a fixed rate, in ms. A wait begins at the time at which its request was due.
 */
export interface Waits {
  medianMs: number;
  p99Ms: number;
  p999Ms: number;
  /** Answers per second of the measured requests. Below the requested rate if the server fell behind. */
  perSecond: number;
  answers: number;
}

/** The arrival times of a run's requests, evenly spaced, in milliseconds from its beginning. At least one. */
export function arrivalsOf(perSecond: number, seconds: number): number[] {
  return Array.from({ length: Math.max(1, Math.floor(perSecond * seconds)) }, (_, i) => (i * 1000) / perSecond);
}

/** The clock and timers. Tests replace them. */
export interface Clock {
  /** Milliseconds since an arbitrary moment. */
  now(): number;
  /** Resolves after about this many milliseconds. With 0 it resolves after the pending events of this process. */
  wait(ms: number): Promise<void>;
}

const processClock: Clock = {
  now: () => performance.now(),
  wait: (ms) => new Promise((resolve) => (ms >= 1 ? setTimeout(resolve, Math.floor(ms)) : setImmediate(resolve))),
};

/**
 * Sends a request at each of these times, even while earlier ones are unanswered, and measures those due after `from`.
 * A wait begins when the request was due, not when it was sent. So a server that stalls pays for every request that
 * arrived in the meantime. A slow load generator can only make the waits longer. `counting` is called when the measured
 * part begins. The first failure ends the run.
 */
export async function measureArrivals(
  arrivals: readonly number[],
  from: number,
  ask: (arrival: number) => Promise<void>,
  counting: () => void = () => undefined,
  clock: Clock = processClock,
): Promise<Waits> {
  const began = clock.now();
  const waits: number[] = [];
  const pending: Promise<void>[] = [];
  let failure: { error: unknown } | null = null;
  let last = from;
  let isCounting = false;
  const send = async (arrival: number, at: number): Promise<void> => {
    try {
      await ask(arrival);
    } catch (error) {
      failure ??= { error };
      return;
    }
    if (at < from) return;
    last = clock.now() - began;
    waits.push(last - at);
  };
  for (const [arrival, at] of arrivals.entries()) {
    while (failure === null && clock.now() - began < at) await clock.wait(at - (clock.now() - began));
    if (failure !== null) break;
    if (at >= from && !isCounting) {
      isCounting = true;
      counting();
    }
    pending.push(send(arrival, at));
  }
  await Promise.all(pending);
  if (failure !== null) throw (failure as { error: unknown }).error;
  if (waits.length === 0) throw new Error('no request arrived in the measured time');
  waits.sort((a, b) => a - b);
  return {
    medianMs: percentileOf(waits, 0.5),
    p99Ms: percentileOf(waits, 0.99),
    p999Ms: percentileOf(waits, 0.999),
    perSecond: (1000 * waits.length) / (Math.max(last, endOf(arrivals)) - from),
    answers: waits.length,
  };
}

/** The time at which the next request would be due. */
function endOf([first = 0, second = first, ...rest]: readonly number[]): number {
  return (rest.at(-1) ?? second) + second - first;
}
