import { setTimeout as sleep } from 'node:timers/promises';
import type { CallLimiter } from '@tidegate/domain/channels';
import type { Result } from 'ioredis';
import type { RedisConnection } from './connection.ts';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    takeCall(key: string, spacingMicros: number, burst: number, maxMicros: number): Result<number, Context>;
  }
}

/** The longest wait for a turn: a create may take 8 s in all (decisions 5.3). */
const longestWaitMs = 8_000;

/**
 * One bucket for each account in Redis, which has the time at which the next call is due (the algorithm GCRA). Over any
 * t seconds at most `burst` + t × `perSecond` calls are allowed, in the order in which they came: each call reserves
 * its time. If Redis does not answer, a call is allowed. The provider may then refuse it, and such an answer never
 * decides an order.
 */
export function openCallLimiter(redis: RedisConnection): CallLimiter {
  redis.defineCommand('takeCall', { numberOfKeys: 1, lua: takeScript });
  return {
    async take(account, { perSecond, burst, maxWaitMs = longestWaitMs }, signal) {
      if (signal.aborted) return false;
      const key = `tidegate:{calls:${account}}`;
      const longest = Math.min(maxWaitMs, longestWaitMs) * 1_000;
      const waitMs = await redis.takeCall(key, Math.ceil(1e6 / perSecond), burst, longest).catch(() => 0);
      if (waitMs < 0) return false;
      if (waitMs > 0) await sleep(waitMs, undefined, { signal }).catch(() => undefined);
      return !signal.aborted;
    },
  };
}

/**
 * Reserves the next free time of the account. Returns the milliseconds to wait for it; -1 without a reservation if that
 * would be too long. The time is that of Redis's clock.
 */
const takeScript = `
local now = redis.call('TIME')
now = now[1] * 1000000 + now[2]
local spacing, burst, longest = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local due = math.max(tonumber(redis.call('GET', KEYS[1]) or '0'), now)
local wait = math.max(0, due - now - spacing * (burst - 1))
if wait > longest then return -1 end
redis.call('SET', KEYS[1], string.format('%.0f', due + spacing), 'PX', math.ceil((due + spacing - now) / 1000) + 1000)
return math.ceil(wait / 1000)
`;
