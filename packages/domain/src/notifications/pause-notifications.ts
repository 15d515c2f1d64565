import type { ChangeTransaction } from '../ledger/index.ts';
import { pauseMerchantSql } from './queries.ts';

/**
 * Pauses a merchant's notifications, or resumes them. Notifications that come due during a pause are kept at no cost.
 * After the pause `dispatch` moves them to the backlogs of their hosts, the longest due first. A running attempt is
 * not interrupted. False if there is no such merchant, or nothing changes.
 */
export async function pauseNotifications(
  within: ChangeTransaction,
  merchantId: string,
  paused: boolean,
): Promise<boolean> {
  const { rowCount } = await within.database.pool.query(pauseMerchantSql, [merchantId, paused]);
  return rowCount === 1;
}
