import type { OrderRef } from '../core/order.ts';
import type { Payment } from '../core/payment.ts';
import type { Transition } from '../core/transitions.ts';
import { columnsOf } from '../database/columns.ts';
import type { DatabaseAccess } from '../database/database.ts';
import { OrderTransition, PaymentRow } from '../database/entities/order.ts';

/** All that became of an order: its changes of status, and what was paid for it, in their order. */
export async function readOrderHistory(
  domain: DatabaseAccess,
  { merchantId, orderNo }: OrderRef,
): Promise<{ transitions: Transition[]; payments: Payment[] }> {
  const { orm, pool } = domain.database;
  const of = 'where merchant_id = $1 and order_no = $2';
  const [transitions, payments] = await Promise.all([
    pool.query<Transition>(
      `select ${columnsOf(orm, OrderTransition)} from order_transition t ${of} order by seq limit 1000`,
      [merchantId, orderNo],
    ),
    pool.query<Payment>(
      `select ${columnsOf(orm, PaymentRow)} from payment t ${of} order by received_at, reference limit 1000`,
      [merchantId, orderNo],
    ),
  ]);
  return { transitions: transitions.rows, payments: payments.rows };
}
