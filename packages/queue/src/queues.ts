import type { queueNames } from '@tidegate/domain';
import { type JobsOptions, Queue } from 'bullmq';
import type { RedisConnection } from './connection.ts';

export type QueueName = (typeof queueNames)[number];

/** The keys of one queue share a hash tag, so that on Redis Cluster they lie together and the queues spread. */
export function queueOptions(
  name: QueueName,
  connection: RedisConnection,
): { connection: RedisConnection; prefix: string } {
  return { connection, prefix: `{tidegate-${name}}` };
}

/**
 * Nothing is kept of a finished job: its id would silently swallow the same work when it comes again. Nothing is retried
 * here either: PostgreSQL says what is to be done, and whatever is still due is found again.
 */
export const jobOptions: JobsOptions = { removeOnComplete: true, removeOnFail: true, attempts: 1 };

export function openQueue(name: QueueName, connection: RedisConnection): Queue {
  const queue = new Queue(name, {
    ...queueOptions(name, connection),
    defaultJobOptions: jobOptions,
    skipVersionCheck: true,
  });
  // Without a listener an outage would be an uncaught exception; the connection logs it.
  queue.on('error', () => undefined);
  return queue;
}
