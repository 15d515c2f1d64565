import { type ChannelAccess, callChannel } from '../channels/index.ts';
import type { Decision } from '../core/operator.ts';
import type { Order, OrderRef } from '../core/order.ts';
import type { Result } from '../core/rejection.ts';
import { callDeadline } from '../core/schedule.ts';
import type { Telemetry } from '../core/telemetry.ts';
import type { LedgerAccess } from '../ledger/index.ts';
import { orderOf } from './order-of.ts';

/**
 * Cancels an order: at once if nothing was sent, otherwise only if its channel says that it is closed (decisions 5.2).
 * Any other answer of the channel is booked, and the order stays: not_cancellable. The attempt is recorded in any
 * case, because the channel was asked to cancel.
 */
export async function cancelOrder(
  domain: LedgerAccess & ChannelAccess & Telemetry,
  ref: OrderRef,
  by: Decision,
): Promise<Result<Order>> {
  const unsent = await domain.commit({ type: 'cancelOrder', ref, confirmedBy: 'nothing_sent', by });
  if (unsent.ok) return { ok: true, value: await orderOf(domain, ref) };
  if (unsent.rejection !== 'already_sent') return unsent;
  const order = await orderOf(domain, ref);
  const answer = await callChannel(domain, order, 'cancel', AbortSignal.timeout(callDeadline));
  if (answer.outcome !== 'closed') {
    await domain.commit({ type: 'applyReport', ref, channelId: order.channelId, answer, during: 'query' });
    await recordUnconfirmed(domain, ref, answer.outcome, by);
    return { ok: false, rejection: 'not_cancellable', detail: `the channel says ${answer.outcome}` };
  }
  // The version was checked before the channel was asked. Its callback may have changed the order meanwhile.
  const { expectedVersion: _, ...decided } = by;
  const cancelled = await domain.commit({ type: 'cancelOrder', ref, confirmedBy: 'channel', by: decided });
  if (cancelled.ok) return { ok: true, value: await orderOf(domain, ref) };
  // Money came in between: the order continues, although its channel has closed it.
  await recordUnconfirmed(domain, ref, answer.outcome, by);
  return cancelled;
}

async function recordUnconfirmed(
  domain: LedgerAccess,
  { merchantId, orderNo }: OrderRef,
  answer: string,
  by: Decision,
): Promise<void> {
  const { status } = await orderOf(domain, { merchantId, orderNo });
  const what = { change: 'cancelOrderUnconfirmed', subject: orderNo, after: { status, answer } };
  await domain.commit({ type: 'recordChange', merchantId, ...what, by });
}
