/** The throughput of concurrent callers. Each sends its next request after the answer to the one before. */
export interface Rate {
  perSecond: number;
  /** Median and 99th percentile of `waits`. */
  medianMs: number;
  p99Ms: number;
  /** Milliseconds from request to answer, of each measured request, in ascending order. */
  waits: readonly number[];
  /** Number of measured requests. */
  answers: number;
  /** Length of the measurement in seconds. It is shorter than planned if the callers ran out of requests. */
  seconds: number;
}

export interface Timing {
  /** Seconds before the measurement. */
  warmUp: number;
  /** Seconds of the measurement. */
  seconds: number;
}

/**
 * Lets `callers` send requests concurrently, first for the warm-up and then for the measured time. Only answers in the
 * measured time count, and `counting` is called when it begins. `ask(caller)` sends one request and resolves when it is
 * answered. The run ends early if `ask` resolves to false (no requests left), and fails if `ask` rejects.
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
      // If no answer came in the measured time, the first later one counts, so that there is a result.
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
  // A late answer extends the measured time. Otherwise it would make the rate too high.
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
