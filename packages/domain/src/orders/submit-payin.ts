import { type ChannelAccess, callChannel } from '../channels/index.ts';
import type { DirectoryAccess } from '../configuration/index.ts';
import type { Order } from '../core/order.ts';
import type { Rejection } from '../core/rejection.ts';
import type { Candidate } from '../core/routing.ts';
import { createDeadline } from '../core/schedule.ts';
import type { Telemetry } from '../core/telemetry.ts';
import type { LedgerAccess } from '../ledger/index.ts';
import { bookUnmatched } from './book-unmatched.ts';
import { orderOf } from './order-of.ts';

/**
 * Sends a payin to its channel and books the answer. Only after an outright refusal it goes to the next of
 * `fallbacks`. All within 8 s (decisions 5.3). Returns the order's current state, and the failure for the merchant.
 * That is null if the order was accepted, or if a callback was faster than the answer.
 */
export async function submitPayin(
  domain: LedgerAccess & ChannelAccess & DirectoryAccess & Telemetry,
  placed: Order,
  fallbacks: readonly Candidate[],
): Promise<{ order: Order; rejection: Rejection | null }> {
  const deadline = AbortSignal.timeout(createDeadline);
  const endsAt = performance.now() + createDeadline;
  let order = placed;
  for (const next of [...fallbacks, null]) {
    const answer = await callChannel(domain, order, 'create', deadline, endsAt);
    const ref = { merchantId: order.merchantId, orderNo: order.orderNo };
    if (answer.outcome === 'refused' && next) {
      const { channelId, channelBankCode } = next;
      const moved = await domain.commit({
        type: 'reroute',
        ref,
        fromChannelId: order.channelId,
        toChannelId: channelId,
        toChannelBankCode: channelBankCode,
        reason: answer.reason,
      });
      // A callback may have moved the order meanwhile; then it stays where it is.
      if (!moved.ok) return { order: await orderOf(domain, ref), rejection: null };
      order = moved.order ?? order;
      continue;
    }
    const applied = await domain.commit({
      type: 'applyReport',
      ref,
      channelId: order.channelId,
      answer,
      during: 'create',
    });
    if (!applied.ok && 'payments' in answer) await bookUnmatched(domain, order.channelId, { ...order, answer });
    const after = (applied.ok && applied.order) || (await orderOf(domain, ref));
    return { order: after, rejection: rejectionOf(after, answer.outcome) };
  }
  return { order, rejection: null };
}

function rejectionOf(order: Order, outcome: string): Rejection | null {
  const ended = order.status === 'failed' || order.status === 'timeout' || order.status === 'cancelled';
  if (!ended) return null;
  if (outcome === 'refused' || outcome === 'failed') return 'upstream_rejected';
  return outcome === 'unknown' ? 'upstream_timeout' : null;
}
