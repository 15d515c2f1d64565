import type { Country } from '../core/country.ts';
import type { OrderKind, OrderStatus } from '../core/order.ts';
import type { DatabaseAccess } from '../database/database.ts';

/** Since its creation an order is open for less than that, and for at least what the one before says. */
export type OpenAge = 'under_1m' | 'under_10m' | 'under_1h' | 'under_1d' | 'over_1d';

/** How many orders of one kind, country and age stand in one status that is not their last. */
export interface OpenOrders {
  kind: OrderKind;
  country: Country;
  status: OrderStatus;
  age: OpenAge;
  count: number;
}

/** Counts the orders that have not ended. Bounded: of payins and of payouts the oldest `limit` are looked at, by the two indexes that hold the open ones alone. */
export async function openOrderFigures(domain: DatabaseAccess, limit = 20_000): Promise<OpenOrders[]> {
  const { rows } = await domain.database.pool.query<OpenOrders>(openOrdersSql, [limit]);
  return rows;
}

const oldest = (kind: OrderKind, statuses: string): string => `(select kind, country, status, created_at from orders
    where kind = '${kind}' and status in ${statuses} order by created_at limit $1)`;

export const openOrdersSql = `
  select kind, country, status, case
      when age < interval '1 minute' then 'under_1m' when age < interval '10 minutes' then 'under_10m'
      when age < interval '1 hour' then 'under_1h' when age < interval '1 day' then 'under_1d' else 'over_1d' end as age,
    count(*)::integer as count
  from (select kind, country, status, (select clock_timestamp()) - created_at as age from (
    ${oldest('payin', `('created', 'processing', 'partial_paid')`)}
    union all ${oldest('payout', `('created', 'processing', 'market_available')`)}) o) o
  group by 1, 2, 3, 4`;
