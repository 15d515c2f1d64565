/**
 * Caches a reading, so that any rate of scrapes costs little. At most one reading is in progress, and its result is
 * kept for `keptMs`. The caller gets null if the reading fails or takes longer than `withinMs`.
 */
export function cachedReading<T>(
  read: () => Promise<T>,
  { keptMs, withinMs = 1_000 }: { keptMs: number; withinMs?: number },
): () => Promise<T | null> {
  let last: { answer: T; at: number } | null = null;
  let reading: Promise<T | null> | null = null;
  const begin = (): Promise<T | null> =>
    read()
      .then(
        (answer) => {
          last = { answer, at: performance.now() };
          return answer;
        },
        () => null,
      )
      .finally(() => {
        reading = null;
      });
  return async () => {
    if (last !== null && performance.now() - last.at < keptMs) return last.answer;
    reading ??= begin();
    const late = Promise.withResolvers<null>();
    const timer = setTimeout(late.resolve, withinMs, null);
    return Promise.race([reading, late.promise]).finally(() => clearTimeout(timer));
  };
}
