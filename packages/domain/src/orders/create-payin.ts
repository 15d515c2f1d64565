import type { ChannelAccess, RoutingView } from '../channels/index.ts';
import type { DirectoryAccess, MerchantProfile } from '../configuration/index.ts';
import type { Order } from '../core/order.ts';
import type { Result } from '../core/rejection.ts';
import { workLease } from '../core/schedule.ts';
import type { Telemetry } from '../core/telemetry.ts';
import type { PayinRequest } from '../countries/definition.ts';
import { countryRules } from '../countries/index.ts';
import type { LedgerAccess } from '../ledger/index.ts';
import { orderOf } from './order-of.ts';
import { type PlannedOrder, planOrder } from './plan-order.ts';
import { submitPayin } from './submit-payin.ts';

/** How long a payin may stay unpaid if its channel has no limit of its own (decisions 5.6). */
const defaultExpirySeconds = 1800;

/**
 * Creates a payin: prices it, routes it by the health of its channels and writes it to the ledger. If its country says so, it is submitted before
 * the answer. A channel at this process's limit of payins in flight is passed over, so that a channel that hangs does
 * not use up the process. Refusals: operation_not_available, amount_out_of_range, no_channel_available,
 * merchant_order_no_exists. With the order in the ledger: upstream_rejected and upstream_timeout (decisions 5.2, 5.3),
 * whose detail is the order's number.
 */
export async function createPayin(
  domain: LedgerAccess & ChannelAccess & DirectoryAccess & Telemetry,
  merchant: MerchantProfile,
  request: PayinRequest,
): Promise<Result<Order>> {
  const isInRequest = countryRules[merchant.country].payin.submittedBy === 'request';
  const hasRoom = isInRequest ? domain.createSlots.hasRoom : undefined;
  const routing = await domain.channelRouting.view();
  const planned = planOrder('payin', merchant, request, routing, hasRoom);
  if (!planned.ok) return planned;
  const { order } = planned.value;
  if (!isInRequest || order.mode !== 'upstream') return placePayin(domain, planned.value, routing, false);
  const freeSlot = domain.createSlots.take(order.channelId);
  if (!freeSlot) return { ok: false, rejection: 'no_channel_available' };
  try {
    return await placePayin(domain, planned.value, routing, true);
  } finally {
    freeSlot();
  }
}

async function placePayin(
  domain: LedgerAccess & ChannelAccess & DirectoryAccess & Telemetry,
  { order, fees, candidates }: PlannedOrder,
  routing: RoutingView,
  inRequest: boolean,
): Promise<Result<Order>> {
  const channel = await domain.channels(order.channelId);
  const placed = await domain.commit({
    type: 'createPayin',
    order,
    ...(fees && { fees }),
    // If this process dies before the channel's answer is in the ledger, the worker takes over after the lease.
    submitAfter: inRequest ? workLease : 0,
    expiresIn: (channel?.payinExpirySeconds ?? defaultExpirySeconds) * 1000,
  });
  if (!placed.ok) return placed;
  routing.chose(order.channelId);
  const inLedger = placed.order ?? (await orderOf(domain, order));
  if (!inRequest) return { ok: true, value: inLedger };
  // A manual route has no channel to submit to. An order that all other channels refused has failed.
  const fallbacks = candidates.slice(1).filter(({ mode }) => mode === 'upstream');
  const submitted = await submitPayin(domain, inLedger, fallbacks);
  if (submitted.rejection) return { ok: false, rejection: submitted.rejection, detail: submitted.order.orderNo };
  return { ok: true, value: submitted.order };
}
