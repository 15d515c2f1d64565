import type { Log } from '@tidegate/domain';
import { jobOptions } from '@tidegate/queue';
import type { Queue } from 'bullmq';

const tick = 500;
const shortestTick = 50;
const renewEvery = 1_000;

/**
 * Makes `dispatch` run twice a second among all workers, more often where `scheduleScale` is below 1. BullMQ keeps one next run at the
 * most, however long one takes, so that they never pile up. The schedule lies in Redis, so it is set again all the time: an emptied
 * Redis has it back within a second.
 */
export function keepDispatching(queue: Queue, scheduleScale: number, log: Log): { stop(): void } {
  const every = Math.max(shortestTick, Math.min(tick, Math.round(tick * scheduleScale)));
  let isRenewing = false;
  const renew = async (): Promise<void> => {
    if (isRenewing) return;
    isRenewing = true;
    try {
      await queue.upsertJobScheduler('dispatch', { every }, { name: 'dispatch', data: {}, opts: jobOptions });
    } catch (error) {
      log.debug({ err: error }, 'the dispatch schedule could not be renewed');
    }
    isRenewing = false;
  };
  void renew();
  const timer = setInterval(renew, renewEvery);
  return { stop: () => clearInterval(timer) };
}
