import type { Log } from '@tidegate/domain';
import type { RedisPlace } from '@tidegate/settings';
import { Cluster, type ClusterOptions, type Redis } from 'ioredis';
import { closeDeadConnection } from './close-dead-connection.ts';
import { logOnce } from './log-once.ts';
import { readBeforeTimeout } from './read-before-timeout.ts';
import { type RedisRole, retryStrategy, serverOptions, waitsForEver } from './server-options.ts';

/**
 * No automatic pipelines: commands in one would wait for a node that hangs. For `commands`, a command whose connection
 * breaks is never sent again: it may have been executed, and its second answer would be wrong. After a moved slot, or
 * on a cluster that is down, nothing was executed, so it is sent again within its 800 ms.
 */
const failFast: ClusterOptions = { retryDelayOnFailover: 0 };

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
  if (!waitsForEver(role)) refuseUntilReady(cluster);
  const outage = logOnce(log, { role }, 'Redis');
  cluster.on('error', outage.began);
  cluster.on('reconnecting', () => outage.began(new Error('no node answers, or the cluster is down')));
  cluster.on('ready', outage.ended);
  logNodes(cluster, role, log);
  return cluster;
}

/**
 * Replaces `enableOfflineQueue: false`. On a cluster that option also refuses commands while one node is being
 * connected, at every start and after every break. Once the cluster is known, commands wait for that connection,
 * within their 800 ms.
 */
function refuseUntilReady(cluster: Cluster): void {
  const send = cluster.sendCommand.bind(cluster);
  cluster.sendCommand = (command, stream, node) => {
    // In cluster mode this checks whether the cluster is ready.
    if (cluster.status !== 'ready' && command.name !== 'cluster') {
      command.reject(new Error('the Redis Cluster is unavailable'));
      return command.promise;
    }
    return send(command, stream, node);
  };
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
    if (waitsForEver(role)) closeDeadConnection(redis);
    else readBeforeTimeout(redis);
  });
}
