import { setTimeout as delay } from 'node:timers/promises';
import { type Log, type Observer, queueNames } from '@tidegate/domain';
import { boundaryOf, connectRedis, type Marks, openQueue, type QueueName, readMarks } from '@tidegate/queue';
import * as z from 'zod';
import { refusal } from '../errors/errors.ts';

/** The current state of a queue. */
export interface QueueDepth {
  name: QueueName;
  /** Jobs that no worker has begun yet. */
  waiting: number;
  /** Jobs that workers are processing. */
  active: number;
  /** Jobs with a later start time. */
  delayed: number;
  /** How long the oldest waiting job has waited, in milliseconds; null if none waits. */
  oldestWaitingMs: number | null;
}

export interface QueueReader {
  /** Every queue, in the order of `queueNames`. Throws a refusal if Redis does not answer within a second. */
  read(): Promise<QueueDepth[]>;
  /** Full channels and open breakers, as workers stored them in Redis. Null if Redis does not answer within a second. */
  marks(): Promise<Marks | null>;
  close(): Promise<void>;
}

const timeoutMs = 1_000;

/** The counts of a queue, and the time at which its oldest job was added. */
const counted = z.object({
  waiting: z.number().default(0),
  active: z.number().default(0),
  delayed: z.number().default(0),
});
const addedAt = z.object({ timestamp: z.number() });

export function openQueueReader(options: { redisUrl: string; log: Log; observer?: Observer }): QueueReader {
  const redis = connectRedis(options.redisUrl, 'producer', options.log, options.observer);
  const boundary = boundaryOf(redis);
  const queues = queueNames.map((name) => ({ name, queue: openQueue(name, redis) }));
  const ask = async ({ name, queue }: (typeof queues)[number]): Promise<QueueDepth> => {
    const [counts, [oldest]] = await Promise.all([
      queue.getJobCounts('waiting', 'active', 'delayed'),
      // BullMQ throws on a job that is not JSON. Workers end such a job as a stalled one.
      queue.getJobs(['waiting'], 0, 0, true).catch(() => []),
    ]);
    const { waiting, active, delayed } = boundary.readData('queues', counts, counted) ?? counted.parse({});
    const added = oldest && boundary.readData('queues', oldest, addedAt)?.timestamp;
    return {
      name,
      waiting,
      active,
      delayed,
      oldestWaitingMs: added === undefined ? null : Math.max(0, Date.now() - added),
    };
  };
  return {
    read: async () => {
      // Without a connection BullMQ would wait for one.
      const answer = redis.status === 'ready' ? Promise.all(queues.map(ask)).catch(() => null) : null;
      const depths = await Promise.race([answer, delay(timeoutMs, null, { ref: false })]);
      if (depths === null)
        throw refusal('SERVICE_UNAVAILABLE', 'the queues cannot be read now, because Redis is unavailable: try again');
      return depths;
    },
    marks: () => Promise.race([readMarks(redis), delay(timeoutMs, null, { ref: false })]),
    close: async () => {
      await Promise.all(queues.map(({ queue }) => queue.close().catch(() => undefined)));
      redis.disconnect();
    },
  };
}
