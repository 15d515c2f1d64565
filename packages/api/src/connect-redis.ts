import type { Log } from '@tidegate/domain';
import { Redis } from 'ioredis';

/** A connection for short commands: while Redis is away they fail at once instead of waiting for it. */
export function connectRedis(url: string, log: Log): Redis {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    connectTimeout: 1_000,
    commandTimeout: 1_000,
    retryStrategy: (attempt) => Math.min(attempt * 100, 1_000),
  });
  let away = false;
  redis.on('ready', () => {
    if (away) log.info({}, 'Redis is back');
    away = false;
  });
  // Told once per outage; without a listener each error would be told to the console.
  redis.on('error', (error) => {
    if (!away) log.warn({ err: error }, 'Redis is away');
    away = true;
  });
  return redis;
}
