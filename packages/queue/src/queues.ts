import type { queueNames } from '@tidegate/domain';
import { type JobsOptions, Queue } from 'bullmq';
import type { RedisConnection } from './connection.ts';
import { type KeyType, type OwnKeys, onOwnKeys, removeOthers } from './own-state.ts';

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

/** The state of a queue, as BullMQ keeps it. Its jobs are hashes of their own. */
const queueState = {
  id: 'counter',
  pc: 'counter',
  meta: 'hash',
  wait: 'list',
  paused: 'list',
  active: 'list',
  prioritized: 'zset',
  delayed: 'zset',
  completed: 'zset',
  failed: 'zset',
  'waiting-children': 'zset',
  marker: 'zset',
  repeat: 'zset',
  stalled: 'set',
  events: 'stream',
  limiter: 'counter',
  'stalled-check': 'counter',
} as const satisfies Record<string, KeyType>;

function keysOf(name: QueueName): OwnKeys {
  return Object.entries(queueState).map(([key, type]) => [`{tidegate-${name}}:${name}:${key}`, type] as const);
}

/**
 * Runs a command of a queue that `openQueue` opened. If a value stands in its way that BullMQ cannot have written, that
 * value is removed, and it runs once more.
 */
export async function onQueue<T>(queue: Queue, run: () => Promise<T>): Promise<T> {
  const connection = connections.get(queue);
  return connection ? onOwnKeys(connection, keysOf(queue.name as QueueName), run) : run();
}

/** Removes what BullMQ cannot have written from the state of a queue. */
export function keepQueueState(name: QueueName, connection: RedisConnection): Promise<void> {
  return removeOthers(connection, keysOf(name));
}
