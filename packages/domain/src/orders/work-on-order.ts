import { type ChannelAccess, callChannel, type RoutingAccess, takeTurn } from '../channels/index.ts';
import type { DirectoryAccess } from '../configuration/index.ts';
import type { ChannelAnswer } from '../core/channel-answer.ts';
import { Money } from '../core/money.ts';
import type { NextAction, Order, OrderRef } from '../core/order.ts';
import { isPayoutNo } from '../core/order-number.ts';
import { type Candidate, routesFor } from '../core/routing.ts';
import { callDeadline, submitTurnDeadline, workLease } from '../core/schedule.ts';
import type { Telemetry } from '../core/telemetry.ts';
import { claimInTime, type LedgerAccess } from '../ledger/index.ts';
import { orderOf } from './order-of.ts';
import { submitPayin } from './submit-payin.ts';
import { submitPayout } from './submit-payout.ts';

/**
 * The result of a worker's try. `not_due`: another worker has it, or it is no longer due. `no_turn`: its channel may not
 * be called yet; it stays due.
 */
export type WorkOutcome = 'done' | 'not_due' | 'no_turn';

/**
 * Submits an order that was not submitted, or whose submitter died. It is not claimed before its channel may be called:
 * until then it waits in the schedule, and nothing about it changes.
 */
export async function submitOrder(
  domain: LedgerAccess & ChannelAccess & DirectoryAccess & Telemetry,
  { merchantId, orderNo, channelId }: OrderRef & { channelId: string },
): Promise<WorkOutcome> {
  const ref = { merchantId, orderNo };
  const asking = { owner: ref.merchantId, maxWaitMs: submitTurnDeadline, isPatient: true } as const;
  const entered = await takeTurn(domain, channelId, { ...asking, priority: priorityOf(ref) });
  if (!entered.ok) return 'no_turn';
  try {
    const order = await claim(domain, ref, 'submit');
    if (!order) return 'not_due';
    if (order.kind === 'payout') await submitPayout(domain, order, entered.value);
    else await submitPayin(domain, order, await fallbacksOf(domain, order), entered.value);
    return 'done';
  } finally {
    entered.value.leave();
  }
}

function priorityOf({ orderNo }: OrderRef): 'payout' | 'create' {
  return isPayoutNo(orderNo) ? 'payout' : 'create';
}

/** Calls an order's channel for processes that cannot, and answers them. The schedule of the order stays as it is. */
export async function answerQuestions(
  domain: LedgerAccess & ChannelAccess & Telemetry,
  ref: OrderRef,
): Promise<WorkOutcome> {
  const answered = await domain.questions.answer(ref, async ({ operation, channelId, channelRef }) => {
    const order = { ...(await orderOf(domain, ref)), channelId, channelRef };
    return callChannel(domain, order, operation, AbortSignal.timeout(callDeadline));
  });
  return answered > 0 ? 'done' : 'not_due';
}

/** Queries an order's channel. */
export async function pollOrder(domain: LedgerAccess & ChannelAccess & Telemetry, ref: OrderRef): Promise<WorkOutcome> {
  const order = await claim(domain, ref, 'poll');
  if (!order) return 'not_due';
  await report(domain, order, await callChannel(domain, order, 'query', AbortSignal.timeout(callDeadline)), 'query');
  return 'done';
}

/** Ends an expired payin after a query to its channel. If it is still open there, it is closed there first. */
export async function expireOrder(
  domain: LedgerAccess & ChannelAccess & Telemetry,
  ref: OrderRef,
): Promise<WorkOutcome> {
  const order = await claim(domain, ref, 'expire');
  if (!order) return 'not_due';
  if (order.mode !== 'upstream') return endOnItsOwn(domain, order);
  const signal = AbortSignal.timeout(callDeadline);
  const answer = await callChannel(domain, order, 'query', signal);
  const open = answer.outcome === 'accepted' || answer.outcome === 'part_paid';
  await report(domain, order, open ? await callChannel(domain, order, 'cancel', signal) : answer, 'expiry');
  return 'done';
}

async function claim(domain: LedgerAccess, ref: OrderRef, action: NextAction): Promise<Order | null> {
  const claimed = await claimInTime(() => domain.commit({ type: 'claimWork', ref, action, lease: workLease }));
  return claimed.ok ? claimed.order : null;
}

async function report(
  domain: LedgerAccess,
  order: Order,
  answer: ChannelAnswer,
  during: 'query' | 'expiry',
): Promise<void> {
  const ref = { merchantId: order.merchantId, orderNo: order.orderNo };
  await domain.commit({ type: 'applyReport', ref, channelId: order.channelId, answer, during });
}

/** The merchant's other routes for such an order, in case its channel refuses it. */
async function fallbacksOf(domain: DirectoryAccess & RoutingAccess, order: Order): Promise<Candidate[]> {
  const merchant = await domain.directory.merchant(order.merchantId);
  if (!merchant) return [];
  const request = {
    kind: order.kind,
    bankCode: order.bankCode,
    amount: Money.of(order.amount, order.currency),
    mappingRequired: false,
  };
  const { healthOf } = await domain.channelRouting.view();
  const routing = routesFor(merchant.routes, merchant.mappings, request, Math.random, healthOf);
  return routing.ok
    ? routing.candidates.filter((candidate) => candidate.channelId !== order.channelId && candidate.mode === 'upstream')
    : [];
}

/** Orders without a channel: an expired claim on the task market, or an order that waited for an operator. */
async function endOnItsOwn(domain: LedgerAccess, order: Order): Promise<WorkOutcome> {
  const ref = { merchantId: order.merchantId, orderNo: order.orderNo };
  if (order.kind === 'payout') await domain.commit({ type: 'endClaim', ref, by: null });
  else await report(domain, order, { outcome: 'timed_out', reason: 'no funds were confirmed in time' }, 'expiry');
  return 'done';
}
