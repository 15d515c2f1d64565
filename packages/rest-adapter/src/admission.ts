import type { RedisConnection } from '@tidegate/queue';
import type { Result } from 'ioredis';

/** How long a nonce stays used, in seconds: 15 minutes (decisions 1, 40103). */
const KEPT_SECONDS = 900;

export interface Limits {
  requestsPerSecond: number;
  /** The most that may come at once; where it is less than a second's requests, those may. */
  requestBurst: number;
}

/** `retryAfterSeconds` (whole, at least 1): it is one request too many, and does not count. */
export type Admitted = 'admitted' | 'nonce_used' | { retryAfterSeconds: number } | 'unavailable';

export interface Admission {
  /**
   * Takes a nonce for its merchant, then counts the request against `limits` (null: nothing is counted). Of any number of callers at once with
   * one nonce exactly one is admitted; the others take nothing from the merchant's budget. `unavailable` when Redis does not say; it may have
   * taken the nonce all the same.
   */
  ask(merchantId: string, nonce: string, limits: Limits | null): Promise<Admitted>;
}

declare module 'ioredis' {
  interface RedisCommander<Context> {
    admitRequest(...keysAndArguments: (string | number)[]): Result<number, Context>;
  }
}

/**
 * Nonces and limits in Redis, for all processes together, by one script for each request. Limits hold over every stretch of time, wherever it begins: in
 * any t seconds at most `requestBurst` + t × `requestsPerSecond` requests pass. How soon an unreachable Redis is given up is the
 * connection's business: within a second.
 */
export function openAdmission(redis: RedisConnection, onFailure: (error: unknown) => void): Admission {
  redis.defineCommand('admitRequest', { numberOfKeys: 2, lua: admitScript });
  return {
    async ask(merchantId, nonce, limits) {
      const tag = `tidegate:{${merchantId}}`;
      const burst = limits ? Math.max(limits.requestBurst, limits.requestsPerSecond) : 0;
      const fillMicros = limits ? (burst / limits.requestsPerSecond) * 1e6 : 0;
      const ask = (): Promise<number> =>
        redis.admitRequest(`${tag}:nonce:${nonce}`, `${tag}:rate`, KEPT_SECONDS, burst, fillMicros);
      try {
        const said = await ask().catch((error) => {
          // A Redis that forgot its scripts has done nothing.
          if (error instanceof Error && error.message.startsWith('NOSCRIPT')) return ask();
          throw error;
        });
        if (said === 0) return 'admitted';
        return said < 0 ? 'nonce_used' : { retryAfterSeconds: Math.max(1, Math.ceil(said / 1000)) };
      } catch (error) {
        onFailure(error);
        return 'unavailable';
      }
    },
  };
}

/**
 * The merchant's bucket holds ARGV[2] requests and fills up in ARGV[3] µs. Its key holds when it will be full again, in microseconds of Redis's clock, which is the
 * same for all processes, and vanishes then. Answers 0, -1 for a nonce that was used, or for how many milliseconds a request too many has to
 * wait. Half a request of tolerance keeps rounding from ever taking one away.
 */
const admitScript = `
if not redis.call('set', KEYS[1], '1', 'EX', ARGV[1], 'NX') then return -1 end
local size, whole = tonumber(ARGV[2]), tonumber(ARGV[3])
if size == 0 then return 0 end
local time = redis.call('time')
local now = time[1] * 1000000 + time[2]
local each = whole / size
local full = math.max(tonumber(redis.call('get', KEYS[2])) or 0, now) + each
local wait = full - now - whole - each / 2
if wait > 0 then return math.max(1, math.ceil(wait / 1000)) end
redis.call('set', KEYS[2], string.format('%.2f', full), 'px', math.ceil((full - now) / 1000))
return 0
`;
