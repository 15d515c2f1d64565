/** How many queries that callbacks caused this process sends to one channel at once. */
const maxAtOnce = 8;

/** Queries that callbacks cause. They are few at once, so that a burst of callbacks leaves room for orders. */
export interface CallbackQueries {
  /**
   * Runs `query` for an order. Callers for the same order of the same channel share one run. Null: too many run already.
   */
  run<Result>(channelId: string, orderNo: string, query: () => Promise<Result>): Promise<Result> | null;
}

export function openCallbackQueries(): CallbackQueries {
  const running = new Map<string, Map<string, Promise<unknown>>>();
  return {
    run<Result>(channelId: string, orderNo: string, query: () => Promise<Result>) {
      const ofChannel = running.get(channelId) ?? new Map<string, Promise<unknown>>();
      const same = ofChannel.get(orderNo);
      if (same) return same as Promise<Result>;
      if (ofChannel.size >= maxAtOnce) return null;
      running.set(channelId, ofChannel);
      const run = query().finally(() => {
        ofChannel.delete(orderNo);
        if (ofChannel.size === 0) running.delete(channelId);
      });
      ofChannel.set(orderNo, run);
      return run;
    },
  };
}
