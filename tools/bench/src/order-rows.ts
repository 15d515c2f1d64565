import type { OrderKind } from '@tidegate/domain';
import type pg from 'pg';

/** The rows that creating an order writes, by table. Each row maps a column to its JSON value. */
export type OrderRows = Partial<Record<OrderTable, Record<string, unknown>[]>>;
export type OrderTable = 'orders' | 'order_transition' | 'wallet_entry' | 'transfer' | 'ledger_batch';

/** The tables in the order in which they are written, before the wallet. A payin moves no money before it is paid. */
export const orderTables: Readonly<Record<OrderKind, readonly OrderTable[]>> = {
  payout: ['ledger_batch', 'wallet_entry', 'transfer', 'orders', 'order_transition'],
  payin: ['ledger_batch', 'orders', 'order_transition'],
};

/** Reads the rows of the newest order of this kind. */
export async function newestOrderRows(pool: pg.Pool, kind: OrderKind): Promise<OrderRows> {
  const { rows } = await pool.query<{ merchantId: string; orderNo: string }>(
    `select merchant_id as "merchantId", order_no as "orderNo" from orders where kind = $1 order by created_at desc, order_no desc limit 1`,
    [kind],
  );
  const [order] = rows;
  if (!order) throw new Error('no order was written');
  const read = async (table: OrderTable): Promise<Record<string, unknown>[]> => {
    const isOfOrder =
      table === 'ledger_batch'
        ? 'batch_no = (select batch_no from orders where merchant_id = $1 and order_no = $2)'
        : 'order_no = $2';
    const found = await pool.query<{ row: Record<string, unknown> }>(
      `select row_to_json(t) as row from ${table} t where merchant_id = $1 and ${isOfOrder} order by row_to_json(t)::text`,
      [order.merchantId, order.orderNo],
    );
    return found.rows.map(({ row }) => row);
  };
  const all = await Promise.all(orderTables[kind].map(async (table) => [table, await read(table)] as const));
  return Object.fromEntries(all);
}
