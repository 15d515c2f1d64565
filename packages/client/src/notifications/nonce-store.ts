/** Remembers the nonces of notifications, so that one that was overheard cannot be sent again by somebody else. */
export interface NonceStore {
  /**
   * Keeps the nonce for `seconds`. False if it was there already. It has to be one step, as Redis's `SET key 1 NX EX seconds` is: of
   * two at the same time one only may get true.
   */
  take(nonce: string, seconds: number): Promise<boolean> | boolean;
}

/** Nonces in the memory of this process: enough for one process; several need a store that they share. */
export function memoryNonceStore(limit = 100_000, clock: () => number = Date.now): NonceStore {
  const until = new Map<string, number>();
  return {
    take(nonce, seconds) {
      const now = clock();
      // In order of insertion, and so nearly of expiry.
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
