import type { RedisPlace } from '@tidegate/settings';
import type { RedisOptions } from 'ioredis';

/**
 * `commands` and `producer`: while Redis is unavailable their commands fail at once, or after 800 ms if it hangs. `worker`:
 * commands wait for Redis without a limit, as BullMQ requires for its blocking connections. `listener`: the same for a
 * connection with a subscription, which is repeated at each reconnect.
 */
export type RedisRole = 'commands' | 'producer' | 'worker' | 'listener';

const commandTimeout = 800;
const maxReconnectWait = 1_000;

export const retryStrategy = (attempt: number): number => Math.min(50 * attempt, maxReconnectWait);

/** The behaviour of a connection to one server, alone or as a node of a cluster. */
const eachServer: Record<RedisRole, Pick<RedisOptions, 'maxRetriesPerRequest' | 'commandTimeout'>> = {
  commands: { maxRetriesPerRequest: 0, commandTimeout },
  producer: { maxRetriesPerRequest: 0, commandTimeout },
  worker: { maxRetriesPerRequest: null },
  listener: { maxRetriesPerRequest: null },
};

/** Options of a single server, or of a node of a cluster. */
export function serverOptions({ username, password, tls }: RedisPlace, role: RedisRole): RedisOptions {
  return {
    ...eachServer[role],
    connectTimeout: 1_000,
    // Time to read the rest of a closed connection.
    disconnectTimeout: 500,
    keepAlive: 10_000,
    ...(username !== null && { username }),
    ...(password !== null && { password }),
    ...(tls && { tls: {} }),
  };
}

/** Whether its commands wait for Redis without a limit. */
export function waitsForEver(role: RedisRole): boolean {
  return eachServer[role].commandTimeout === undefined;
}
