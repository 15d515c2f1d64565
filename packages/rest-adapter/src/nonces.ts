import type { RedisConnection } from '@tidegate/queue';

/** How long a nonce stays used, in seconds: 15 minutes (decisions 1, 40103). */
const KEPT_SECONDS = 900;

export interface Nonces {
  /**
   * Takes a nonce for its merchant: of any number of callers at once exactly one gets `fresh`. `unavailable` when Redis
   * does not say; it may have taken the nonce all the same.
   */
  take(merchantId: string, nonce: string): Promise<'fresh' | 'used' | 'unavailable'>;
}

/** Nonces in Redis. How soon an unreachable Redis is given up is the connection's business: within a second. */
export function openNonces(redis: RedisConnection, onFailure: (error: unknown) => void): Nonces {
  return {
    async take(merchantId, nonce) {
      try {
        const taken = await redis.set(`tidegate:nonce:${merchantId}:${nonce}`, '1', 'EX', KEPT_SECONDS, 'NX');
        return taken === 'OK' ? 'fresh' : 'used';
      } catch (error) {
        onFailure(error);
        return 'unavailable';
      }
    },
  };
}
