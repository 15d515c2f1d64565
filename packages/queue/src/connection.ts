import { type Boundary, type Log, type Observer, openBoundary } from '@tidegate/domain';
import { readRedisUrl } from '@tidegate/settings';
import type { Cluster, Redis } from 'ioredis';
import { connectCluster } from './connect-cluster.ts';
import { connectServer } from './connect-server.ts';
import type { RedisRole } from './server-options.ts';

/** One server or a cluster. Callers that keep the keys of one command in one slot need not know which. */
export type RedisConnection = Redis | Cluster;

const opened = new WeakMap<RedisConnection, { boundary: Boundary; log: Log }>();

/**
 * Makes every connection to Redis. They reconnect forever. An outage is logged once. Throws if `url` is wrong.
 * `observer` counts the replies that cannot be read.
 */
export function connectRedis(url: string, role: RedisRole, log: Log, observer: Observer = {}): RedisConnection {
  const read = readRedisUrl(url);
  if (!read.ok) throw new Error(`the URL of Redis ${read.problems.join('; ')}`);
  const { place } = read;
  const redis = place.isCluster ? connectCluster(place, role, log) : connectServer(place, role, log);
  opened.set(redis, { boundary: openBoundary({ log, observer }), log });
  return redis;
}

/** What reads the replies of a connection made by `connectRedis`. */
export function boundaryOf(redis: RedisConnection): Boundary {
  return partsOf(redis).boundary;
}

/** The log of a connection made by `connectRedis`. */
export function logOf(redis: RedisConnection): Log {
  return partsOf(redis).log;
}

function partsOf(redis: RedisConnection): { boundary: Boundary; log: Log } {
  const parts = opened.get(redis);
  if (!parts) throw new Error('this connection was not made by connectRedis');
  return parts;
}
