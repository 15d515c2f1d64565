import type { Country } from '../../core/country.ts';
import type { OrderKind, OrderStatus } from '../../core/order.ts';
import type { DatabaseAccess } from '../../database/database.ts';
import { openOrdersSql } from './statements.ts';

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
