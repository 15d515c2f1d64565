import type { RedisConnection } from './connection.ts';

/**
 * Resolves if Redis can be used, for readiness; rejects if not. A cluster without some of its slots answers pings but
 * refuses everything else, so its state is read.
 */
export async function askRedis(redis: RedisConnection): Promise<void> {
  if (!redis.isCluster) {
    await redis.ping();
    return;
  }
  // While the nodes of the cluster are being discovered, this command would wait for that.
  if (redis.status !== 'ready') throw new Error('the Redis Cluster is unavailable');
  const info = String(await redis.cluster('INFO'));
  if (!info.includes('cluster_state:ok')) throw new Error('the Redis Cluster is down');
}
