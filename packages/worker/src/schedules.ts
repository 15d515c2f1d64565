import type { Log } from '@tidegate/domain';
import { keepSchedule } from '@tidegate/queue';
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
  return keepSchedule(queue, periodOf(name, scheduleScale), log);
}
