import type { Log } from '@tidegate/domain';
import { jobOptions } from '@tidegate/queue';
import type { Queue } from 'bullmq';

/**
 * Makes the queue's one job run every so many milliseconds among all workers. BullMQ keeps one next run at the most, however long one takes, so that
 * they never pile up. The schedule lies in Redis, so it is set again all the time: an emptied Redis has it back within a second
 * (`renewEvery`).
 */
export function keepRepeating(queue: Queue, every: number, log: Log, renewEvery = 1_000): { stop(): void } {
  const { name } = queue;
  let isRenewing = false;
  const renew = async (): Promise<void> => {
    if (isRenewing) return;
    isRenewing = true;
    try {
      await queue.upsertJobScheduler(name, { every }, { name, data: {}, opts: jobOptions });
    } catch (error) {
      log.debug({ err: error, queue: name }, 'the schedule could not be renewed');
    }
    isRenewing = false;
  };
  void renew();
  const timer = setInterval(renew, renewEvery);
  return { stop: () => clearInterval(timer) };
}
