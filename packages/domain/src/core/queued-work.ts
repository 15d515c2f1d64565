import type { NextAction, OrderStatus } from './order.ts';

/** Work that is due, by the ids of the row that says so. The row is the truth; this only wakes somebody to look at it. */
export type Work = OrderWork | NotificationWork;

export interface OrderWork {
  queue: NextAction;
  merchantId: string;
  orderNo: string;
  /** The channel that is to be asked, so that channels can share the workers. */
  channelId: string;
  dueAt: number;
  /** The span that it goes on with, as W3C traceparent; left out where nothing is traced. */
  traceparent?: string;
}

/** A notification's first attempt, or in a queue of their own the later ones. `host` is where it goes, so that its turn there can be asked for. */
export interface NotificationWork {
  queue: 'notify' | 'retry';
  merchantId: string;
  orderNo: string;
  status: OrderStatus;
  host: string;
  dueAt: number;
  /** As of an order's work. */
  traceparent?: string;
}

/** Queues of work; `dispatch` and `audit` are the worker's own, for finding what is due, and what is wrong. */
export const queueNames = ['submit', 'poll', 'expire', 'notify', 'retry', 'dispatch', 'audit'] as const;

/**
 * The same piece of work has the same id, so that it waits in its queue once. Holds no ':' and is never all digits,
 * as BullMQ asks; the due time is in it, since the next try of an order is another piece of work.
 */
export function jobIdOf(work: Work): string {
  const what = 'status' in work ? `${work.queue}-${work.status}` : work.queue;
  return `${work.orderNo}-${what}-${work.dueAt}`;
}

/**
 * Wakes the workers after a commit. Must neither throw nor wait: `dispatch` finds the work of a wake-up that is lost.
 */
export type WakeUp = (work: Work[]) => void;
