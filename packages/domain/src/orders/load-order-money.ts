import type { Order, OrderRef } from '../core/order.ts';
import {
  type CaseOfPayment,
  type CaseSum,
  type OrderMoneyReport,
  outcomeOfPayment,
  type PaymentOutcome,
  type PaymentSum,
  reportOrderMoney,
} from '../core/order-money.ts';
import type { Payment } from '../core/payment.ts';
import type { Database } from '../database/database.ts';
import { type Scope, withinScope } from '../lists/scope.ts';
import { collectValues } from '../lists/values.ts';
import { orderMoneySql, outcomesSql } from './queries.ts';

type Facts = Parameters<typeof reportOrderMoney>[0] & { place: number; payments: PaymentSum[]; cases: CaseSum[] };

/** Where the money of each order is, in the order of the keys; null for one that does not exist or is out of scope. */
export async function loadOrderMoney(
  { database }: { database: Database },
  scope: Scope,
  refs: readonly OrderRef[],
): Promise<(OrderMoneyReport | null)[]> {
  if (refs.length === 0) return [];
  const { values, add } = collectValues();
  const keys = [add(refs.map(({ merchantId }) => merchantId)), add(refs.map(({ orderNo }) => orderNo))] as const;
  const text = orderMoneySql(keys, withinScope(scope, 't.merchant_id', add));
  const { rows } = await database.reading.query<Facts>(text, values);
  const found = new Array<OrderMoneyReport | null>(refs.length).fill(null);
  const now = Date.now();
  for (const { place, payments, cases, ...order } of rows)
    found[place - 1] = reportOrderMoney(order, payments, cases, now);
  return found;
}

/** A payment whose outcome is asked for. */
export type PaymentRef = Pick<Payment, 'merchantId' | 'orderNo' | 'seq'>;

type Asked = Pick<Order, 'status' | 'currency'> & Pick<Payment, 'use' | 'amount' | 'reference'>;

/** What became of each payment, in the order of the keys; null for one that does not exist or is out of scope. */
export async function loadPaymentOutcomes(
  { database }: { database: Database },
  scope: Scope,
  refs: readonly PaymentRef[],
): Promise<(PaymentOutcome | null)[]> {
  if (refs.length === 0) return [];
  const { values, add } = collectValues();
  const keys = [
    add(refs.map(({ merchantId }) => merchantId)),
    add(refs.map(({ orderNo }) => orderNo)),
    add(refs.map(({ seq }) => seq)),
  ] as const;
  const text = outcomesSql(keys, withinScope(scope, 't.merchant_id', add));
  const { rows } = await database.reading.query<Asked & { place: number; cases: CaseOfPayment[] }>(text, values);
  const found = new Array<PaymentOutcome | null>(refs.length).fill(null);
  for (const { place, cases, ...one } of rows) found[place - 1] = outcomeOfPayment(one, one, cases);
  return found;
}
