/** The part of a queue's jobs in this process that one merchant may use, but at least as many as one host allows. */
const part = 16;
const least = 8;

/**
 * Prevents a merchant with many hanging hosts from using all jobs of this process. The count is in memory, because only
 * the jobs of this process are shared.
 */
export interface MerchantShare {
  /**
   * Takes a part of the share, and returns the function that releases it. Null if the merchant already uses its whole
   * share.
   */
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
