import type { OrderRef } from '../core/order.ts';
import type { AttemptResult, NotificationRef } from '../notifications/deliver-notification.ts';
import type { Domain } from '../open-domain.ts';
import { aReport, paid, placePayin } from './payins.ts';

// Notifications on a real database, made by completed CN payins.

/** An attempt of now that the merchant answered with HTTP 500. */
export const failure: AttemptResult = {
  startedAt: Date.now(),
  durationMs: 12,
  address: null,
  httpStatus: 500,
  reply: 'no',
  error: 'status',
  acknowledged: false,
};

/** The notification of a payin that was just completed. */
export async function aNotification(
  domain: Domain,
  merchantId: string,
  notifyUrl = 'https://shop.test/n',
): Promise<NotificationRef> {
  return aNotificationOf(domain, await placePayin(domain, merchantId, 'CN', { notifyUrl }));
}

/** Completes a payin, so that its merchant gets a notification. */
export async function aNotificationOf(domain: Domain, { merchantId, orderNo }: OrderRef): Promise<NotificationRef> {
  await domain.commit(aReport({ merchantId, orderNo }, paid()));
  return { merchantId, orderNo, status: 'completed' };
}

/**
 * Makes a backlog: copies one notification `count` times, each due at a different time in the past. None of them is
 * older than another of its order. Each statement makes 5,000, so that none reaches the time limit on a slow machine.
 */
export async function aBacklogOf(
  domain: Domain,
  { merchantId, orderNo }: NotificationRef,
  count: number,
): Promise<void> {
  for (let first = 1; first <= count; first += 5_000)
    await domain.database.pool.query(
      `insert into notification (merchant_id, order_no, status, url, body, state, attempt, next_attempt_at, created_at, host, held_by, seq)
       select merchant_id, order_no, 'copy ' || i, url, body, 'pending', attempt, clock_timestamp() - i * interval '1 ms', created_at, host, held_by, seq
       from notification, generate_series($3::integer, $4::integer) i where merchant_id = $1 and order_no = $2 and status = 'completed'`,
      [merchantId, orderNo, first, Math.min(count, first + 4_999)],
    );
}

export interface NotificationFacts {
  state: string;
  attempt: number;
  heldBy: string | null;
  earlierAttempts: number;
  /** Ms until the next attempt; null if there is none. */
  wait: number | null;
  delivered: boolean;
  body: string;
  /** Attempts in the log. */
  attempts: number;
}

/** The notification as the database has it now. */
export async function factsOf(domain: Domain, ref: NotificationRef): Promise<NotificationFacts> {
  const { rows } = await domain.database.pool.query<NotificationFacts>(
    `select state, attempt, held_by as "heldBy", earlier_attempts as "earlierAttempts", delivered_at is not null as delivered, body,
       (extract(epoch from next_attempt_at - clock_timestamp()::timestamptz(3)) * 1000)::float8 as wait,
       (select count(*) from notification_attempt a where (a.merchant_id, a.order_no, a.status) = (n.merchant_id, n.order_no, n.status))::integer as attempts
     from notification n where (merchant_id, order_no, status) = ($1, $2, $3)`,
    [ref.merchantId, ref.orderNo, ref.status],
  );
  if (!rows[0]) throw new Error(`no notification ${ref.orderNo}`);
  return rows[0];
}
