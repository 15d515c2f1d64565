import { NotReady } from '@tidegate/domain';
import type { Redis } from 'ioredis';
import { logOf, type RedisConnection } from './connection.ts';

/** A node that is slower than this is left to the next question: the cluster may work without it. */
const nodeAnswersWithinMs = 400;

/**
 * Resolves if Redis can be used, for readiness; rejects if not. A cluster without some of its slots answers pings but
 * refuses everything else, so its state is read. A Redis that evicts keys cannot be used: it would drop nonces, so that
 * a request could be repeated, and jobs. It can be used again once its policy is `noeviction`.
 */
export async function askRedis(redis: RedisConnection): Promise<void> {
  if (redis.isCluster) {
    // While the nodes of the cluster are being discovered, this command would wait for that.
    if (redis.status !== 'ready') throw new Error('the Redis Cluster is unavailable');
    const info = String(await redis.cluster('INFO'));
    if (!info.includes('cluster_state:ok')) throw new Error('the Redis Cluster is down');
  } else await redis.ping();
  const policy = await evictingPolicy(redis);
  if (policy !== null)
    throw new NotReady(`it evicts keys (maxmemory-policy ${policy}): set its maxmemory-policy to noeviction`);
}

/** For the metric: 1 if Redis, or a node of the cluster, evicts keys. Null while Redis is unavailable. */
export async function readEviction(redis: RedisConnection): Promise<[labels: object, value: number][] | null> {
  if (redis.status !== 'ready') return null;
  return evictingPolicy(redis).then(
    (policy) => [[{}, policy === null ? 0 : 1]],
    () => null,
  );
}

const known = new WeakMap<RedisConnection, string | null>();

/** The policy of a server or node that evicts keys; null if none does. A change of it is logged. */
async function evictingPolicy(redis: RedisConnection): Promise<string | null> {
  const policies =
    'nodes' in redis ? await Promise.all(redis.nodes('all').map(policyOfNode)) : [policyIn(await redis.info('memory'))];
  const evicting = policies.find((policy) => policy !== null && policy !== 'noeviction') ?? null;
  const before = known.get(redis) ?? null;
  known.set(redis, evicting);
  const log = logOf(redis);
  if (evicting !== null && before === null)
    log.error({ policy: evicting }, 'Redis evicts keys: the process is not ready until maxmemory-policy is noeviction');
  if (evicting === null && before !== null) log.info({}, 'Redis evicts no keys any more');
  return evicting;
}

async function policyOfNode(node: Redis): Promise<string | null> {
  const { promise: late, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(resolve, nodeAnswersWithinMs, null);
  const asked = node.info('memory').then(policyIn, () => null);
  return Promise.race([asked, late]).finally(() => clearTimeout(timer));
}

/** Null if the server does not say: some services that speak Redis' protocol leave it out. */
function policyIn(info: string): string | null {
  return /^maxmemory_policy:([a-z-]+)\r?$/m.exec(info)?.[1] ?? null;
}
