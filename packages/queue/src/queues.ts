import type { queueNames } from '@tidegate/domain';
import { type JobsOptions, Queue } from 'bullmq';
import type { RedisConnection } from './connection.ts';

export type QueueName = (typeof queueNames)[number];

/** The keys of one queue share a hash tag, so that Redis Cluster keeps them on one node and spreads the queues. */
export function queueOptions(
  name: QueueName,
  connection: RedisConnection,
): { connection: RedisConnection; prefix: string } {
  return { connection, prefix: `{tidegate-${name}}` };
}

/**
 * Finished jobs are not kept, because their id would silently block the same work when it is due again. Jobs are not
 * retried here either: rows that are still due in PostgreSQL are found again.
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
