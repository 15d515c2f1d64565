import type { Country } from '../../core/country.ts';
import type { OrderKind, OrderStatus } from '../../core/order.ts';
import type { DatabaseAccess } from '../../database/database.ts';
import { openOrdersSql } from './queries.ts';

/** The age of an open order: less than the given time, and at least the time of the value before. */
export type OpenAge = 'under_1m' | 'under_10m' | 'under_1h' | 'under_1d' | 'over_1d';

/** How many open orders of one kind, country and age have this status. */
export interface OpenOrders {
  kind: OrderKind;
  country: Country;
  status: OrderStatus;
  age: OpenAge;
  count: number;
}

/**
 * Counts the open orders. Bounded: it looks at the oldest `limit` payins and payouts, by the two indexes of open
 * orders.
 */
export async function openOrderFigures(domain: DatabaseAccess, limit = 20_000): Promise<OpenOrders[]> {
  const { rows } = await domain.database.pool.query<OpenOrders>(openOrdersSql, [limit]);
  return rows;
}
