import { tryGreedyAndNine } from '@tidegate/domain/testing';
import { expect, test } from 'vitest';
import { openNotificationJobs } from './notification-jobs.ts';

test('jobs for notifications: nine quiet merchants next to a greedy one', async () => {
  const { alone, joined } = await tryGreedyAndNine(() => {
    const jobs = openNotificationJobs(24);
    return async (merchantId) => {
      const taken = jobs.takeNow(merchantId);
      return taken.ok ? taken.release : null;
    };
  });
  expect([alone.refused, joined.refused]).toEqual([0, 0]);
  expect(joined.p95).toBeLessThanOrEqual(2 * alone.p95);
});
