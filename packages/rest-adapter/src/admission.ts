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
    admitRequests(...keysAndArguments: (string | number)[]): Result<number[], Context>;
  }
}

/** Requests of a merchant that one call of the script admits at the most, so that Redis is nobody's for long. */
const mostAtOnce = 100;

interface Asking {
  nonce: string;
  limits: Limits | null;
  answer: (admitted: Admitted) => void;
}

/**
 * Nonces and limits in Redis, for all processes together, by one script for what a merchant asks within one turn of the event loop. Limits hold over
 * every stretch of time, wherever it begins: in any t seconds at most `requestBurst` + t × `requestsPerSecond` requests pass. How soon an
 * unreachable Redis is given up is the connection's business: within a second. `onFailure` is told for each request.
 */
export function openAdmission(redis: RedisConnection, onFailure: (error: unknown) => void): Admission {
  redis.defineCommand('admitRequests', { lua: admitScript });
  const waiting = new Map<string, Asking[]>();
  const send = async (merchantId: string, asking: readonly Asking[]): Promise<void> => {
    try {
      const call = callFor(merchantId, asking);
      const said = await redis.admitRequests(...call).catch((error) => {
        // A Redis that forgot its scripts has done nothing.
        if (error instanceof Error && error.message.startsWith('NOSCRIPT')) return redis.admitRequests(...call);
        throw error;
      });
      if (said.length !== asking.length) throw new Error('Redis did not answer for each request');
      asking.forEach(({ answer }, i) => {
        answer(admittedAs(said[i]));
      });
    } catch (error) {
      for (const { answer } of asking) {
        onFailure(error);
        answer('unavailable');
      }
    }
  };
  const sendAll = (): void => {
    for (const [merchantId, asking] of waiting)
      for (let i = 0; i < asking.length; i += mostAtOnce) void send(merchantId, asking.slice(i, i + mostAtOnce));
    waiting.clear();
  };
  return {
    ask: (merchantId, nonce, limits) => {
      const { promise, resolve: answer } = Promise.withResolvers<Admitted>();
      if (waiting.size === 0) setImmediate(sendAll);
      const others = waiting.get(merchantId);
      if (others) others.push({ nonce, limits, answer });
      else waiting.set(merchantId, [{ nonce, limits, answer }]);
      return promise;
    },
  };
}

/** The script's keys and arguments. A merchant's limits are the same for all that it asks at once. */
function callFor(merchantId: string, asking: readonly Asking[]): (string | number)[] {
  const limits = asking.find((one) => one.limits !== null)?.limits;
  const burst = limits ? Math.max(limits.requestBurst, limits.requestsPerSecond) : 0;
  const fillMicros = limits ? (burst / limits.requestsPerSecond) * 1e6 : 0;
  const tag = `tidegate:{${merchantId}}`;
  const keys = [`${tag}:rate`, ...asking.map(({ nonce }) => `${tag}:nonce:${nonce}`)];
  const counted = asking.map(({ limits }) => (limits ? 1 : 0)).join('');
  return [keys.length, ...keys, KEPT_SECONDS, burst, fillMicros, counted];
}

function admittedAs(said: number | undefined): Admitted {
  if (said === 0) return 'admitted';
  if (said === undefined || !Number.isFinite(said)) return 'unavailable';
  return said < 0 ? 'nonce_used' : { retryAfterSeconds: Math.max(1, Math.ceil(said / 1000)) };
}

/**
 * The merchant's bucket holds ARGV[2] requests and fills up in ARGV[3] µs. Its key, the first, holds when it will be full again, in microseconds of Redis's
 * clock, which is the same for all processes, and vanishes then. The other keys are nonces; ARGV[4] has a 1 for each whose request counts.
 * Answers for each 0, -1 for a nonce that was used, or for how many milliseconds a request too many has to wait. Half a request of tolerance
 * keeps rounding from ever taking one away.
 */
const admitScript = `
local time = redis.call('time')
local now = time[1] * 1000000 + time[2]
local size, whole = tonumber(ARGV[2]), tonumber(ARGV[3])
local each = size > 0 and whole / size or 0
local before = math.max(tonumber(redis.call('get', KEYS[1])) or 0, now)
local full = before
local answers = {}
for i = 2, #KEYS do
  local wait = full + each - now - whole - each / 2
  if not redis.call('set', KEYS[i], '1', 'EX', ARGV[1], 'NX') then
    answers[i - 1] = -1
  elseif string.sub(ARGV[4], i - 1, i - 1) == '0' then
    answers[i - 1] = 0
  elseif wait > 0 then
    answers[i - 1] = math.max(1, math.ceil(wait / 1000))
  else
    answers[i - 1] = 0
    full = full + each
  end
end
if full > before then redis.call('set', KEYS[1], string.format('%.2f', full), 'px', math.ceil((full - now) / 1000)) end
return answers
`;
