import type { Log } from '@tidegate/domain';
import type { RedisPlace } from '@tidegate/settings';
import { Cluster, type ClusterOptions, type Redis } from 'ioredis';
import { closeDeadConnection } from './close-dead-connection.ts';
import { limitRepliesOfNodes } from './limit-replies.ts';
import { logOnce } from './log-once.ts';
import { type RedisRole, retryStrategy, serverOptions, waitsForEver } from './server-options.ts';

/**
 * No automatic pipelines: commands in one would wait for a node that hangs. For `commands`, a command whose connection
 * breaks is never sent again: it may have been executed, and its second answer would be wrong. After a moved slot, or
 * on a cluster that is down, nothing was executed, so it is sent again, twice. Before each time the nodes are asked for
 * the slots, and one that hangs is given up soon. Also while a node is being connected, commands for it fail at once.
 */
const failFast: ClusterOptions = {
  retryDelayOnFailover: 0,
  retryDelayOnClusterDown: 50,
  slotsRefreshTimeout: 250,
  maxRedirections: 2,
  enableOfflineQueue: false,
};

/**
 * Disables ioredis' ready check for clusters: after a failed check, `connect()` never settles, and BullMQ awaits it. A
 * cluster that is down fails the first command, which is then sent again.
 */
const patient: ClusterOptions = { enableReadyCheck: false };

/** Connects to the cluster that has the nodes of `place`. */
export function connectCluster(place: RedisPlace, role: RedisRole, log: Log): Cluster {
  const cluster = new Cluster([...place.nodes], {
    ...(waitsForEver(role) ? patient : failFast),
    redisOptions: serverOptions(place, role),
    clusterRetryStrategy: retryStrategy,
    slotsRefreshInterval: 5_000,
    // Host names are not resolved to addresses, because certificates are made for names.
    dnsLookup: (host, found) => found(null, host),
  });
  const outage = logOnce(log, { role }, 'Redis');
  cluster.on('error', outage.began);
  cluster.on('reconnecting', () => outage.began(new Error('no node answers, or the cluster is down')));
  cluster.on('ready', outage.ended);
  logNodes(cluster, role, log);
  return limitRepliesOfNodes(cluster);
}

/** Logs single nodes, because a node can be unavailable while the cluster works. */
function logNodes(cluster: Cluster, role: RedisRole, log: Log): void {
  const nodes = new Map<string, ReturnType<typeof logOnce>>();
  const outageOf = (node: string) => {
    const outage = nodes.get(node) ?? logOnce(log, { role, node }, 'a node of Redis');
    nodes.set(node, outage);
    return outage;
  };
  cluster.on('node error', (error: Error, node: string) => outageOf(node).began(error));
  cluster.on('+node', (redis: Redis) => {
    redis.on('ready', () => outageOf(`${redis.options.host}:${redis.options.port}`).ended());
    closeDeadConnection(redis, role);
  });
}
