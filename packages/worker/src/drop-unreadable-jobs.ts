import { boundaryOf, type QueueName, queueOptions, type RedisConnection } from '@tidegate/queue';
import * as z from 'zod';

/** The fields of a job that BullMQ reads as JSON before it calls the worker. */
const jsonFields = ['data', 'opts', 'progress', 'parent'] as const;
/** More jobs than a worker has at once. */
const mostActive = 1_000;

/**
 * Removes the running jobs of a queue that BullMQ itself cannot read. None of ours is one. It would fail before any job
 * is called, count as stalled, and begin again for ever. Resolves to how many were removed. A row of ours that is still
 * due is found again by `dispatch`.
 */
export async function dropUnreadableJobs(name: QueueName, connection: RedisConnection): Promise<number> {
  const { prefix } = queueOptions(name, connection);
  const key = `${prefix}:${name}`;
  const boundary = boundaryOf(connection);
  const active = await connection.lrange(`${key}:active`, 0, mostActive - 1);
  let dropped = 0;
  for (const id of active) {
    // A hash in another form cannot be read either.
    const fields = await connection.hmget(`${key}:${id}`, ...jsonFields).catch(() => null);
    if (fields?.every((text) => !text || boundary.readJson('jobs', text, z.unknown()) !== undefined)) continue;
    await connection.lrem(`${key}:active`, 0, id);
    await connection.del(`${key}:${id}`, `${key}:${id}:lock`);
    dropped += 1;
  }
  return dropped;
}
