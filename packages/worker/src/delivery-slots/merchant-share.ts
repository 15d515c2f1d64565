/** How much of a queue's jobs in this process one merchant may hold: this part of them, and at least a host's worth. */
const part = 16;
const least = 8;

/**
 * Keeps one merchant with many hanging hosts from holding every job of this process. Counted here and not in Redis, as it is this process's
 * jobs that are shared.
 */
export interface MerchantShare {
  /** Gives what gives it back; null where the merchant has its share already. */
  take(merchantId: string): (() => void) | null;
}

export function openMerchantShare(concurrency: number): MerchantShare {
  const limit = Math.max(least, Math.floor(concurrency / part));
  const held = new Map<string, number>();
  return {
    take(merchantId) {
      const count = held.get(merchantId) ?? 0;
      if (count >= limit) return null;
      held.set(merchantId, count + 1);
      return () => {
        const now = held.get(merchantId) ?? 0;
        if (now > 1) held.set(merchantId, now - 1);
        else held.delete(merchantId);
      };
    },
  };
}
