/** A reading is repeated to callers for this many times as long as it took. */
const restFactor = 20;
/** But not for longer than this, in ms: a reading that was slow once, such as the first, must not be shown for long. */
const longestRest = 5_000;

/**
 * Gives each caller the last reading, or a new one after a rest. So however often it is read, that seldom takes more than a
 * twentieth of the time (ADR 0031).
 */
export function restingReader<Reading>(read: () => Promise<Reading>): () => Promise<Reading> {
  let kept: { reading: Promise<Reading>; until: number } | null = null;
  return () => {
    if (kept && performance.now() < kept.until) return kept.reading;
    const from = performance.now();
    const reading = read();
    const own = { reading, until: Number.POSITIVE_INFINITY };
    kept = own;
    reading.then(
      () => {
        const now = performance.now();
        own.until = now + Math.min(restFactor * (now - from), longestRest);
      },
      () => {
        own.until = 0;
      },
    );
    return reading;
  };
}
