import { type FairSlots, openFairSlots } from '@tidegate/domain/sharing';

/** The part of a queue's jobs in this process that one merchant may use, but at least as many as one host allows. */
const part = 16;
const least = 8;

/**
 * The jobs for notifications of one queue in this process. The limit prevents a merchant with many hanging hosts from
 * using all of them.
 */
export function openNotificationJobs(concurrency: number): FairSlots {
  const slotsPerOwner = Math.max(least, Math.floor(concurrency / part));
  // BullMQ limits all jobs of the process, so only the limit of one merchant counts here.
  return openFairSlots({ pool: 'notification_jobs', slots: concurrency + 2 * slotsPerOwner, slotsPerOwner });
}
