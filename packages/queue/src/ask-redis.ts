import type { RedisConnection } from './connection.ts';

/**
 * Resolves when Redis answers and can be used, for readiness; rejects when not. A cluster that lacks a part of its slots answers pings and
 * refuses everything else, so that it is asked how it is.
 */
export async function askRedis(redis: RedisConnection): Promise<void> {
  if (!redis.isCluster) {
    await redis.ping();
    return;
  }
  // While it is looked for, this question would wait as long.
  if (redis.status !== 'ready') throw new Error('the Redis Cluster is away');
  const info = String(await redis.cluster('INFO'));
  if (!info.includes('cluster_state:ok')) throw new Error('the Redis Cluster is down');
}
