import { truncateText } from '../core/channel-answer.ts';
import type { OrderStatus } from '../core/order.ts';
import { type TimeScale, waitAfterAttempt } from '../core/schedule.ts';
import type { DatabaseAccess } from '../database/database.ts';
import type { ClaimedRow, DeliveryAccess } from './deliveries.ts';
import { giveBackSql } from './queries.ts';

export interface NotificationRef {
  merchantId: string;
  orderNo: string;
  status: OrderStatus;
}

/**
 * A notification that this worker delivers, until the lease expires. `attempt` is 1 at the first try, and counts on
 * over all rounds.
 */
export interface ClaimedNotification extends NotificationRef {
  url: string;
  body: string;
  attempt: number;
}

/** A claimed notification with the host it goes to, and the number of attempts in earlier rounds. */
export interface NotificationClaim extends ClaimedNotification {
  host: string;
  earlierAttempts: number;
  /** The span that wrote the notification, as W3C traceparent; null without tracing. */
  traceparent: string | null;
}

/** The result of one attempt. `reply` is at most its first KiB; times are Unix milliseconds. */
export interface AttemptResult {
  startedAt: number;
  durationMs: number;
  address: string | null;
  httpStatus: number | null;
  reply: string | null;
  error: string | null;
  acknowledged: boolean;
  /** The endpoint's Retry-After, at most an hour. */
  retryAfterMs?: number;
}

const replyLimit = 1024;
const givenBackFor = 10_000;
/** The most notifications that leave the backlog for one claim. */
const maxPassedOver = 200;

/**
 * Claims a notification that is due. Null if it is not due, another worker has it, or an older one of its order comes
 * first. With `firstOnly` also null if it has an attempt: a job for a first attempt may come late, and retries have
 * their own queue. `paused` if its merchant's pause holds it from now on.
 */
export async function claimNotification(
  domain: DeliveryAccess,
  ref: NotificationRef,
  firstOnly = false,
): Promise<NotificationClaim | 'paused' | null> {
  return claimOf(await domain.deliveries.claim({ ...ref, firstOnly }));
}

/**
 * Claims the next notification in a merchant's backlog at a host: first attempts before all others, then by due time.
 * One that has to wait for an older one of its order leaves the backlog.
 */
export async function claimNextParked(
  domain: DeliveryAccess,
  backlog: { host: string; merchantId: string; firstOnly: boolean },
): Promise<NotificationClaim | 'paused' | null> {
  for (let looked = 0; looked < maxPassedOver; looked += 1) {
    const row = await domain.deliveries.claimNext(backlog);
    if (!row?.blocked) return claimOf(row);
  }
  return null;
}

/**
 * Moves a due notification from the schedule to its merchant's backlog at its host. False if it is not due, or already
 * there.
 */
export async function parkAtHost(domain: DeliveryAccess, ref: NotificationRef): Promise<boolean> {
  return domain.deliveries.wait(ref);
}

/**
 * Gives back a claim under which nothing was sent, for an internal reason. It costs no attempt, and is due again in 10
 * s.
 */
export async function giveBackClaim(domain: DatabaseAccess & TimeScale, claimed: NotificationClaim): Promise<void> {
  const { merchantId, orderNo, status, attempt } = claimed;
  await domain.database.pool.query(giveBackSql, [
    merchantId,
    orderNo,
    status,
    attempt,
    givenBackFor * domain.scheduleScale,
  ]);
}

/**
 * Records an attempt and its consequence: delivered, another attempt later, or exhausted after the last one (decisions
 * 7.5).
 */
export async function recordAttempt(
  domain: TimeScale & DeliveryAccess,
  claimed: NotificationClaim,
  result: AttemptResult,
): Promise<'delivered' | 'retry' | 'exhausted'> {
  const { merchantId, orderNo, status, attempt, earlierAttempts } = claimed;
  const { acknowledged, retryAfterMs = 0, reply, error, startedAt, durationMs, address, httpStatus } = result;
  const wait = acknowledged
    ? null
    : waitAfterAttempt(attempt - earlierAttempts, retryAfterMs, Math.random(), domain.scheduleScale);
  const state = acknowledged ? 'delivered' : wait === null ? 'exhausted' : 'pending';
  await domain.deliveries.record({
    merchantId,
    orderNo,
    status,
    attempt,
    startedAt,
    durationMs,
    address,
    httpStatus,
    state,
    wait,
    reply: reply && truncateText(reply, replyLimit),
    error: error && truncateText(error, replyLimit),
  });
  return state === 'pending' ? 'retry' : state;
}

function claimOf(row: ClaimedRow | null): NotificationClaim | 'paused' | null {
  if (!row || row.blocked) return null;
  if (row.paused) return 'paused';
  const { paused: _, blocked: __, ...claim } = row;
  return claim;
}
