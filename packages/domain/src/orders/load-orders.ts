import type { Order, OrderRef } from '../core/order.ts';
import type { DatabaseAccess } from '../database/database.ts';
import { OrderRow } from '../database/entities/order.ts';
import { loadRows, ofMerchant } from '../lists/load-rows.ts';
import type { Scope } from '../lists/scope.ts';

const orders = ofMerchant(OrderRow, ['order_no', 'text']);

export function loadOrders({ database }: DatabaseAccess, scope: Scope, refs: readonly OrderRef[]) {
  return loadRows<Order>(
    database,
    orders,
    refs.map((ref) => [ref.merchantId, ref.orderNo]),
    scope,
  );
}
