import { type ChannelAccess, type ChannelTurn, enterChannel, type RoutingView } from '../channels/index.ts';
import type { DirectoryAccess, MerchantProfile } from '../configuration/index.ts';
import type { Order } from '../core/order.ts';
import type { Result } from '../core/rejection.ts';
import type { Candidate } from '../core/routing.ts';
import { turnDeadline, workLease } from '../core/schedule.ts';
import type { Telemetry } from '../core/telemetry.ts';
import type { PayinRequest } from '../countries/definition.ts';
import { countryRules } from '../countries/index.ts';
import type { LedgerAccess, OrderReadAccess } from '../ledger/index.ts';
import { orderOf } from './order-of.ts';
import { type PlannedOrder, planOrder, standingsOf, withCandidate } from './plan-order.ts';
import { refuseDuplicate } from './refuse-duplicate.ts';
import { submitPayin } from './submit-payin.ts';

/** How long a payin may stay unpaid if its channel has no limit of its own (decisions 5.6). */
const defaultExpirySeconds = 1800;

type PayinAccess = LedgerAccess & ChannelAccess & DirectoryAccess & OrderReadAccess & Telemetry;

/**
 * Creates a payin: prices it, routes it by the health of its channels and writes it to the ledger. If its country says
 * so, it is submitted before the answer. Then it first takes a slot of its channel and a turn to call it, so that an
 * order that exists is sent. A channel whose slots or turns the merchant has used up is passed over. Refusals:
 * operation_not_available, amount_out_of_range, no_channel_available, merchant_order_no_exists, and too_many_requests
 * if no channel can be called for this merchant soon. With the order in the ledger: upstream_rejected and
 * upstream_timeout (decisions 5.2, 5.3), whose detail is the order's number.
 */
export async function createPayin(
  domain: PayinAccess,
  merchant: MerchantProfile,
  request: PayinRequest,
): Promise<Result<Order>> {
  const routing = await domain.channelRouting.view();
  const standings = await standingsOf(domain, merchant);
  const planned = planOrder('payin', merchant, request, routing, standings);
  if (!planned.ok) return planned;
  const isInRequest = countryRules[merchant.country].payin.submittedBy === 'request';
  if (!isInRequest) return placePayin(domain, planned.value, routing, null);
  const entered = await enterFirst(domain, planned.value);
  if (!entered.ok) return refuseBusy(domain, planned.value, entered.retryAfterMs);
  try {
    return await placePayin(domain, entered.planned, routing, entered.turn);
  } finally {
    entered.turn?.leave();
  }
}

/**
 * The first candidate that can be called now, or soon, and a turn for it. A manual route has no channel to call, so it
 * needs no turn.
 */
async function enterFirst(
  domain: ChannelAccess,
  planned: PlannedOrder,
): Promise<{ ok: true; planned: PlannedOrder; turn: ChannelTurn | null } | { ok: false; retryAfterMs: number }> {
  const until = performance.now() + turnDeadline;
  let retryAfterMs = Number.POSITIVE_INFINITY;
  for (const candidate of planned.candidates) {
    if (candidate.mode !== 'upstream') return { ok: true, planned: withCandidate(planned, candidate), turn: null };
    const maxWaitMs = until - performance.now();
    const asking = { owner: planned.order.merchantId, priority: 'create', maxWaitMs } as const;
    const entered = await enterChannel(domain, candidate.channelId, asking);
    if (entered.ok) return { ok: true, planned: withCandidate(planned, candidate), turn: entered.value };
    retryAfterMs = Math.min(retryAfterMs, entered.retryAfterMs);
  }
  return { ok: false, retryAfterMs };
}

/** A number that is used already is refused as such, however busy the channels are. */
async function refuseBusy(
  domain: OrderReadAccess,
  planned: PlannedOrder,
  retryAfterMs: number,
): Promise<Result<Order>> {
  const refused = await refuseDuplicate(domain, planned);
  return refused.detail === undefined ? { ok: false, rejection: 'too_many_requests', retryAfterMs } : refused;
}

/** `turn`: for a payin that is submitted now. */
async function placePayin(
  domain: PayinAccess,
  planned: PlannedOrder,
  routing: RoutingView,
  turn: ChannelTurn | null,
): Promise<Result<Order>> {
  const { order, fees, candidates } = planned;
  const channel = await domain.channels(order.channelId);
  const placed = await domain.commit({
    type: 'createPayin',
    order,
    ...(fees && { fees }),
    // If this process dies before the channel's answer is in the ledger, the worker takes over after the lease.
    submitAfter: turn ? workLease : 0,
    expiresIn: (channel?.payinExpirySeconds ?? defaultExpirySeconds) * 1000,
  });
  if (!placed.ok) return placed.rejection === 'merchant_order_no_exists' ? refuseDuplicate(domain, planned) : placed;
  routing.chose(order.channelId);
  const inLedger = placed.order ?? (await orderOf(domain, order));
  if (!turn) return { ok: true, value: inLedger };
  // A manual route has no channel to submit to. An order that all other channels refused has failed.
  const fallbacks: Candidate[] = candidates.slice(1).filter(({ mode }) => mode === 'upstream');
  const submitted = await submitPayin(domain, inLedger, fallbacks, turn);
  if (submitted.rejection) return { ok: false, rejection: submitted.rejection, detail: submitted.order.orderNo };
  return { ok: true, value: submitted.order };
}
