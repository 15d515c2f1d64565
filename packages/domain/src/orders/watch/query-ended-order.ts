import { type ChannelAccess, callChannel } from '../../channels/index.ts';
import { type EndedWatch, longestWatch, nextWatchAt, watchesOfUnknown, watchOf } from '../../core/ended-watch.ts';
import type { OrderRef } from '../../core/order.ts';
import type { OrderWork } from '../../core/queued-work.ts';
import { isAnswer } from '../../core/routing-health.ts';
import { callDeadline, type TimeScale, workLease } from '../../core/schedule.ts';
import type { Telemetry } from '../../core/telemetry.ts';
import type { DatabaseAccess } from '../../database/database.ts';
import type { LedgerAccess } from '../../ledger/index.ts';
import { orderOf } from '../order-of.ts';
import type { WorkOutcome } from '../work-on-order.ts';
import { claimWatchStatement, dueWatchesStatement, endWatchStatement, postponeWatchStatement } from './queries.ts';

/** Ended orders that are due to be queried: at most `limit` of each channel, the longest due first. */
export async function dueWatches({ database }: DatabaseAccess, limit: number): Promise<OrderWork[]> {
  const { rows } = await database.pool.query<Omit<OrderWork, 'queue'>>({ ...dueWatchesStatement, values: [limit] });
  return rows.map((row): OrderWork => ({ ...row, queue: 'poll', isWatch: true }));
}

/**
 * The time since which the longest due ended order of each channel is due, in Unix ms. Channels without one are left
 * out.
 */
export async function longestDueWatches(domain: DatabaseAccess): Promise<{ channelId: string; dueAt: number }[]> {
  return (await dueWatches(domain, 1)).map(({ channelId, dueAt }) => ({ channelId, dueAt }));
}

/**
 * Queries the channel of an ended order. What the answer proves is booked as the same report by callback would be: late
 * money and a returned payout once, whichever comes first. An answer that says nothing new changes nothing. A channel
 * whose settings or adapter cannot be used now counts as one that did not answer.
 */
export async function queryEndedOrder(
  domain: LedgerAccess & ChannelAccess & DatabaseAccess & TimeScale & Telemetry,
  { merchantId, orderNo }: OrderRef,
): Promise<WorkOutcome> {
  const { pool } = domain.database;
  const { rows } = await pool.query<{ endedAt: number; now: number }>({
    ...claimWatchStatement,
    values: [merchantId, orderNo, workLease],
  });
  const [claimed] = rows;
  if (!claimed) return 'not_due';
  const ref = { merchantId, orderNo };
  const order = await orderOf(domain, ref);
  const watch = watchOf(await declaredBy(domain, order.channelId), order);
  if (!watch || claimed.now - claimed.endedAt > longestWatch([watch], domain.scheduleScale)) {
    await pool.query({ ...endWatchStatement, values: [merchantId, orderNo] });
    return 'done';
  }
  const answer = await callChannel(domain, order, 'query', AbortSignal.timeout(callDeadline));
  await domain.commit({ type: 'applyReport', ref, channelId: order.channelId, answer, during: 'query' });
  const { scheduleScale } = domain;
  const next = nextWatchAt(watch, { ...claimed, isAnswered: isAnswer(answer), scheduleScale });
  await (next === null
    ? pool.query({ ...endWatchStatement, values: [merchantId, orderNo] })
    : pool.query({ ...postponeWatchStatement, values: [merchantId, orderNo, next] }));
  return 'done';
}

/** The watches that the adapter of a channel declares, also if it cannot use the settings of the channel. */
async function declaredBy(domain: ChannelAccess, channelId: string): Promise<readonly EndedWatch[]> {
  const configured = await domain.channels(channelId);
  return configured ? (domain.adapters[configured.adapter]?.watchesEnded ?? []) : watchesOfUnknown;
}
