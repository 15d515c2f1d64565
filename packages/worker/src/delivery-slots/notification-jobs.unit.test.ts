import { expect, test } from 'vitest';
import { openNotificationJobs } from './notification-jobs.ts';

test.each([
  [1, 8],
  [128, 8],
  [512, 32],
])('of %i jobs one merchant may use %i, and another merchant as many', (concurrency, limit) => {
  const jobs = openNotificationJobs(concurrency);
  const isTaken = (merchantId: string): boolean => jobs.takeNow(merchantId).ok;
  const held = Array.from({ length: limit }, () => jobs.takeNow('M1'));
  expect(held.every(({ ok }) => ok)).toBe(true);
  expect(isTaken('M1')).toBe(false);
  expect(isTaken('M2')).toBe(true);
  for (const taken of held.slice(0, 1)) if (taken.ok) taken.release();
  expect(isTaken('M1')).toBe(true);
  expect(isTaken('M1')).toBe(false);
});
