import type { OrderStatus } from '../core/order.ts';
import { columnsOf } from '../database/columns.ts';
import type { Database } from '../database/database.ts';
import { NotificationAttempt } from '../database/entities/order.ts';
import { type Scope, withinScope } from '../lists/scope.ts';
import { collectValues, whereAll } from '../lists/values.ts';

/** One attempt to deliver a notification. */
export interface AttemptRecord {
  merchantId: string;
  orderNo: string;
  status: OrderStatus;
  attempt: number;
  startedAt: number;
  durationMs: number;
  address: string | null;
  httpStatus: number | null;
  /** At most the first 1 KiB. */
  reply: string | null;
  error: string | null;
}

/**
 * The latest attempts of each notification, the latest first, at most `limit` each; by one statement, in the order of
 * the notifications.
 */
export async function loadAttempts(
  { database }: { database: Database },
  scope: Scope,
  notifications: readonly { merchantId: string; orderNo: string; status: OrderStatus }[],
  limit: number,
): Promise<AttemptRecord[][]> {
  if (notifications.length > 1_000)
    throw new RangeError(`the attempts of at most 1000 notifications, not ${notifications.length}`);
  const { values, add } = collectValues();
  const keys = (['merchantId', 'orderNo', 'status'] as const).map((part) => add(notifications.map((one) => one[part])));
  const { rows } = await database.reading.query<AttemptRecord & { place: number }>(
    `select t.*, k.place::integer from unnest(${keys.map((key) => `${key}::text[]`).join(', ')}) with ordinality as k(m, n, s, place)
     cross join lateral (select ${columnsOf(database.orm, NotificationAttempt)} from notification_attempt t
       ${whereAll(['t.merchant_id = k.m', 't.order_no = k.n', 't.status = k.s', ...withinScope(scope, 't.merchant_id', add)])}
       order by t.attempt desc limit ${add(Math.min(limit, 100))}::integer) t order by k.place, t.attempt desc`,
    values,
  );
  const found: AttemptRecord[][] = notifications.map(() => []);
  for (const { place, ...attempt } of rows) found[place - 1]?.push(attempt);
  return found;
}
