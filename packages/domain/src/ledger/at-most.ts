/** Resolves with `work`, or after the given time while `work` continues. */
export async function atMost(ms: number, work: Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  void work.then(resolve);
  await promise;
  clearTimeout(timer);
}
