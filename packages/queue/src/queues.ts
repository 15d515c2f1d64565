import { type JobsOptions, Queue } from 'bullmq';
import type { RedisConnection } from './connection.ts';
import { onOwnKeys } from './own-state.ts';
import { type QueueName, queueKeys, queueOptions } from './queue-state.ts';

/**
 * Finished jobs are not kept, because their id would silently block the same work when it is due again. Jobs are not
 * retried here either: rows that are still due in PostgreSQL are found again.
 */
const jobOptions: JobsOptions = { removeOnComplete: true, removeOnFail: true, attempts: 1 };

const connections = new WeakMap<Queue, RedisConnection>();

export function openQueue(name: QueueName, connection: RedisConnection): Queue {
  const queue = new Queue(name, {
    ...queueOptions(name, connection),
    defaultJobOptions: jobOptions,
    skipVersionCheck: true,
  });
  // Without a listener an outage would be an uncaught exception; the connection logs it.
  queue.on('error', () => undefined);
  connections.set(queue, connection);
  return queue;
}

/** The connection of a queue that `openQueue` opened. */
export function connectionOf(queue: Queue): RedisConnection {
  const connection = connections.get(queue);
  if (!connection) throw new Error('this queue was not opened by openQueue');
  return connection;
}

/**
 * Runs a command of a queue that `openQueue` opened. If a value stands in its way that BullMQ cannot have written, that
 * value is removed, and it runs once more.
 */
export async function onQueue<T>(queue: Queue, run: () => Promise<T>): Promise<T> {
  return onOwnKeys(connectionOf(queue), queueKeys(queue.name as QueueName), run);
}
