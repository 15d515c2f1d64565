import { every as atIntervals, type Log } from '@tidegate/domain';
import type { Queue } from 'bullmq';
import { isPast } from './own-state.ts';
import { connectionOf, onQueue } from './queues.ts';

/** A Redis that was emptied while it stayed connected has its schedules back after this time, in ms. */
const sweepEvery = 2_000;

/** Sets the scheduler. BullMQ keeps the time of a next run that others wrote, however far ahead, so that is removed first. */
async function setSchedule(queue: Queue, every: number): Promise<void> {
  const redis = connectionOf(queue);
  const next = await redis.zscore(queue.toKey('repeat'), queue.name);
  if (next !== null && !isPast(Number(next) - every)) await queue.removeJobScheduler(queue.name);
  await queue.upsertJobScheduler(queue.name, { every }, { name: queue.name });
}

/**
 * Makes the one job of a queue of `openQueue` run at this interval, in total over all processes, by a job scheduler of
 * BullMQ. At most one next run exists, so runs never pile up. Redis may be empty when it is connected again. So the
 * scheduler is set at each connect, and by a sweep.
 */
export function keepSchedule(queue: Queue, every: number, log: Log, sweep = sweepEvery): { stop(): void } {
  const { name } = queue;
  const redis = connectionOf(queue);
  const failed = (err: unknown): void => log.debug({ err, queue: name }, 'the schedule could not be set');
  const set = (): void => {
    onQueue(queue, () => setSchedule(queue, every)).catch(failed);
  };
  redis.on('ready', set);
  if (redis.status === 'ready') set();
  const timer = atIntervals(sweep, set, failed);
  return {
    stop: () => {
      redis.off('ready', set);
      clearInterval(timer);
    },
  };
}
