import type { Log } from '@tidegate/domain';
import { Redis, type RedisOptions } from 'ioredis';

/**
 * `commands` and `producer`: while Redis is away their commands fail at once, or after 800 ms where it hangs.
 * `worker`: waits for Redis as long as it takes, as BullMQ asks of its blocking connections.
 */
export type RedisRole = 'commands' | 'producer' | 'worker';

const longestReconnectWait = 1_000;

const roles: Record<RedisRole, RedisOptions> = {
  // What one turn of the event loop asks goes out in one write.
  commands: { enableOfflineQueue: false, maxRetriesPerRequest: 0, commandTimeout: 800, enableAutoPipelining: true },
  producer: { enableOfflineQueue: false, maxRetriesPerRequest: 0, commandTimeout: 800 },
  worker: { maxRetriesPerRequest: null },
};

/** The one place where connections to Redis are made. They reconnect for ever; an outage is logged once. */
export function connectRedis(url: string, role: RedisRole, log: Log): Redis {
  const redis = new Redis(url, {
    ...roles[role],
    connectTimeout: 1_000,
    keepAlive: 10_000,
    retryStrategy: (attempt) => Math.min(50 * attempt, longestReconnectWait),
  });
  let isAway = false;
  redis.on('error', (error) => {
    if (!isAway) log.warn({ err: error, role }, 'Redis is away');
    isAway = true;
  });
  redis.on('ready', () => {
    if (isAway) log.info({ role }, 'Redis is back');
    isAway = false;
  });
  return redis;
}
