import type pg from 'pg';

/** The rows that a payout's creation writes, as the database has them: column → value, JSON. */
export type PayoutRows = Record<PayoutTable, Record<string, unknown>[]>;
export type PayoutTable = (typeof payoutTables)[number];

/** In the order in which they are written. */
export const payoutTables = ['orders', 'order_transition', 'wallet_entry', 'transfer'] as const;

/** Reads the rows of the order that was created last. */
export async function newestPayoutRows(pool: pg.Pool): Promise<PayoutRows> {
  const { rows } = await pool.query<{ merchantId: string; orderNo: string }>(
    'select merchant_id as "merchantId", order_no as "orderNo" from orders order by created_at desc, order_no desc limit 1',
  );
  const [order] = rows;
  if (!order) throw new Error('no order was written');
  const read = async (table: PayoutTable): Promise<Record<string, unknown>[]> => {
    const found = await pool.query<{ row: Record<string, unknown> }>(
      `select row_to_json(t) as row from ${table} t where merchant_id = $1 and order_no = $2 order by row_to_json(t)::text`,
      [order.merchantId, order.orderNo],
    );
    return found.rows.map(({ row }) => row);
  };
  const all = await Promise.all(payoutTables.map(async (table) => [table, await read(table)] as const));
  return Object.fromEntries(all) as PayoutRows;
}
