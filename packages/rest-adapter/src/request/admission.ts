import { hash } from 'node:crypto';
import { boundaryOf, luaWithin, type RedisConnection } from '@tidegate/queue';
import type { Result } from 'ioredis';
import * as z from 'zod';

/** How long a nonce counts as used, in seconds: 15 minutes (decisions 1, 40103). */
const KEPT_SECONDS = 900;
/**
 * The nonces of this many seconds are in one Redis set, which is deleted as a whole. So a nonce counts as used for up
 * to this much longer.
 */
const PERIOD_SECONDS = 180;
/**
 * The sets of a merchant, in rotation: the current one, those of the last 15 minutes, one for a clock that steps back,
 * an empty one.
 */
const SETS = KEPT_SECONDS / PERIOD_SECONDS + 3;
/**
 * The least number of nonces that one set of a merchant may hold. The real limit is twice what the merchant's limits
 * allow in that time.
 */
const SET_LIMIT = 500_000;
/** Bytes of a nonce's hash that are stored. */
const HASH_BYTES = 16;
/**
 * How long a nonce protects, in seconds: a timestamp may be 300 s ahead when it is used, and 300 s behind when it is
 * repeated.
 */
const REPEATABLE_SECONDS = 600;

export interface Limits {
  requestsPerSecond: number;
  /** The size of a burst. If it is less than the requests of one second, the latter applies. */
  requestBurst: number;
}

/** `retryAfterSeconds` (whole, at least 1) means that the request exceeds the limit. Such a request is not counted. */
export type Admitted = 'admitted' | 'nonce_used' | { retryAfterSeconds: number } | 'unavailable';

export interface Admission {
  /**
   * Counts the request against `limits` and uses up its nonce for its merchant. Of concurrent callers with the same
   * nonce exactly one is admitted; the others use no budget. A request over the limit uses no nonce, nor does one that
   * is refused anyway (`limits` null). So a copy of it takes effect at most once. `unavailable` if Redis does not
   * answer, has too many nonces of this merchant, or lost some; the nonce may be used up nevertheless.
   */
  ask(merchantId: string, nonce: string, limits: Limits | null): Promise<Admitted>;
}

declare module 'ioredis' {
  interface RedisCommander<Context> {
    admitRequests(...keysAndArguments: (string | number | Buffer)[]): Result<unknown, Context>;
  }
}

/** The most requests of a merchant in one call of the script, so that no call blocks Redis for long. */
const maxAtOnce = 100;

/** One number for each request (`admitScript`). */
const answers = z.array(z.number()).max(maxAtOnce);

interface Asking {
  nonce: string;
  limits: Limits | null;
  answer: (admitted: Admitted) => void;
}

/**
 * Checks nonces and limits in Redis, for all processes together. One script call covers a merchant's requests of one
 * tick of the event loop. Limits hold over every interval: in any t seconds at most `requestBurst` + t ×
 * `requestsPerSecond` requests pass. The connection gives up an unreachable Redis within a second. `onFailure` is
 * called for each request.
 */
