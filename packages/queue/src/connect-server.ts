import type { Log } from '@tidegate/domain';
import type { RedisPlace } from '@tidegate/settings';
import { Redis, type RedisOptions } from 'ioredis';
import { closeDeadConnection } from './close-dead-connection.ts';
import { limitReplies } from './limit-replies.ts';
import { logOnce } from './log-once.ts';
import { type RedisRole, retryStrategy, serverOptions } from './server-options.ts';

const oneServer: Record<RedisRole, RedisOptions> = {
  // Commands of one tick of the event loop go out in one write.
  commands: { enableOfflineQueue: false, enableAutoPipelining: true },
  producer: { enableOfflineQueue: false },
  worker: {},
  listener: {},
};

/** Connects to the single server of `place`, or to the one that its Sentinels name. */
export function connectServer(place: RedisPlace, role: RedisRole, log: Log): Redis {
  const redis = new Redis({
    ...serverOptions(place, role),
    ...oneServer[role],
    ...(place.sentinel === null ? place.nodes[0] : byName(place, place.sentinel)),
    db: place.database,
    retryStrategy,
  });
  closeDeadConnection(redis, role);
  limitReplies(redis);
  const outage = logOnce(log, { role }, 'Redis');
  redis.on('error', outage.began);
  redis.on('ready', outage.ended);
  return redis;
}

const sentinelPatience = 3_000;

/**
 * The Sentinels are asked at each connect. So a connection is made again when its server is no longer the right one:
 * - The server has become a replica. It executed nothing, so the command goes to the server that the Sentinels name then.
 * - The server has lost its replicas. Then the Sentinels may have named another one.
 *
 * Announcements of the Sentinels are not used. ioredis gives up a connection permanently if one arrives while it asks.
 */
function byName({ nodes, tls }: RedisPlace, { name, password }: NonNullable<RedisPlace['sentinel']>): RedisOptions {
  return {
    sentinels: [...nodes],
    name,
    sentinelRetryStrategy: retryStrategy,
    // The two connections are opened one after the other, and no request waits for them.
    connectTimeout: sentinelPatience,
    sentinelCommandTimeout: sentinelPatience,
    reconnectOnError: ({ message }) => (message.startsWith('READONLY') ? 2 : message.startsWith('NOREPLICAS')),
    ...(password !== null && { sentinelPassword: password }),
    ...(tls && { sentinelTLS: {}, enableTLSForSentinelMode: true }),
  };
}
