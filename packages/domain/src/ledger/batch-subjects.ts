import type { Order } from '../core/order.ts';
import type { Payment } from '../core/payment.ts';

/** An order and the rows that belong to it, as a batch uses them. */
export interface Subject {
  readonly order: Order | null;
  readonly payments: readonly Payment[];
  readonly transitionCount: number;
  /** The actors who have claimed it. Read only for the orders of proofs. */
  readonly claimants: readonly string[];
  /** What the bank returned of it. Read only for the orders of credits. */
  readonly returned: string;
  readonly isNew: boolean;
  readonly changed: boolean;
}

/** The key of a row in a batch: its merchant and its number. */
export const key = (merchantId: string, no: string): string => `${merchantId} ${no}`;

export const bookingKey = (booking: { merchantId: string; bookingNo: string }): string =>
  `${booking.merchantId} booking ${booking.bookingNo}`;

export const nothing: Subject = {
  order: null,
  payments: [],
  transitionCount: 0,
  claimants: [],
  returned: '0.00',
  isNew: false,
  changed: false,
};

/** The rows read for each order, by merchant and order number. */
export function subjectsOf(
  orders: readonly Order[],
  payments: readonly Payment[],
  counts: readonly { merchantId: string; orderNo: string; count: number }[],
  claims: readonly { merchantId: string; orderNo: string; actor: string }[],
  returns: readonly { merchantId: string; orderNo: string; amount: string }[],
): Map<string, Subject> {
  const subjects = new Map<string, Subject>();
  const add = (subject: string, more: Partial<Subject>): void => {
    subjects.set(subject, { ...(subjects.get(subject) ?? nothing), ...more });
  };
  for (const order of orders) add(key(order.merchantId, order.orderNo), { order });
  for (const [subject, its] of Map.groupBy(payments, (one) => key(one.merchantId, one.orderNo)))
    add(subject, { payments: its });
  for (const { merchantId, orderNo, count } of counts) add(key(merchantId, orderNo), { transitionCount: count });
  for (const [subject, its] of Map.groupBy(claims, (one) => key(one.merchantId, one.orderNo)))
    add(subject, { claimants: its.map(({ actor }) => actor) });
  for (const { merchantId, orderNo, amount } of returns) add(key(merchantId, orderNo), { returned: amount });
  return subjects;
}
