/** The throughput of concurrent callers, each sending its next request after an answer. Times in milliseconds. */
export interface Rate {
  perSecond: number;
  /** Median and 99th percentile of the waits of measured requests. */
  medianMs: number;
  p99Ms: number;
  /** All of them, the shortest first. */
  waits: readonly number[];
  /** Number of measured requests. */
  answers: number;
  /** Measured seconds: fewer than wanted if the callers ran out of requests. */
  seconds: number;
}

export interface Timing {
  /** Seconds before the measurement. */
  warmUp: number;
  /** Seconds of the measurement. */
  seconds: number;
}

/**
 * Lets `callers` send requests concurrently for the time in `timing`, and counts the answers of its second part.
 * `counting` is called when that part begins. `ask` receives the number of its caller and resolves when it was answered.
 * If it resolves to false, there is nothing more to ask and the run ends. The first failure ends the run too.
 */
export async function measureRate(
  callers: number,
  timing: Timing,
  ask: (caller: number) => Promise<boolean>,
  counting: () => void = () => undefined,
): Promise<Rate> {
  const from = performance.now() + timing.warmUp * 1000;
  let until = from + timing.seconds * 1000;
  const waits: number[] = [];
  let last = from;
  let began = false;
  const call = async (caller: number): Promise<void> => {
    for (let sentAt = performance.now(); sentAt < until; ) {
      if (sentAt >= from && !began) {
        began = true;
        counting();
      }
      if (!(await ask(caller))) until = Math.min(until, performance.now());
      const answered = performance.now();
      // A late first answer counts too, with the time that it took.
      if (answered >= from && (answered < until || waits.length === 0)) {
        waits.push(answered - sentAt);
        last = answered;
      }
      sentAt = answered;
    }
  };
  await Promise.all(Array.from({ length: callers }, (_, caller) => call(caller)));
  if (waits.length === 0) throw new Error('no request was answered in the measured time');
  waits.sort((a, b) => a - b);
  const at = (share: number): number => waits[Math.min(waits.length - 1, Math.floor(waits.length * share))] ?? 0;
  // A burst at the end must not make a run look faster.
  const seconds = Math.max(until - from, last - from) / 1000;
  return {
    perSecond: waits.length / seconds,
    medianMs: at(0.5),
    p99Ms: at(0.99),
    waits,
    answers: waits.length,
    seconds,
  };
}
