import { every as atIntervals, type Log } from '@tidegate/domain';
import { jobOptions, onQueue } from '@tidegate/queue';
import type { Queue } from 'bullmq';

const periods = {
  dispatch: { everyMs: 500, minMs: 200 },
  audit: { everyMs: 5_000, minMs: 1_000 },
  reconcile: { everyMs: 5_000, minMs: 1_000 },
  fetch: { everyMs: 10_000, minMs: 1_000 },
  draft: { everyMs: 30_000, minMs: 1_000 },
  export: { everyMs: 2_000, minMs: 1_000 },
};

type ScheduledName = keyof typeof periods;

/** The milliseconds between two runs of a job. A small scale makes it shorter, down to the least time of its row. */
export function periodOf(name: ScheduledName, scheduleScale: number): number {
  const { everyMs, minMs } = periods[name];
  return Math.max(minMs, Math.min(everyMs, Math.round(everyMs * scheduleScale)));
}

/**
 * Makes `dispatch` run twice a second, `audit` and `reconcile` every five seconds, and `export` every two. `fetch` runs every ten, and `draft` every
 * thirty. All of it is in total over all workers, and more often if `scheduleScale` is below 1.
 */
export function keepScheduled(name: ScheduledName, queue: Queue, scheduleScale: number, log: Log): { stop(): void } {
  return keepRepeating(queue, periodOf(name, scheduleScale), log);
}

/**
 * Makes the queue's one job run at this interval, in total over all workers. BullMQ keeps at most one next run, so runs
 * never pile up. The schedule is in Redis, so it is set again all the time: an emptied Redis has it back within a
 * second (`renewEvery`).
 */
export function keepRepeating(queue: Queue, every: number, log: Log, renewEvery = 1_000): { stop(): void } {
  const { name } = queue;
  let isRenewing = false;
  const renew = async (): Promise<void> => {
    if (isRenewing) return;
    isRenewing = true;
    try {
      await onQueue(queue, () => queue.upsertJobScheduler(name, { every }, { name, data: {}, opts: jobOptions }));
    } catch (error) {
      failed(error);
    }
    isRenewing = false;
  };
  const failed = (err: unknown): void => log.debug({ err, queue: name }, 'the schedule could not be renewed');
  void renew();
  const timer = atIntervals(renewEvery, renew, failed);
  return { stop: () => clearInterval(timer) };
}
