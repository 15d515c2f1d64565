import type { RedisPlace } from '@tidegate/settings';
import type { RedisOptions } from 'ioredis';

/**
 * What a connection is for:
 * - `commands`: our own commands. While Redis is unavailable they fail at once, or after 800 ms if Redis hangs.
 * - `producer`: the connection through which BullMQ adds jobs, with the same limits as `commands`.
 * - `worker`: commands wait for Redis without a limit, as BullMQ requires for its blocking connections.
 * - `listener`: a connection whose subscription is renewed at each reconnect. It waits without a limit too.
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
    // How long a closing connection may still deliver answers.
    disconnectTimeout: 500,
    keepAlive: 10_000,
    // Otherwise ioredis says its name to the server, which needs a right (redis-users.ts).
    disableClientInfo: true,
    ...(username !== null && { username }),
    ...(password !== null && { password }),
    ...(tls && { tls: {} }),
  };
}

/** Whether its commands wait for Redis without a limit. */
export function waitsForEver(role: RedisRole): boolean {
  return eachServer[role].commandTimeout === undefined;
}
