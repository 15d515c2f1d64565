import { keepTimes, fullChannelsKey as key, type QueueName, type RedisConnection, readNames } from '@tidegate/queue';

/** How long a channel counts as full after a worker could accept no more work for it, in ms. */
const holds = 2_000;
/** The shortest time between two such marks of a worker, in ms. */
const sayEvery = 200;

/**
 * The channels that are full in some worker, by queue. The dispatcher adds only a few jobs for these, because more
 * would only wait. The marks are in Redis and may be lost. No function rejects: without Redis no channel counts as
 * full.
 */
export interface FullChannels {
  mark(queue: QueueName, channelId: string): void;
  /** Removes the mark of this process. */
  unmark(queue: QueueName, channelId: string): void;
  /** Names as made by `nameOf`. */
  read(): Promise<ReadonlySet<string>>;
}

export const nameOf = (queue: QueueName, channelId: string): string => `${queue} ${channelId}`;

export function openFullChannels(redis: RedisConnection): FullChannels {
  const lastLogged = new Map<string, number>();
  return {
    mark(queue, channelId) {
      const name = nameOf(queue, channelId);
      const now = performance.now();
      if (now < (lastLogged.get(name) ?? Number.NEGATIVE_INFINITY) + sayEvery) return;
      if (lastLogged.size > 1_000) lastLogged.clear();
      lastLogged.set(name, now);
      redis.zadd(key, Date.now() + holds, name).catch(() => undefined);
    },
    unmark(queue, channelId) {
      const name = nameOf(queue, channelId);
      if (lastLogged.delete(name)) redis.zrem(key, name).catch(() => undefined);
    },
    async read() {
      try {
        await keepTimes(redis, key, Date.now(), Date.now() + holds);
        return new Set(await readNames(redis, key, '-inf'));
      } catch {
        return new Set();
      }
    },
  };
}
