import type { Within } from '../ledger/index.ts';
import { pauseMerchantSql } from './statements.ts';

/**
 * Keeps a merchant's notifications back from now on, or lets them go. What comes due during a pause is kept and costs nobody anything; when it
 * is over, `dispatch` puts it into the lines at its hosts, the longest due first. An attempt that runs is not broken off. False if there
 * is no such merchant, or it is so already.
 */
export async function pauseNotifications(within: Within, merchantId: string, paused: boolean): Promise<boolean> {
  const { rowCount } = await within.database.pool.query(pauseMerchantSql, [merchantId, paused]);
  return rowCount === 1;
}
