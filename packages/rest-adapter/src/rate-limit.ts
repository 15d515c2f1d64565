import type { Redis } from 'ioredis';
import { BurstyRateLimiter, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';

export interface Limits {
  requestsPerSecond: number;
  /** The most that may come at once. */
  requestBurst: number;
}

export interface RateLimit {
  /** Counts a request; `retryAfterSeconds` (whole, at least 1) where it is one too many. */
  spend(merchantId: string, limits: Limits): Promise<'within' | { retryAfterSeconds: number } | 'unavailable'>;
}

/** Pairs of limits that are kept ready; merchants share few. */
const KEPT_LIMITERS = 1_000;

/**
 * Per-merchant limits, counted in Redis for all processes together: `requestsPerSecond` in each second, and beyond it
 * what `requestBurst` adds, which is there again after the time that the steady rate needs for as much.
 */
export function openRateLimit(redis: Redis, onFailure: (error: unknown) => void): RateLimit {
  const limiters = new Map<string, BurstyRateLimiter>();
  const limiterOf = (limits: Limits): BurstyRateLimiter => {
    const key = `${limits.requestsPerSecond}/${limits.requestBurst}`;
    const limiter = limiters.get(key) ?? makeLimiter(redis, limits);
    if (limiters.size >= KEPT_LIMITERS) limiters.clear();
    limiters.set(key, limiter);
    return limiter;
  };
  return {
    async spend(merchantId, limits) {
      try {
        await limiterOf(limits).consume(merchantId);
        return 'within';
      } catch (error) {
        if (error instanceof RateLimiterRes)
          return { retryAfterSeconds: Math.max(1, Math.ceil(error.msBeforeNext / 1000)) };
        onFailure(error);
        return 'unavailable';
      }
    },
  };
}

function makeLimiter(storeClient: Redis, { requestsPerSecond, requestBurst }: Limits): BurstyRateLimiter {
  const extra = Math.max(0, requestBurst - requestsPerSecond);
  const counter = (name: string, points: number, duration: number) =>
    new RateLimiterRedis({
      storeClient,
      rejectIfRedisNotReady: true,
      keyPrefix: `tidegate:rate:${name}`,
      points,
      duration,
    });
  return new BurstyRateLimiter(
    counter('steady', requestsPerSecond, 1),
    counter('burst', extra, Math.ceil(extra / requestsPerSecond) + 1),
  );
}
