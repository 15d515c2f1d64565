import type { RedisConnection } from '@tidegate/queue';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';

export interface Limits {
  requestsPerSecond: number;
  /** The most that may come at once; where it is less than a second's requests, those may. */
  requestBurst: number;
}

export interface RateLimit {
  /** Counts a request; `retryAfterSeconds` (whole, at least 1) where it is one too many, and then it does not count. */
  spend(merchantId: string, limits: Limits): Promise<'within' | { retryAfterSeconds: number } | 'unavailable'>;
}

/** Pairs of limits that are kept ready; merchants share few. */
const KEPT_LIMITERS = 1_000;

/**
 * Per-merchant limits, counted in Redis for all processes together. They hold over every stretch of time, wherever it begins:
 * in any t seconds at most `requestBurst` + t × `requestsPerSecond` requests pass.
 */
export function openRateLimit(redis: RedisConnection, onFailure: (error: unknown) => void): RateLimit {
  const limiters = new Map<string, RateLimiterRedis>();
  const limiterOf = (limits: Limits): RateLimiterRedis => {
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

function makeLimiter(storeClient: RedisConnection, { requestsPerSecond, requestBurst }: Limits): RateLimiterRedis {
  const points = Math.max(requestBurst, requestsPerSecond);
  return new RateLimiterRedis({
    storeClient,
    rejectIfRedisNotReady: true,
    keyPrefix: 'tidegate:rate',
    points,
    duration: points / requestsPerSecond,
    customIncrTtlLuaScript: tokenBucket,
  });
}

/**
 * In place of the library's fixed windows, at whose turn twice the limit could pass: a bucket of ARGV[3] requests that fills
 * up in ARGV[4] seconds. The key holds when it will be full again, in microseconds of Redis's clock, which is the same for
 * all processes, and vanishes then. Answers, as the library asks, how many are out of the bucket (more than it holds: refused),
 * and for how many milliseconds. Half a request of tolerance keeps rounding from ever taking one away.
 */
const tokenBucket = `
local time = redis.call('time')
local now = time[1] * 1000000 + time[2]
local size, whole = tonumber(ARGV[3]), ARGV[4] * 1000000
local each = whole / size
local full = math.max(tonumber(redis.call('get', KEYS[1])) or 0, now) + ARGV[1] * each
local wait = full - now - whole - each / 2
if wait > 0 then
  return {size + 1, math.ceil(wait / 1000)}
end
redis.call('set', KEYS[1], string.format('%.2f', full), 'px', math.ceil((full - now) / 1000))
return {math.min(size, math.ceil((full - now) / each)), 0}
`;
