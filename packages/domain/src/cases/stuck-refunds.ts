import type { TimeScale } from '../core/schedule.ts';
import type { DatabaseAccess } from '../database/database.ts';
import { stuckAfter } from '../ledger/index.ts';
import { stuckRefundsSql } from './queries.ts';

/** Banks take some days for an accepted refund, in ms. */
const stuckAfterAcceptance = 7 * 24 * 60 * 60_000;
const countedUpTo = 10_000;

/**
 * The number of refunds that have no definite answer after an hour, or are not back a week after the decision. Counted
 * up to 10,000.
 */
export async function countStuckRefunds({ database, scheduleScale }: DatabaseAccess & TimeScale): Promise<number> {
  const values = [stuckAfter * scheduleScale, stuckAfterAcceptance * scheduleScale, countedUpTo];
  const { rows } = await database.pool.query<{ count: number }>(stuckRefundsSql, values);
  return rows[0]?.count ?? 0;
}
