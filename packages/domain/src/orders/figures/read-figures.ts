import type { Country, Currency } from '../../core/country.ts';
import type { OrderKind, OrderStatus } from '../../core/order.ts';
import type { Database } from '../../database/database.ts';
import type { Scope } from '../../lists/scope.ts';
import { collectValues } from '../../lists/values.ts';
import type { FiguresQuery } from './figures-query.ts';
import { durationOfBucket, figuresSql, progressSql } from './statements.ts';

/** What is said of one group of orders: null is a dimension that was not asked for. Amounts are decimal text in the group's currency. */
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
  /** Those that have ended, whichever way. */
  ended: number;
  completed: number;
  /** Completed of ended, 0 to 1; null where none has ended. */
  successRate: number | null;
  amount: string;
  completedAmount: string;
  /** The fees of the completed ones. */
  feeRevenue: string;
  /** Half of the completed ones, and 95 of 100, were completed within this time of their creation, give or take 5 %. */
  p50Ms: number | null;
  p95Ms: number | null;
}

export interface Figures {
  /** The time that is counted, as it was asked for, in Unix milliseconds: `to` is not in it any more. */
  from: number;
  to: number;
  groups: FigureGroup[];
  /** There are more groups than are given. */
  isCut: boolean;
}

const mostGroups = 5_000;

/**
 * Counts, sums and times of the orders created within a time, exact as of this moment but for the 5 % of the times: the roll-up's figures, what
 * ended since, what is open, and at the edges the orders themselves. By time, and within one by size; at most 5,000 groups.
 */
export async function readFigures(
  { database }: { database: Database },
  scope: Scope,
  query: FiguresQuery,
): Promise<Figures> {
  const { from, to } = query;
  return database.reading.onConnection(async (client) => {
    // One moment for both: what the roll-up does not hold is exactly what ended after its time.
    await client.query('begin isolation level repeatable read read only');
    const progress = await client.query<{ until: string }>(progressSql);
    const { values, add } = collectValues();
    const text = figuresSql(scope, query, progress.rows[0]?.until ?? '-infinity', mostGroups + 1, add);
    const { rows } = await client.query<GroupRow>(text, values);
    await client.query('rollback');
    return { from, to, groups: rows.slice(0, mostGroups).map(toGroup), isCut: rows.length > mostGroups };
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
