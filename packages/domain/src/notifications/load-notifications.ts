import type { Notification } from '../core/notification.ts';
import type { OrderRef, OrderStatus } from '../core/order.ts';
import type { DatabaseAccess } from '../database/database.ts';
import { NotificationRow } from '../database/entities/order.ts';
import { loadRows, ofMerchant } from '../lists/load-rows.ts';
import type { Scope } from '../lists/scope.ts';

const notifications = ofMerchant(NotificationRow, ['order_no', 'text'], ['status', 'text']);

export function loadNotifications(
  { database }: DatabaseAccess,
  scope: Scope,
  refs: readonly (OrderRef & { status: OrderStatus })[],
) {
  return loadRows<Notification>(
    database,
    notifications,
    refs.map((ref) => [ref.merchantId, ref.orderNo, ref.status]),
    scope,
  );
}
