import type { Log } from '@tidegate/domain';
import type { RedisPlace } from '@tidegate/settings';
import { Cluster, type ClusterOptions, type Redis } from 'ioredis';
import { leaveWhenDead } from './leave-when-dead.ts';
import { logOnce } from './log-once.ts';
import { type RedisRole, retryStrategy, serverOptions, waitsForEver } from './server-options.ts';

/**
 * No automatic pipelines here: they wait for one another, behind one whose node hangs. And where a person waits, a command whose connection
 * breaks is never sent again: it may have been done, and the answer to its second coming would be a wrong one. A slot that has
 * moved, or a cluster that is down, has done nothing: then it is, within its 800 ms.
 */
const failFast: ClusterOptions = { retryDelayOnFailover: 0 };

/**
 * Disables ioredis' ready check for clusters: after a failed check, `connect()` never settles, and BullMQ awaits it. A
 * cluster that is down fails the first command, which is then sent again.
 */
const patient: ClusterOptions = { enableReadyCheck: false };

/** Connects to the cluster of which `place` names some nodes. */
export function connectCluster(place: RedisPlace, role: RedisRole, log: Log): Cluster {
  const cluster = new Cluster([...place.nodes], {
    ...(waitsForEver(role) ? patient : failFast),
    redisOptions: serverOptions(place, role),
    clusterRetryStrategy: retryStrategy,
    slotsRefreshInterval: 5_000,
    // Names stay names: certificates are made for these.
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
    // With `cluster` it asks whether it is ready.
    if (cluster.status !== 'ready' && command.name !== 'cluster') {
      command.reject(new Error('the Redis Cluster is away'));
      return command.promise;
    }
    return send(command, stream, node);
  };
}

/** A node can be away while the cluster goes on. */
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
    if (waitsForEver(role)) leaveWhenDead(redis);
  });
}
