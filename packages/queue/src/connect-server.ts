import type { Log } from '@tidegate/domain';
import type { RedisPlace } from '@tidegate/settings';
import { Redis, type RedisOptions } from 'ioredis';
import { closeDeadConnection } from './close-dead-connection.ts';
import { keepConnecting } from './keep-connecting.ts';
import { logOnce } from './log-once.ts';
import { readBeforeTimeout, TIMED_OUT } from './read-before-timeout.ts';
import { type RedisRole, retryStrategy, serverOptions, waitsForEver } from './server-options.ts';

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
  keepConnecting(redis);
  if (waitsForEver(role)) closeDeadConnection(redis);
  else {
    readBeforeTimeout(redis);
    leaveWhenSilent(redis);
  }
  const outage = logOnce(log, { role }, 'Redis');
  redis.on('error', outage.began);
  redis.on('ready', outage.ended);
  return redis;
}

const sentinelPatience = 3_000;

/**
 * The Sentinels are asked at each connect, and announce a new server. A server that has become a replica refuses every
 * write: nothing was executed, so the connection and the command go to the server that the Sentinels name then.
 */
function byName({ nodes, tls }: RedisPlace, { name, password }: NonNullable<RedisPlace['sentinel']>): RedisOptions {
  return {
    sentinels: [...nodes],
    name,
    failoverDetector: true,
    sentinelRetryStrategy: retryStrategy,
    // The two connections are opened one after the other, and no request waits for them.
    connectTimeout: sentinelPatience,
    sentinelCommandTimeout: sentinelPatience,
    reconnectOnError: (error) => (error.message.startsWith('READONLY') ? 2 : false),
    ...(password !== null && { sentinelPassword: password }),
    ...(tls && { sentinelTLS: {}, enableTLSForSentinelMode: true }),
  };
}

/** Reconnects to a server on which one command has waited too long, so that new commands do not wait behind it. */
function leaveWhenSilent(redis: Redis): void {
  const send = redis.sendCommand.bind(redis);
  redis.sendCommand = (command, stream) => {
    const answer = send(command, stream);
    command.promise.catch((error: unknown) => {
      if (redis.status === 'ready' && error instanceof Error && error.message === TIMED_OUT) redis.disconnect(true);
    });
    return answer;
  };
}
