import type { RedisPlace } from '@tidegate/settings';
import type { RedisOptions } from 'ioredis';

/**
 * `commands` and `producer`: while Redis is away their commands fail at once, or after 800 ms where it hangs.
 * `worker`: waits for Redis as long as it takes, as BullMQ asks of its blocking connections. `listener`: the same, for a connection that
 * subscribes; it subscribes again whenever Redis is back.
 */
export type RedisRole = 'commands' | 'producer' | 'worker' | 'listener';

const commandTimeout = 800;
const longestReconnectWait = 1_000;

export const retryStrategy = (attempt: number): number => Math.min(50 * attempt, longestReconnectWait);

/** How a connection to one server behaves, alone or as a node of a cluster. */
const eachServer: Record<RedisRole, Pick<RedisOptions, 'maxRetriesPerRequest' | 'commandTimeout'>> = {
  commands: { maxRetriesPerRequest: 0, commandTimeout },
  producer: { maxRetriesPerRequest: 0, commandTimeout },
  worker: { maxRetriesPerRequest: null },
  listener: { maxRetriesPerRequest: null },
};

/** For a server alone, or as a node of a cluster. */
export function serverOptions({ username, password, tls }: RedisPlace, role: RedisRole): RedisOptions {
  return {
    ...eachServer[role],
    connectTimeout: 1_000,
    // For what is still to be read from a connection that is left.
    disconnectTimeout: 500,
    keepAlive: 10_000,
    ...(username !== null && { username }),
    ...(password !== null && { password }),
    ...(tls && { tls: {} }),
  };
}

/** Whether its commands wait for Redis as long as it takes. */
export function waitsForEver(role: RedisRole): boolean {
  return eachServer[role].commandTimeout === undefined;
}
