import type { QueueName, RedisConnection } from '@tidegate/queue';

/** How long a channel counts as full after a worker had as much work of it as it takes, in ms. */
const holds = 2_000;
/** A worker says it no more often than this, in ms. */
const sayEvery = 200;
const key = 'tidegate:full-channels';

/**
 * Which channels are full in some worker, by queue: the dispatcher adds only a few jobs for these, since more would only wait. It lies in
 * Redis and may be lost. Nothing here rejects: without Redis no channel counts as full.
 */
export interface FullChannels {
  mark(queue: QueueName, channelId: string): void;
  /** Takes the mark back that this process made. */
  unmark(queue: QueueName, channelId: string): void;
  /** As `nameOf` says them. */
  read(): Promise<ReadonlySet<string>>;
}

export const nameOf = (queue: QueueName, channelId: string): string => `${queue} ${channelId}`;

export function openFullChannels(redis: RedisConnection): FullChannels {
  const said = new Map<string, number>();
  return {
    mark(queue, channelId) {
      const name = nameOf(queue, channelId);
      const now = performance.now();
      if (now < (said.get(name) ?? Number.NEGATIVE_INFINITY) + sayEvery) return;
      if (said.size > 1_000) said.clear();
      said.set(name, now);
      redis.zadd(key, Date.now() + holds, name).catch(() => undefined);
    },
    unmark(queue, channelId) {
      const name = nameOf(queue, channelId);
      if (said.delete(name)) redis.zrem(key, name).catch(() => undefined);
    },
    async read() {
      try {
        await redis.zremrangebyscore(key, '-inf', Date.now());
        return new Set(await redis.zrange(key, 0, 9_999));
      } catch {
        return new Set();
      }
    },
  };
}
