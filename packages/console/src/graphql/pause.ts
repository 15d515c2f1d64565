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
