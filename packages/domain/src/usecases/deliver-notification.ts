import { inBrief } from '../core/channel-answer.ts';
import type { OrderStatus } from '../core/order.ts';
import { jittered, notificationWaits, workLease } from '../core/schedule.ts';
import type { Domain } from './domain.ts';

export interface NotificationRef {
  merchantId: string;
  orderNo: string;
  status: OrderStatus;
}

/** A notification that is this worker's to deliver, for as long as the lease. `attempt` is 1 at the first try. */
export interface ClaimedNotification extends NotificationRef {
  url: string;
  body: string;
  attempt: number;
}

/** What became of one attempt. `reply` is at most its first KiB; times are Unix milliseconds. */
export interface AttemptResult {
  startedAt: number;
  durationMs: number;
  address: string | null;
  httpStatus: number | null;
  reply: string | null;
  error: string | null;
  acknowledged: boolean;
  /** How long the endpoint asked us to wait, at most an hour. */
  retryAfterMs?: number;
}

const longestRetryAfter = 3_600_000;
const replyLimit = 1024;

/** Takes a notification that is due; null if it is not, or somebody else has it. */
export async function claimNotification(domain: Domain, ref: NotificationRef): Promise<ClaimedNotification | null> {
  const { rows } = await domain.database.pool.query<ClaimedNotification>({
    name: 'claim-notification',
    text: claimSql,
    values: [ref.merchantId, ref.orderNo, ref.status, workLease],
  });
  return rows[0] ?? null;
}

/** Records an attempt and what follows from it: delivered, another attempt later, or after the last one exhausted (decisions 7.5). */
export async function recordAttempt(
  domain: Domain,
  claimed: ClaimedNotification,
  result: AttemptResult,
): Promise<'delivered' | 'retry' | 'exhausted'> {
  const state = result.acknowledged
    ? 'delivered'
    : claimed.attempt > notificationWaits.length
      ? 'exhausted'
      : 'pending';
  const wait = Math.round(jittered(notificationWaits[claimed.attempt - 1] ?? 0, Math.random()) * domain.scheduleScale);
  const asked = Math.min(result.retryAfterMs ?? 0, longestRetryAfter);
  await domain.database.pool.query({
    name: 'record-attempt',
    text: recordSql,
    values: [
      claimed.merchantId,
      claimed.orderNo,
      claimed.status,
      claimed.attempt,
      result.startedAt,
      result.durationMs,
      result.address,
      result.httpStatus,
      result.reply && inBrief(result.reply, replyLimit),
      result.error && inBrief(result.error, replyLimit),
      state,
      state === 'pending' ? Math.max(wait, asked) : null,
    ],
  });
  return state === 'pending' ? 'retry' : state;
}

// Columns hold whole milliseconds, so the clock is rounded like them: what is due now is due now, not half a millisecond later.
const claimSql = `update notification set attempt = attempt + 1, next_attempt_at = clock_timestamp() + $4 * interval '1 ms'
  where merchant_id = $1 and order_no = $2 and status = $3 and state = 'pending' and next_attempt_at <= clock_timestamp()::timestamptz(3)
  returning merchant_id as "merchantId", order_no as "orderNo", status, url, body, attempt`;

// An attempt whose lease ran out may come after a later one has settled it: then it is only recorded.
const recordSql = `with attempt as (
  insert into notification_attempt (merchant_id, order_no, status, attempt, started_at, duration_ms, address, http_status, reply, error)
  values ($1, $2, $3, $4, to_timestamp($5::float8 / 1000), $6, $7, $8, $9, $10) on conflict do nothing)
  update notification set state = $11, next_attempt_at = clock_timestamp() + $12::float8 * interval '1 ms',
    delivered_at = case when $11 = 'delivered' then clock_timestamp() end
  where merchant_id = $1 and order_no = $2 and status = $3 and (attempt = $4 or $11 = 'delivered') and state <> 'delivered'`;
