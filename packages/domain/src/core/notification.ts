import { readNotifyUrl } from './notify-url.ts';
import type { Order, OrderStatus } from './order.ts';
import type { Trigger } from './transitions.ts';

/**
 * Failure reasons for merchants and payers. A channel's own message is for operators only, because channels are hidden
 * from merchants.
 */
const failureReasons: Partial<Record<Trigger, string>> = {
  channel_refused: 'rejected by the payment channel',
  channel_failed: 'payment failed',
  channel_unanswered: 'the payment channel did not answer in time',
  unpaid: 'not paid in time',
};

export function failureReasonOf(trigger: Trigger): string | null {
  return failureReasons[trigger] ?? null;
}

/** Why an order ended without being completed, for operators: a payin that was paid in part was not paid in full. */
export function failureInWords({
  kind,
  failureReason,
  paidAmount,
}: Pick<Order, 'kind' | 'failureReason' | 'paidAmount'>): string | null {
  const isPartPaid = kind === 'payin' && paidAmount !== '0.00';
  return failureReason === failureReasons.unpaid && isPartPaid ? 'not paid in full in time' : failureReason;
}

export type NotificationState = 'pending' | 'delivered' | 'exhausted';

/** One message to a merchant that an order reached a status. The body never changes; each attempt signs it again. */
export interface Notification {
  readonly merchantId: string;
  readonly orderNo: string;
  readonly status: OrderStatus;
  readonly url: string;
  readonly body: string;
  readonly state: NotificationState;
  readonly attempt: number;
  readonly nextAttemptAt: number | null;
  readonly createdAt: number;
  readonly deliveredAt: number | null;
  /** The host, as `hostOf` returns it. */
  readonly host: string;
  /**
   * Why a due notification is off the schedule: the backlog of its host, the pause of its merchant, or an older
   * notification of its order.
   */
  readonly heldBy: 'host' | 'pause' | 'order' | null;
  /** The position of its status among the order's transitions: older ones are delivered first (decisions 7.3). */
  readonly seq: number;
  /** Resent after it was delivered or exhausted. Others do not wait for it. */
  readonly isRepeat: boolean;
  /** Attempts of earlier rounds: a resend begins another round of the schedule. */
  readonly earlierAttempts: number;
  /** The span that wrote it, as W3C traceparent; null without tracing. */
  readonly traceparent: string | null;
}

/** Host and port of a notification, e.g. `shop.test:443`; empty for a URL that may not be notified. */
export function hostOf(url: string): string {
  const read = readNotifyUrl(url);
  if (!read.ok) return '';
  return `${read.host.includes(':') ? `[${read.host}]` : read.host}:${read.port}`;
}

/** The notifications of a country, and their conditions (contract "Events"; decisions 7.1). */
export interface NotificationRule {
  statuses: readonly OrderStatus[];
  /** Fields of the body beyond those that every country sends. */
  extraFields: readonly ('currency' | 'countryCode' | 'failureReason')[];
}

/** The notification of the order's current status; null if the status has none. */
export function dueNotification(
  order: Order,
  rule: NotificationRule,
  { now, at, seq, traceparent }: { now: number; at: number; seq: number; traceparent: string | null },
): Notification | null {
  const { merchantId, orderNo, status, notifyUrl: url } = order;
  if (url === null || !rule.statuses.includes(status)) return null;
  return {
    merchantId,
    orderNo,
    status,
    url,
    body: notificationBody(order, rule),
    state: 'pending',
    attempt: 0,
    nextAttemptAt: now,
    createdAt: at,
    deliveredAt: null,
    host: hostOf(url),
    heldBy: null,
    seq,
    isRepeat: false,
    traceparent,
    earlierAttempts: 0,
  };
}

/** The body about the order's current status. `completedAt` is in Unix seconds, and only present when completed. */
export function notificationBody(order: Order, rule: NotificationRule): string {
  const extra = (field: NotificationRule['extraFields'][number]): boolean => rule.extraFields.includes(field);
  return JSON.stringify({
    orderType: order.kind,
    orderNo: order.orderNo,
    merchantOrderNo: order.merchantOrderNo,
    status: order.status,
    amount: order.amount,
    feeAmount: order.feeAmount,
    netAmount: order.netAmount,
    ...(extra('currency') && { currency: order.currency }),
    ...(extra('countryCode') && { countryCode: order.country }),
    ...(extra('failureReason') && order.failureReason !== null && { failureReason: order.failureReason }),
    ...(order.status === 'completed' &&
      order.completedAt !== null && { completedAt: Math.floor(order.completedAt / 1000) }),
  });
}
