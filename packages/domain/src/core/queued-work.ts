import type { NextAction, OrderStatus } from './order.ts';

/** Due work, by the ids of its row. The row is the source of truth; a job only wakes a worker to look at it. */
export type Work = OrderWork | RefundWork | SettlementWork | NotificationWork;

export interface OrderWork {
  queue: NextAction;
  merchantId: string;
  orderNo: string;
  /** The channel to query, so that channels can share the workers. */
  channelId: string;
  /** The order has ended, and its channel is queried once more. */
  isWatch?: true;
  /** A process that cannot call the channel itself asks for a call. */
  isQuestion?: true;
  dueAt: number;
  /** The parent span, as W3C traceparent; left out without tracing. */
  traceparent?: string;
}

/** The next step of a refund: to send it, or to ask what became of it. */
export interface RefundWork {
  queue: 'refund';
  merchantId: string;
  caseNo: number;
  refundNo: string;
  /** The order number by which the channel knows the payment. */
  orderNo: string;
  /** The channel to call, so that channels can share the workers. */
  channelId: string;
  dueAt: number;
}

/** The next step of a settlement that a channel pays: to send it, or to ask what became of it. */
export interface SettlementWork {
  queue: 'settle';
  merchantId: string;
  /** Its number at the channel. */
  orderNo: string;
  /** The channel to call, so that channels can share the workers. */
  channelId: string;
  dueAt: number;
}

/**
 * An attempt to deliver a notification. Later attempts have their own queue. `host` is its target, for the delivery
 * slot.
 */
export interface NotificationWork {
  queue: 'notify' | 'retry';
  merchantId: string;
  orderNo: string;
  status: OrderStatus;
  host: string;
  dueAt: number;
  /** See the same field of an order's work. */
  traceparent?: string;
}

/**
 * The queues. The worker itself uses `dispatch`, `audit`, `reconcile`, `fetch`, `draft` and `export`, to find due work, violations,
 * statements, settlements that are due, and requested exports.
 */
export const queueNames = [
  ...(['submit', 'poll', 'expire', 'refund', 'settle', 'notify', 'retry', 'dispatch', 'audit'] as const),
  ...(['reconcile', 'fetch', 'draft', 'export'] as const),
] as const;

/**
 * The same piece of work has the same id, so that it is queued once. BullMQ allows no ':' and not only digits. The id
 * contains the due time, because the next try of an order is another job.
 */
export function jobIdOf(work: Work): string {
  if (work.queue === 'refund') return `${work.refundNo}-${work.dueAt}`;
  const ofOrder = 'isWatch' in work ? 'watch' : 'isQuestion' in work ? 'question' : work.queue;
  const what = 'status' in work ? `${work.queue}-${work.status}` : ofOrder;
  return `${work.orderNo}-${what}-${work.dueAt}`;
}

/**
 * Wakes the workers after a commit. Must neither throw nor wait: `dispatch` finds the work of a wake-up that is lost.
 */
export type WakeUp = (work: Work[]) => void;
