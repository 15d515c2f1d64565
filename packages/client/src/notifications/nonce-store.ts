/** Remembers the nonces of notifications, so that a copied notification cannot be sent again. */
export interface NonceStore {
  /**
   * Keeps the nonce for `seconds`. False if it is already there. It has to be one atomic step, like Redis's `SET key 1
   * NX EX seconds`: of two concurrent calls only one may get true.
   */
  take(nonce: string, seconds: number): Promise<boolean> | boolean;
}

/** Nonces in memory. Enough for one process. Several processes need a shared store. */
export function memoryNonceStore(limit = 100_000, clock: () => number = Date.now): NonceStore {
  const until = new Map<string, number>();
  return {
    take(nonce, seconds) {
      const now = clock();
      // In order of insertion, which is nearly the order of expiry.
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
