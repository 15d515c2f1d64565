import type { Log } from '@tidegate/domain';
import { readRedisUrl } from '@tidegate/settings';
import type { Cluster, Redis } from 'ioredis';
import { connectCluster } from './connect-cluster.ts';
import { connectServer } from './connect-server.ts';
import type { RedisRole } from './server-options.ts';

/** One server or a cluster. Callers that keep the keys of one command in one slot need not know which. */
export type RedisConnection = Redis | Cluster;

/** Makes every connection to Redis. They reconnect forever. An outage is logged once. Throws if `url` is wrong. */
export function connectRedis(url: string, role: RedisRole, log: Log): RedisConnection {
  const read = readRedisUrl(url);
  if (!read.ok) throw new Error(`the URL of Redis ${read.problems.join('; ')}`);
  return read.place.isCluster ? connectCluster(read.place, role, log) : connectServer(read.place, role, log);
}
