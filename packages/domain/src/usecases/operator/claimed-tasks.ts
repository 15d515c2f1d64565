import type { Order } from '../../core/order.ts';
import { OrderRow } from '../../store/entities/order.ts';
import { columnsOf } from '../../store/statements.ts';
import type { Domain } from '../domain.ts';

/** Tasks that somebody has claimed, with or without a proof, the oldest first, at most `limit`. */
export async function claimedTasks(domain: Domain, limit: number): Promise<Order[]> {
  const text = `select ${columnsOf(domain.database.orm, OrderRow)} from orders t
    where kind = 'payout' and status = 'processing' and mode = 'market' order by created_at limit $1`;
  return (await domain.database.pool.query<Order>(text, [limit])).rows;
}
