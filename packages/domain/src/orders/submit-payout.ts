import { type ChannelAccess, type ChannelTurn, callChannel } from '../channels/index.ts';
import type { Order } from '../core/order.ts';
import { createDeadline } from '../core/schedule.ts';
import type { Telemetry } from '../core/telemetry.ts';
import type { LedgerAccess } from '../ledger/index.ts';

/**
 * Sends a payout to its channel. The order number makes a repeat harmless. A refusal counts only if the channel also
 * says that it does not have the order: an earlier attempt without an answer may have been accepted. A payout is never
 * sent to another channel (decisions 5.4).
 */
export async function submitPayout(
  domain: LedgerAccess & ChannelAccess & Telemetry,
  order: Order,
  { turn }: ChannelTurn,
): Promise<void> {
  const deadline = AbortSignal.timeout(createDeadline);
  const create = { endsAt: performance.now() + createDeadline, turn };
  const answer = await callChannel(domain, order, 'create', deadline, create);
  const ref = { merchantId: order.merchantId, orderNo: order.orderNo };
  const { channelId } = order;
  if (answer.outcome !== 'refused') {
    await domain.commit({ type: 'applyReport', ref, channelId, answer, during: 'create' });
    return;
  }
  const confirmed = await callChannel(domain, order, 'query', AbortSignal.timeout(createDeadline));
  const isUnknownThere = confirmed.outcome === 'unknown' && confirmed.why === 'not_found';
  await domain.commit({
    type: 'applyReport',
    ref,
    channelId,
    answer: isUnknownThere ? answer : confirmed,
    during: 'query',
  });
}
