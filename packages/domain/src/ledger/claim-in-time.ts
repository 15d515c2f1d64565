import { claimDeadline } from '../core/schedule.ts';

const unused = { ok: false, rejection: 'not_due' } as const;

/**
 * Commits a claim, and gives it up if the answer comes late, for example because the process was paused. Operators
 * could then end as failed what this process is about to send. The work is due again when the lease has ended, as if the
 * worker had died.
 */
export async function claimInTime<Done extends { ok: boolean }>(
  commit: () => Promise<Done>,
): Promise<Done | typeof unused> {
  const beganAt = performance.now();
  const claimed = await commit();
  return performance.now() - beganAt > claimDeadline ? unused : claimed;
}
