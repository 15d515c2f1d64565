import type { Notification } from '../core/notification.ts';
import type { OrderRef } from '../core/order.ts';
import { columnsOf } from '../database/columns.ts';
import type { Database } from '../database/database.ts';
import { NotificationRow } from '../database/entities/order.ts';
import { type Scope, withinScope } from '../lists/scope.ts';
import { collectValues, whereAll } from '../lists/values.ts';

/** The notification of each order's last status; null if it has none. One statement, in the order of the orders. */
export async function loadLastNotifications(
  { database }: { database: Database },
  scope: Scope,
  orders: readonly OrderRef[],
): Promise<(Notification | null)[]> {
  if (orders.length > 1_000) throw new RangeError(`the notifications of at most 1000 orders, not ${orders.length}`);
  const { values, add } = collectValues();
  const keys = (['merchantId', 'orderNo'] as const).map((part) => `${add(orders.map((one) => one[part]))}::text[]`);
  const { rows } = await database.reading.query<Notification & { place: number }>(
    `select t.*, k.place::integer from unnest(${keys.join(', ')}) with ordinality as k(m, n, place)
     cross join lateral (select ${columnsOf(database.orm, NotificationRow)} from notification t
       ${whereAll(['t.merchant_id = k.m', 't.order_no = k.n', ...withinScope(scope, 't.merchant_id', add)])}
       order by t.created_at desc, t.status limit 1) t`,
    values,
  );
  const found = new Array<Notification | null>(orders.length).fill(null);
  for (const { place, ...notification } of rows) found[place - 1] = notification;
  return found;
}
