import { type ChannelAccess, callChannel } from '../channels/index.ts';
import type { Decision } from '../core/operator.ts';
import type { Order } from '../core/order.ts';
import type { Outcome, Refused } from '../core/rejection.ts';
import { callDeadline } from '../core/schedule.ts';
import type { Telemetry } from '../core/telemetry.ts';
import { versionOfOrder } from '../core/version.ts';
import type { LedgerAccess } from '../ledger/index.ts';
import { orderOf } from './order-of.ts';

/** Why an order's channel cannot be queried; null if it can. */
export function problemOfRefresh({ mode, nextAction }: Order): Refused | null {
  if (mode !== 'upstream') return { ok: false, rejection: 'operation_not_available' };
  return nextAction === 'submit' ? { ok: false, rejection: 'not_due', detail: 'it is still being submitted' } : null;
}

/**
 * Queries an order's channel now, independent of the schedule, and books the answer. Refusals: operation_not_available
 * if the order has no channel to query, not_due while the order is not submitted yet, version_outdated.
 */
export async function refreshOrder(
  domain: LedgerAccess & ChannelAccess & Telemetry,
  order: Order,
  by: Decision,
): Promise<Outcome<Order>> {
  const { merchantId, orderNo, channelId, status } = order;
  const problem = problemOfRefresh(order);
  if (problem) return problem;
  const { expectedVersion } = by;
  if (expectedVersion !== undefined && expectedVersion !== versionOfOrder(order))
    return { ok: false, rejection: 'version_outdated' };
  const ref = { merchantId, orderNo };
  const answer = await callChannel(domain, order, 'query', AbortSignal.timeout(callDeadline));
  await domain.commit({ type: 'applyReport', ref, channelId, answer, during: 'query' });
  const now = await orderOf(domain, ref);
  const reported = { before: { status }, after: { status: now.status, answer: answer.outcome } };
  await domain.commit({ type: 'recordChange', merchantId, change: 'refreshOrder', subject: orderNo, ...reported, by });
  return { ok: true, value: now };
}
