import type { OrderRef } from '../core/order.ts';
import type { Payment } from '../core/payment.ts';
import type { Transition } from '../core/transitions.ts';
import type { DatabaseAccess } from '../database/database.ts';
import { paymentsOfOrderSql, transitionsOfOrderSql } from './queries.ts';

/** The history of an order: its changes of status and its payments, in their order. */
export async function readOrderHistory(
  domain: DatabaseAccess,
  { merchantId, orderNo }: OrderRef,
): Promise<{ transitions: Transition[]; payments: Payment[] }> {
  const { orm, pool } = domain.database;
  const [transitions, payments] = await Promise.all([
    pool.query<Transition>(transitionsOfOrderSql(orm), [merchantId, orderNo]),
    pool.query<Payment>(paymentsOfOrderSql(orm), [merchantId, orderNo]),
  ]);
  return { transitions: transitions.rows, payments: payments.rows };
}
