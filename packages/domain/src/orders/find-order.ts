import type { DirectoryAccess } from '../configuration/index.ts';
import type { Order, OrderKind } from '../core/order.ts';
import type { LedgerReadAccess, OrderReadAccess } from '../ledger/index.ts';

/** A merchant's order by either of its numbers; null if the merchant has no such order of this kind. */
export async function findOrder(
  domain: OrderReadAccess,
  merchantId: string,
  kind: OrderKind,
  by: { orderNo: string } | { merchantOrderNo: string },
): Promise<Order | null> {
  const order =
    'orderNo' in by
      ? await domain.orders.byNo(merchantId, by.orderNo)
      : await domain.orders.byMerchantOrderNo(merchantId, by.merchantOrderNo);
  return order?.kind === kind ? order : null;
}

/** An order of any merchant by its service number; for operators, channels' callbacks and payers. */
export async function findOrderByNumber(
  domain: LedgerReadAccess & DirectoryAccess,
  orderNo: string,
): Promise<Order | null> {
  // Nearly always there is one merchant. Each merchant has its own statement, because PostgreSQL plans a statement with
  // an array at each call. That takes longer than reading the row.
  for (const merchantId of await domain.directory.merchantsOfOrderNo(orderNo)) {
    const { rows } = await domain.database.pool.query<Order>({
      ...domain.sql.orderByNo,
      values: [merchantId, orderNo],
    });
    if (rows[0]) return rows[0];
  }
  return null;
}
