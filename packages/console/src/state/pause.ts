/** Waits about this time, so that many browsers do not come at once. Ends early when the network is back, or the signal aborts. */
export function pause(ms: number, signal: AbortSignal | null): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms * (0.75 + Math.random() / 2));
    function done() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      window.removeEventListener('online', done);
      resolve();
    }
    signal?.addEventListener('abort', done);
    window.addEventListener('online', done);
  });
}

/** Calls `work` after about this time, unless the returned function is called before. */
export function afterPause(ms: number, work: () => void): () => void {
  const stop = new AbortController();
  void pause(ms, stop.signal).then(() => {
    if (!stop.signal.aborted) work();
  });
  return () => stop.abort();
}
