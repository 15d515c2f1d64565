import type { OrderRef } from '../core/order.ts';
import type { DatabaseAccess } from '../database/database.ts';
import { requireVisibleTransactions } from '../database/session-visibility.ts';

export interface TouchedOrders {
  refs: OrderRef[];
  /** Up to here, in Unix ms, every transition was seen; the next look begins with it. */
  until: number;
  /** Later transitions may not be visible yet. */
  isAll: boolean;
}

const limit = 4_000;

/** The orders with transitions from `from` on, the oldest first, some at a time. */
export async function touchedOrders(domain: DatabaseAccess, from: number): Promise<TouchedOrders> {
  const { pool } = domain.database;
  await requireVisibleTransactions(pool);
  const settled = (await pool.query<{ settled: number }>(settledSql)).rows[0]?.settled ?? from;
  const { rows } = await pool.query<OrderRef & { at: number }>(touchedSql, [from, settled, limit]);
  const last = rows.at(-1);
  const isAll = rows.length < limit;
  const refs = new Map(rows.map(({ merchantId, orderNo }) => [`${merchantId} ${orderNo}`, { merchantId, orderNo }]));
  return { refs: [...refs.values()], until: isAll || !last ? Math.max(from, settled) : last.at + 1, isAll };
}

/**
 * A transition's time is read while its transaction runs: none that is still to come has one before the begin of the oldest transaction
 * that runs now. Those that run for more than a minute do not write orders (database.ts ends them before); the whole run sees all.
 */
const settledSql = `select floor(extract(epoch from greatest(least(min(xact_start), clock_timestamp()), clock_timestamp() - interval '1 minute')) * 1000)::float8 - 1 as settled
  from pg_stat_activity where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`;

const touchedSql = `select merchant_id as "merchantId", order_no as "orderNo", round(extract(epoch from at) * 1000)::float8 as at
  from order_transition where at >= to_timestamp($1::float8 / 1000) and at < to_timestamp($2::float8 / 1000)
  order by order_transition.at fetch first $3 rows with ties`;
