import type { RedisPlace } from '@tidegate/settings';
import type { RedisOptions } from 'ioredis';

/**
 * What a connection is for:
 * - `commands`: our own commands. While Redis is unavailable they fail at once, or within 800 ms if Redis hangs.
 * - `producer`: the connection through which BullMQ adds jobs, with the same limits as `commands`.
 * - `worker`: commands wait for Redis without a limit, as BullMQ requires for its blocking connections.
 * - `listener`: a connection whose subscription is renewed at each reconnect. It waits without a limit too.
 */
export type RedisRole = 'commands' | 'producer' | 'worker' | 'listener';

const maxReconnectWait = 1_000;

export const retryStrategy = (attempt: number): number => Math.min(50 * attempt, maxReconnectWait);

/** How soon a silent server is left (`close-dead-connection.ts`). */
interface Silence {
  /** It is left after four of these times. */
  pingEveryMs: number;
  /** How long a closing connection may still deliver answers. */
  disconnectTimeout: number;
}

const quick: Silence = { pingEveryMs: 175, disconnectTimeout: 100 };
const patient: Silence = { pingEveryMs: 1_000, disconnectTimeout: 500 };

export function silenceOf(role: RedisRole): Silence {
  return waitsForEver(role) ? patient : quick;
}

/** Options of a single server, or of a node of a cluster. */
export function serverOptions({ username, password, tls }: RedisPlace, role: RedisRole): RedisOptions {
  return {
    maxRetriesPerRequest: waitsForEver(role) ? null : 0,
    connectTimeout: 1_000,
    disconnectTimeout: silenceOf(role).disconnectTimeout,
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
  return role === 'worker' || role === 'listener';
}
