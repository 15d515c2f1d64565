import { claimNotification, recordAttempt } from '@tidegate/domain';
import { type Job, notificationData } from './job.ts';

/** Delivers one notification, once; another attempt is another job. */
export const notify: Job = async ({ domain, deliver }, data) => {
  const claimed = await claimNotification(domain, notificationData.parse(data));
  if (!claimed) return 'not_due';
  return recordAttempt(domain, claimed, await deliver(claimed));
};
