import type { Country, Currency } from '../../core/country.ts';
import type { OrderKind, OrderStatus } from '../../core/order.ts';
import type { Database } from '../../database/database.ts';
import type { Scope } from '../../lists/scope.ts';
import { collectValues } from '../../lists/values.ts';
import type { FiguresQuery } from './figures-query.ts';
import { durationOfBucket, figuresSql, progressSql } from './statements.ts';

/**
 * The figures of one group of orders. Null: not grouped by this dimension. Amounts are decimal text in the group's
 * currency.
 */
export interface FigureGroup {
  /** The beginning of the zone's hour or day in which the orders were created, in Unix milliseconds. */
  startsAt: number | null;
  country: Country | null;
  channelId: string | null;
  merchantId: string | null;
  kind: OrderKind | null;
  status: OrderStatus | null;
  currency: Currency;
  orders: number;
  /** Orders with a final status. */
  ended: number;
  completed: number;
  /** Completed divided by ended, 0 to 1; null if none has ended. */
  successRate: number | null;
  amount: string;
  completedAmount: string;
  /** The fees of the completed orders. */
  feeRevenue: string;
  /** Median and 95th percentile of the time from creation to completion, within 5 %. */
  p50Ms: number | null;
  p95Ms: number | null;
}

export interface Figures {
  /** The requested time range in Unix milliseconds, without `to`. */
  from: number;
  to: number;
  groups: FigureGroup[];
  /** There are more groups than are given. */
  isTruncated: boolean;
}

const mostGroups = 5_000;

/**
 * Counts, sums and completion times of the orders created within a range. All are exact as of now, except the times,
 * which are within 5 %. They come from the roll-up, from orders ended since, from open orders, and at the edges from
 * the orders themselves. Sorted by time, then by size; at most 5,000 groups.
 */
export async function readFigures(
  { database }: { database: Database },
  scope: Scope,
  query: FiguresQuery,
): Promise<Figures> {
  const { from, to } = query;
  return database.reading.onConnection(async (client) => {
    // One snapshot for both: what the roll-up does not have is exactly what ended after its time.
    await client.query('begin isolation level repeatable read read only');
    const progress = await client.query<{ until: string }>(progressSql);
    const { values, add } = collectValues();
    const text = figuresSql(scope, query, progress.rows[0]?.until ?? '-infinity', mostGroups + 1, add);
    const { rows } = await client.query<GroupRow>(text, values);
    await client.query('rollback');
    return { from, to, groups: rows.slice(0, mostGroups).map(toGroup), isTruncated: rows.length > mostGroups };
  });
}

interface GroupRow extends Omit<FigureGroup, 'successRate' | 'p50Ms' | 'p95Ms'> {
  p50: number | null;
  p95: number | null;
}

function toGroup({ p50, p95, ...row }: GroupRow): FigureGroup {
  const { ended, completed } = row;
  return {
    ...row,
    successRate: ended === 0 ? null : completed / ended,
    p50Ms: p50 && durationOfBucket(p50),
    p95Ms: p95 && durationOfBucket(p95),
  };
}
