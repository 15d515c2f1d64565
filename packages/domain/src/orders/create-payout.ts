import type { ChannelAccess, RoutingAccess } from '../channels/index.ts';
import type { MerchantProfile } from '../configuration/index.ts';
import type { Order } from '../core/order.ts';
import type { Result } from '../core/rejection.ts';
import type { PayoutRequest } from '../countries/definition.ts';
import type { LedgerAccess, OrderReadAccess } from '../ledger/index.ts';
import { orderOf } from './order-of.ts';
import { type PlannedOrder, planOrder, standingsOf } from './plan-order.ts';
import { type RefusedOrder, refuseDuplicate } from './refuse-duplicate.ts';

/** The merchant learns that its payouts are stopped, and not why (ADR 0034). */
const stopped = { ok: false, rejection: 'operation_not_available', detail: 'payouts are stopped' } as const;

/**
 * Creates a payout: prices it, routes it, and writes it to the ledger with its net amount frozen, in one commit. The
 * worker does the rest. Health of channels counts only here: the channel never changes afterwards (decisions 5.4). Refusals: operation_not_available, amount_out_of_range, bank_mapping_not_found,
 * no_channel_available, merchant_order_no_exists, balance_insufficient. None of them changes anything.
 */
export async function createPayout(
  domain: LedgerAccess & OrderReadAccess & RoutingAccess & Pick<ChannelAccess, 'channelStandings'>,
  merchant: MerchantProfile,
  request: PayoutRequest,
): Promise<Result<Order>> {
  const routing = await domain.channelRouting.view();
  const planned = planOrder('payout', merchant, request, routing, await standingsOf(domain, merchant));
  if (!planned.ok) return planned;
  const { order, fees } = planned.value;
  const placed = await domain.commit({ type: 'createPayout', order, ...(fees && { fees }) });
  if (!placed.ok) return refusalOf(domain, planned.value, placed);
  routing.chose(order.channelId);
  return { ok: true, value: placed.order ?? (await orderOf(domain, order)) };
}

async function refusalOf(domain: OrderReadAccess, planned: PlannedOrder, refused: RefusedOrder): Promise<RefusedOrder> {
  if (refused.rejection === 'merchant_order_no_exists') return refuseDuplicate(domain, planned);
  return refused.rejection === 'payouts_stopped' ? stopped : refused;
}
