import type { Payment } from '../../core/payment.ts';
import { PaymentRow } from '../../database/entities/order.ts';
import { orderKeyOf, orderKeys } from './order.ts';
import { byOrder, type ColumnsOf, insertMany, selectList } from './queries.ts';
import { key, type LedgerRecord, readByKeys } from './record.ts';

function queries(columns: ColumnsOf) {
  const all = columns(PaymentRow);
  return {
    paymentsByOrder: { name: 'payments-by-order', text: `select ${selectList(all)} from payment t ${byOrder}` },
    insertPayments: insertMany('payment', all),
  };
}

/** What channels reported as moved, by order. Each payment is booked once. */
export const payments = {
  queries,
  async load({ client, sql }, commands) {
    const found = await readByKeys<Payment>(client, sql.paymentsByOrder, orderKeys(commands));
    return Map.groupBy(found, (one) => key(one.merchantId, one.orderNo));
  },
  state: (known, command) => ({ payments: known.get(orderKeyOf(command) ?? '') ?? [] }),
  keep(known, command, { state }) {
    const at = orderKeyOf(command);
    if (at !== null) known.set(at, state.payments);
  },
  added: { 'payment recorded': ({ payment }) => payment },
} satisfies LedgerRecord<readonly Payment[], ReturnType<typeof queries>>;
