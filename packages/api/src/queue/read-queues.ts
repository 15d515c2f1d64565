import { setTimeout as delay } from 'node:timers/promises';
import { type Log, queueNames } from '@tidegate/domain';
import { connectRedis, type Marks, openQueue, type QueueName, readMarks } from '@tidegate/queue';
import { refusal } from '../errors.ts';

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

export function openQueueReader({ redisUrl, log }: { redisUrl: string; log: Log }): QueueReader {
  const redis = connectRedis(redisUrl, 'producer', log);
  const queues = queueNames.map((name) => ({ name, queue: openQueue(name, redis) }));
  const ask = async ({ name, queue }: (typeof queues)[number]): Promise<QueueDepth> => {
    const [counts, oldest] = await Promise.all([
      queue.getJobCounts('waiting', 'active', 'delayed'),
      queue.getJobs(['waiting'], 0, 0, true),
    ]);
    const { waiting = 0, active = 0, delayed = 0 } = counts;
    const added = oldest[0]?.timestamp;
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