export function openAdmission(
  redis: RedisConnection,
  onFailure: (error: unknown) => void,
  setLimit = SET_LIMIT,
): Admission {
  redis.defineCommand('admitRequests', { lua: admitScript });
  const boundary = boundaryOf(redis);
  const waiting = new Map<string, Asking[]>();
  const send = async (merchantId: string, asking: readonly Asking[]): Promise<void> => {
    try {
      const call = callFor(merchantId, asking, setLimit);
      const answered = await redis.admitRequests(...call).catch((error) => {
        // A Redis without the script has done nothing.
        if (error instanceof Error && error.message.startsWith('NOSCRIPT')) return redis.admitRequests(...call);
        throw error;
      });
      const reply = boundary.readData('admission', answered, answers);
      if (reply?.length !== asking.length) throw new Error('Redis did not answer for each request');
      if (reply.includes(-3)) onFailure(new Error(`Redis has lost nonces of ${merchantId}: its requests are refused`));
      asking.forEach(({ answer }, i) => {
        answer(admittedAs(reply[i]));
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
      for (let i = 0; i < asking.length; i += maxAtOnce) void send(merchantId, asking.slice(i, i + maxAtOnce));
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

/** The script's keys and arguments. All requests of one call belong to one merchant, so they have the same limits. */
function callFor(merchantId: string, asking: readonly Asking[], setLimit: number): (string | number | Buffer)[] {
  const limits = asking.find((one) => one.limits !== null)?.limits;
  const burst = limits ? Math.max(limits.requestBurst, limits.requestsPerSecond) : 0;
  const fillMicros = limits ? (burst / limits.requestsPerSecond) * 1e6 : 0;
  const tag = `tidegate:{${merchantId}}`;
  const keys = [`${tag}:rate`, ...Array.from({ length: SETS }, (_, i) => `${tag}:nonces:${i}`)];
  const counted = asking.map(({ limits }) => (limits ? 1 : 0)).join('');
  const maxNonces = Math.max(setLimit, 2 * (burst + (limits?.requestsPerSecond ?? 0) * PERIOD_SECONDS));
  const settings = [burst, fillMicros, counted, KEPT_SECONDS, PERIOD_SECONDS, maxNonces];
  return [keys.length, ...keys, ...settings, ...asking.map(({ nonce }) => nonceHash(merchantId, nonce))];
}

/**
 * The stored hash of a nonce. If two nonces of a merchant had the same hash, the second would be refused as used. With
 * 2.2 million of them (2,000 requests a second for 18 minutes) that happens to one request in 10^32. Other merchants'
 * nonces are in other sets.
 */
function nonceHash(merchantId: string, nonce: string): Buffer {
  return hash('sha256', `${merchantId} ${nonce}`, 'buffer').subarray(0, HASH_BYTES);
}

function admittedAs(reply: number | undefined): Admitted {
  if (reply === 0) return 'admitted';
  if (reply === undefined || !Number.isFinite(reply) || reply <= -2) return 'unavailable';
  return reply < 0 ? 'nonce_used' : { retryAfterSeconds: Math.max(1, Math.ceil(reply / 1000)) };
}

/**
 * The merchant's bucket holds ARGV[1] requests and fills up in ARGV[2] µs. Its key, the first, holds the time at which it will be full again,
 * and expires then. The time is in microseconds of Redis's clock, which is the same for all processes.
 * The other keys are sets of nonces. ARGV[3] has a 1 for each request that counts.
 * The arguments from the seventh on are the requests' nonces.
 *
 * Returns for each request 0, -1 for a used nonce, -2 where too many nonces are kept, or -3 where nonces were lost.
 * A positive number is how many milliseconds a request over the limit has to wait.
 *
 * A bucket of other limits may have been larger: its time counts if it is within a minute. A later one counts as a full
 * bucket. A key of another type in the place of nonces is
 * replaced by a set with one mark: what was used is then unknown, so no request is admitted until none of it could be repeated.
 *
 * Half a request of tolerance keeps rounding from ever taking one away. One set is emptied early by UNLINK, which does not block Redis.
 * The sets expire too, for merchants that send no more requests.
 */
const admitScript = `${luaWithin}
local time = redis.call('time')
local now = time[1] * 1000000 + time[2]
local size, whole = tonumber(ARGV[1]), tonumber(ARGV[2])
local each = size > 0 and whole / size or 0
local period, sets = math.floor(time[1] / ARGV[5]), #KEYS - 1
local current, stale = KEYS[2 + period % sets], KEYS[2 + (period + 2) % sets]
local nonces, used, taken = {}, {}, {}
-- Shorter than any hash.
local mark, isLost = 'lost', false
for i = 7, #ARGV do nonces[i - 6] = ARGV[i] end
redis.call('unlink', stale)
for k = 2, #KEYS do
  if KEYS[k] ~= stale and redis.call('exists', KEYS[k]) == 1 then
    local found = redis.pcall('smismember', KEYS[k], mark, unpack(nonces))
    if found.err then
      if not string.find(found.err, 'WRONGTYPE', 1, true) then return found end
      redis.call('unlink', KEYS[k])
      redis.call('sadd', KEYS[k], mark)
      redis.call('expireat', KEYS[k], time[1] + ${REPEATABLE_SECONDS})
      found = { 1 }
    end
    if found[1] == 1 then isLost = true end
    for i, nonce in ipairs(nonces) do
      if found[i + 1] == 1 then used[nonce] = true end
    end
  end
end
local room = tonumber(ARGV[6]) - redis.call('scard', current)
local kept = redis.pcall('get', KEYS[1])
local before = type(kept) == 'string' and within(kept, now, now + math.max(whole + each, 60000000)) or now
local full = before
local answers = {}
for i, nonce in ipairs(nonces) do
  local wait = full + each - now - whole - each / 2
  if used[nonce] then
    answers[i] = -1
  elseif string.sub(ARGV[3], i, i) == '0' then
    answers[i] = 0
  elseif isLost then
    answers[i] = -3
  elseif wait > 0 then
    answers[i] = math.max(1, math.ceil(wait / 1000))
  elseif #taken >= room then
    answers[i] = -2
  else
    answers[i] = 0
    full = full + each
    used[nonce] = true
    taken[#taken + 1] = nonce
  end
end
if #taken > 0 then
  redis.call('sadd', current, unpack(taken))
  redis.call('expireat', current, (period + 1) * ARGV[5] + ARGV[4])
end
if full > before then redis.call('set', KEYS[1], string.format('%.2f', full), 'px', math.ceil((full - now) / 1000)) end
return answers
`;
