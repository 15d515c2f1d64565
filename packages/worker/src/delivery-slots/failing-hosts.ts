import type { HostBacklog } from '@tidegate/domain/worker';
import { luaWithin, onOwnKeys, type RedisConnection } from '@tidegate/queue';
import type { Result } from 'ioredis';

/**
 * Counts the failing hosts of each merchant. Only a limited number of them have their own breaker: a merchant can
 * invent any number of hosts in `notifyUrl`, and a full Redis would stop all merchants. Each function rejects while
 * Redis is unavailable.
 */
export interface FailingHosts {
  /**
   * Counts a host whose attempt failed, for `keepMs`. Returns false if its merchant already has too many; then the host
   * gets no breaker.
   */
  add(backlog: HostBacklog, keepMs: number): Promise<boolean>;
  /** Removes a host that works again. */
  remove(backlog: HostBacklog): Promise<void>;
  has(backlog: HostBacklog): Promise<boolean>;
}

declare module 'ioredis' {
  interface RedisCommander<Context> {
    addFailing(...keysAndArguments: (string | number)[]): Result<number, Context>;
  }
}

/** The key of a merchant's failing hosts, sorted by the time until which they are stored. */
export const keyOfFailing = (merchantId: string): string => `tidegate:{notify-hosts-${merchantId}}:failing`;

/** Arguments: the host, how long it is stored, the maximum time, and the maximum number of hosts of a merchant. */
const addScript = `${luaWithin}
local failing, host, keep, longest, most = KEYS[1], ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local time = redis.call('time')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('zremrangebyscore', failing, '-inf', now)
redis.call('zremrangebyscore', failing, '(' .. now + longest, '+inf')
local known = within(redis.call('zscore', failing, host), now, now + longest)
if not known and redis.call('zcard', failing) >= most then return 0 end
redis.call('zadd', failing, math.max(now + keep, known or 0), host)
redis.call('pexpire', failing, longest)
return 1
`;

/** `maxMs`: the longest time for which a host is stored. `most`: the maximum number of hosts of a merchant. */
export function openFailingHosts(redis: RedisConnection, maxMs: number, most: number): FailingHosts {
  redis.defineCommand('addFailing', { numberOfKeys: 1, lua: addScript });
  const ofMerchant = <T>(merchantId: string, run: (key: string) => Promise<T>): Promise<T> => {
    const key = keyOfFailing(merchantId);
    return onOwnKeys(redis, [[key, 'zset']], () => run(key));
  };
  return {
    add: async ({ host, merchantId }, keepMs) =>
      (await ofMerchant(merchantId, (key) => redis.addFailing(key, host, keepMs, maxMs, most))) === 1,
    async remove({ host, merchantId }) {
      await ofMerchant(merchantId, (key) => redis.zrem(key, host));
    },
    has: async ({ host, merchantId }) => (await ofMerchant(merchantId, (key) => redis.zscore(key, host))) !== null,
  };
}
