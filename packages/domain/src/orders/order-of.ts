import type { Order, OrderRef } from '../core/order.ts';
import type { LedgerReadAccess } from '../ledger/index.ts';

/** An existing order; throws if there is none. */
export async function orderOf(domain: LedgerReadAccess, ref: OrderRef): Promise<Order> {
  const { rows } = await domain.database.pool.query<Order>({
    ...domain.sql.orderByNo,
    values: [ref.merchantId, ref.orderNo],
  });
  if (!rows[0]) throw new Error(`order ${ref.orderNo} of ${ref.merchantId} no longer exists`);
  return rows[0];
}
