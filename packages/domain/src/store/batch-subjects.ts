import type { Order } from '../core/order.ts';
import type { Payment } from '../core/payment.ts';

/** An order as a batch works on it, with what belongs to it. */
export interface Subject {
  order: Order | null;
  payments: Payment[];
  transitionCount: number;
  isNew: boolean;
  changed: boolean;
}

/** By what a batch finds things: of which merchant, and its number. */
export const key = (merchantId: string, no: string): string => `${merchantId} ${no}`;

export function nothing(): Subject {
  return { order: null, payments: [], transitionCount: 0, isNew: false, changed: false };
}

/** What was read of each order, by merchant and order number. */
export function subjectsOf(
  orders: readonly Order[],
  payments: readonly Payment[],
  counts: readonly { merchantId: string; orderNo: string; count: number }[],
): Map<string, Subject> {
  const subjects = new Map<string, Subject>();
  const subject = (merchantId: string, orderNo: string): Subject => {
    const found = subjects.get(key(merchantId, orderNo)) ?? nothing();
    subjects.set(key(merchantId, orderNo), found);
    return found;
  };
  for (const order of orders) subject(order.merchantId, order.orderNo).order = order;
  for (const payment of payments) subject(payment.merchantId, payment.orderNo).payments.push(payment);
  for (const row of counts) subject(row.merchantId, row.orderNo).transitionCount = row.count;
  return subjects;
}
