import type { Redis } from 'ioredis';
import { retryStrategy } from './server-options.ts';

/**
 * Connects again where ioredis gives up permanently, also in duplicates of the connection. That happens if a Sentinel announces a new server while ioredis
 * asks the Sentinels for it, after the connection to the old one was lost: the announcement ends the attempt, and ioredis makes no other.
 */
export function keepConnecting(redis: Redis): Redis {
  let isClosed = false;
  let isAsking = false;
  const disconnect = redis.disconnect.bind(redis);
  redis.disconnect = (reconnect = false) => {
    if (!reconnect) isClosed = true;
    disconnect(reconnect);
  };
  const duplicate = redis.duplicate.bind(redis);
  redis.duplicate = (override) => keepConnecting(duplicate(override));
  redis.on('connecting', () => {
    isAsking = true;
  });
  for (const status of ['connect', 'close']) {
    redis.on(status, () => {
      isAsking = false;
    });
  }
  redis.on('end', () => {
    if (isClosed || !isAsking) return;
    const again = (): void => {
      if (!isClosed) redis.connect().catch(() => undefined);
    };
    setTimeout(again, retryStrategy(1));
  });
  return redis;
}
