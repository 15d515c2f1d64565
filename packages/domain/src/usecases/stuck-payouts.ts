import type { Order } from '../core/order.ts';
import { stuckAfter } from '../store/statements.ts';
import type { Domain } from './domain.ts';

/** Payouts that have waited too long for a definite answer, the oldest first, at most `limit`. They are only listed: nothing touches them. */
export async function stuckPayouts(domain: Domain, limit: number): Promise<Order[]> {
  const { rows } = await domain.database.pool.query<Order>({
    ...domain.sql.stuckPayouts,
    values: [stuckAfter * domain.scheduleScale, limit],
  });
  return rows;
}

const countedUpTo = 10_000;

/** How many those are, counted up to 10,000. */
export async function countStuckPayouts(domain: Domain): Promise<number> {
  const { rows } = await domain.database.pool.query<{ count: number }>({
    ...domain.sql.stuckPayoutCount,
    values: [stuckAfter * domain.scheduleScale, countedUpTo],
  });
  return rows[0]?.count ?? 0;
}
