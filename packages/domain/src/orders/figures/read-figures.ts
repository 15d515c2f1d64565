import type { PoolClient } from 'pg';
import type { Country, Currency } from '../../core/country.ts';
import type { OrderKind, OrderStatus } from '../../core/order.ts';
import { beginSnapshot } from '../../database/begin.ts';
import type { Database } from '../../database/database.ts';
import { transact } from '../../database/transaction.ts';
import type { Scope } from '../../lists/scope.ts';
import { collectValues } from '../../lists/values.ts';
import { dimensions, type FiguresQuery } from './figures-query.ts';
import { figuresSpans } from './figures-spans.ts';
import { facetOf, figuresSql, type GroupedBy } from './queries.ts';
import { durationOfBucket, progressSql } from './roll-up/queries.ts';

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
  /** Also null if the order has no bank code. */
  bankCode: string | null;
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
  /** There are more groups than are returned. */
  isTruncated: boolean;
  /** False only for figures by bank or reason, while these are filled after an upgrade. */
  isComplete: boolean;
}

/** How many orders failed for one reason. */
export interface FailureFigure {
  status: OrderStatus;
  /** The trigger that ended the order, e.g. `channel_failed`, `unpaid`. */
  trigger: string;
  /** The channel's own message, without words that have numbers; null: none, or not asked for. */
  message: string | null;
  currency: Currency;
  orders: number;
  amount: string;
}

const maxGroups = 5_000;

/**
 * Counts, sums and completion times of the orders created within a range. All are exact as of now, except the times,
 * which are within 5 %. They come from the roll-ups, from orders ended since, from open orders, and within a quarter
 * hour of both ends from the orders themselves. Sorted by time, then by size; at most 5,000 groups.
 */
export async function readFigures(access: { database: Database }, scope: Scope, query: FiguresQuery): Promise<Figures> {
  const by = dimensions.filter((one) => query.by?.includes(one));
  const { rows, isComplete } = await readGroups<GroupRow>(access, scope, query, by, maxGroups + 1);
  return {
    from: query.from,
    to: query.to,
    isComplete,
    groups: rows.slice(0, maxGroups).map(toGroup),
    isTruncated: rows.length > maxGroups,
  };
}

/**
 * Why orders created within a range failed, timed out or were cancelled; the most frequent reasons first, at most
 * `limit`. `withMessages`: also by what the channel said.
 */
export async function readFailures(
  access: { database: Database },
  scope: Scope,
  query: Omit<FiguresQuery, 'by' | 'bankCodes' | 'withTimes'>,
  { withMessages, limit }: { withMessages: boolean; limit: number },
): Promise<FailureFigure[]> {
  const statuses = failed.filter((one) => query.statuses?.includes(one) ?? true);
  const by = ['status', withMessages ? 'reason' : 'trigger'] as const;
  const totalsQuery = { ...query, by: null, bankCodes: null, withTimes: false, statuses };
  const { rows } = await readGroups<FailureRow>(access, scope, totalsQuery, by, limit);
  return rows.map(({ status, reason, trigger = reason ?? '', currency, orders, amount }) => {
    const [cause = '', ...message] = trigger.split(' ');
    return { status, currency, orders, amount, trigger: cause, message: message.join(' ') || null };
  });
}

const failed = ['failed', 'timeout', 'cancelled'] as const;

interface FailureRow extends Pick<FailureFigure, 'status' | 'currency' | 'orders' | 'amount'> {
  trigger?: string;
  reason?: string;
}

async function readGroups<Row extends object>(
  { database }: { database: Database },
  scope: Scope,
  query: FiguresQuery,
  by: readonly GroupedBy[],
  limit: number,
): Promise<{ rows: Row[]; isComplete: boolean }> {
  const work = async (client: PoolClient) => {
    const progress = await client.query<{ orders: string; facets: string; isBehind: boolean }>(progressSql);
    const { orders = '-infinity', facets = '-infinity', isBehind = false } = progress.rows[0] ?? {};
    const isFaceted = facetOf(query, by) !== null;
    const spans = figuresSpans({ ...query, by: by.includes('time') ? ['time'] : null }, Date.now()).map((span) =>
      // This is used until the quarter hours are filled after an upgrade.
      isBehind && !isFaceted && span.source === 'quarter' ? { ...span, source: 'orders' as const } : span,
    );
    const { values, add } = collectValues();
    const until = { orders, facets: isBehind ? null : facets };
    const text = figuresSql(scope, { query, spans, by, until, limit }, add);
    const { rows } = await client.query<Row>(text, values);
    return { rows, isComplete: !(isFaceted && isBehind) };
  };
  // Both are read in one snapshot. So the orders that the roll-up does not have are exactly those that ended after its
  // time.
  return database.reading.onConnection((client) => transact(client, work, { begin: beginSnapshot }));
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
