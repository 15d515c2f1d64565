import type { Log } from '@tidegate/domain';
import type { Queue } from 'bullmq';
import { keepRepeating } from './keep-repeating.ts';

const tick = 500;
const shortestTick = 50;

/** Makes `dispatch` run twice a second among all workers, more often where `scheduleScale` is below 1. */
export function keepDispatching(queue: Queue, scheduleScale: number, log: Log): { stop(): void } {
  return keepRepeating(queue, Math.max(shortestTick, Math.min(tick, Math.round(tick * scheduleScale))), log);
}
