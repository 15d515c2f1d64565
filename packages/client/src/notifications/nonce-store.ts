/** Keeps the nonces of received notifications, so that a copied notification is refused. */
export interface NonceStore {
  /**
   * Stores the nonce for `seconds`. Returns false if it is already stored. It must be one atomic step, like Redis's
   * `SET key 1 NX EX seconds`: of two concurrent calls only one may return true.
   */
  take(nonce: string, seconds: number): Promise<boolean> | boolean;
}

/** Keeps nonces in memory. That is enough for one process; several processes need a shared store. */
export function memoryNonceStore(limit = 100_000, clock: () => number = Date.now): NonceStore {
  const until = new Map<string, number>();
  return {
    take(nonce, seconds) {
      const now = clock();
      // A Map has its entries in the order of insertion, which is nearly the order of expiry.
      for (const [old, expiry] of until) {
        if (expiry > now && until.size < limit) break;
        until.delete(old);
      }
      if ((until.get(nonce) ?? 0) > now) return false;
      until.set(nonce, now + seconds * 1_000);
      return true;
    },
  };
}
