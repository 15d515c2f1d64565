import type { TimeScale } from '../core/schedule.ts';
import { type LedgerReadAccess, stuckAfter } from '../ledger/index.ts';

const countedUpTo = 10_000;

/** The number of stuck payouts, counted up to 10,000. */
export async function countStuckPayouts(domain: LedgerReadAccess & TimeScale): Promise<number> {
  const { rows } = await domain.database.pool.query<{ count: number }>({
    ...domain.sql.stuckPayoutCount,
    values: [stuckAfter * domain.scheduleScale, countedUpTo],
  });
  return rows[0]?.count ?? 0;
}
