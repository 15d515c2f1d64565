import type { Log } from '@tidegate/domain';
import type { Queue } from 'bullmq';
import { keepRepeating } from './keep-repeating.ts';

const tick = 5_000;
const shortestTick = 500;

/** Makes `audit` run every five seconds among all workers, more often where `scheduleScale` is below 1. */
export function keepAuditing(queue: Queue, scheduleScale: number, log: Log): { stop(): void } {
  return keepRepeating(queue, Math.max(shortestTick, Math.min(tick, Math.round(tick * scheduleScale))), log);
}
