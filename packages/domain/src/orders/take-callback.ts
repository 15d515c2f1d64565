import {
  answerOfRecord,
  type CallbackReply,
  type CallbackResult,
  type ChannelAccess,
  callChannel,
} from '../channels/index.ts';
import type { DirectoryAccess } from '../configuration/index.ts';
import { isStorable, problemOfAnswer } from '../core/channel-answer.ts';
import type { Order } from '../core/order.ts';
import { isPaymentNo } from '../core/order-number.ts';
import { isAnswer } from '../core/routing-health.ts';
import type { Telemetry } from '../core/telemetry.ts';
import type { SpanFacts } from '../core/tracer.ts';
import type { DatabaseAccess } from '../database/database.ts';
import type { LedgerAccess, LedgerReadAccess } from '../ledger/index.ts';
import { bookUnmatched } from './book-unmatched.ts';
import { findOrderOfCallback } from './order-of-callback.ts';

type CallbackReport = Extract<CallbackResult, { type: 'report' }>;
type CallbackQuery = Extract<CallbackResult, { type: 'query' }>;
type Callbacks = LedgerAccess & LedgerReadAccess & DatabaseAccess & ChannelAccess & DirectoryAccess & Telemetry;

/** How long a channel may take to answer the query that its callback caused, in ms. Providers wait for 5 s. */
const queryDeadline = 4_000;

/**
 * - `taken`: the result is in the ledger, or the callback changes nothing. `reply`: how the provider wants to be
 *   answered; null: by `OK`.
 * - `not_now`: the callback asks to query the order, and the query had no answer. The provider repeats the callback.
 */
export type CallbackTaken =
  | { outcome: 'taken'; reply: CallbackReply | null }
  | { outcome: 'not_now' | 'unauthentic' | 'malformed' | 'unknown_channel' };

/**
 * Books a channel's callback. If it has a result, resolves after that is in the ledger. A repeated callback changes
 * nothing. Money for an unknown order goes to the suspense of the country's platform tenant, with a case (decisions
 * 5.5).
 */
export async function takeCallback(
  domain: Callbacks,
  channelId: string,
  headers: Record<string, string | string[] | undefined>,
  body: Uint8Array,
): Promise<CallbackTaken> {
  const startedAt = Date.now();
  const configured = await domain.channels(channelId);
  if (!configured) return { outcome: 'unknown_channel' };
  const callback = configured.channel.parseCallback(headers, body);
  if (callback.type === 'refused') {
    domain.observer.callbackUnusable?.({ channelId, reason: callback.why });
    return { outcome: callback.why };
  }
  const reply = callback.reply ?? null;
  if (callback.type !== 'nothing' && !(typeof callback.orderNo === 'string' && isStorable(callback.orderNo)))
    return { outcome: 'malformed' };
  // The payment of a settlement is queried by schedule, and its callbacks decide nothing.
  if (callback.type === 'nothing' || isPaymentNo(callback.orderNo)) return { outcome: 'taken', reply };
  if (callback.type === 'query')
    return (await queryNow(domain, channelId, callback)) ? { outcome: 'taken', reply } : { outcome: 'not_now' };
  const { answer } = callback;
  if (problemOfAnswer(answer) !== null) return { outcome: 'malformed' };
  await book(domain, channelId, callback, startedAt);
  domain.observer.channelCall?.({
    channelId,
    operation: 'callback',
    outcome: answer.outcome,
    ms: Date.now() - startedAt,
  });
  return { outcome: 'taken', reply };
}

/**
 * Queries the order that a callback names, and books the answer. False: there was no answer, or no room for a call. An
 * order that was rerouted is queried at its earlier channel as well: its payer may still have paid there.
 */
async function queryNow(domain: Callbacks, channelId: string, callback: CallbackQuery): Promise<boolean> {
  const { orderNo } = callback;
  const { place, order } = await findOrderOfCallback(domain, channelId, callback);
  if (place === 'nowhere' || place === 'elsewhere') {
    domain.log.warn({ channelId, orderNo: orderNo.slice(0, 40) }, 'a channel named an order that it does not have');
    domain.observer.callbackUnusable?.({ channelId, reason: 'unknown_order' });
    return true;
  }
  const queried = place === 'here' ? order : { ...order, channelId, channelRef: null };
  return (await domain.callbackQueries.run(channelId, queried, () => queryOrder(domain, queried))) ?? false;
}

async function queryOrder(domain: Callbacks, order: Order): Promise<boolean> {
  const { merchantId, orderNo, channelId, kind, currency } = order;
  const answer = await callChannel(domain, order, 'query', AbortSignal.timeout(queryDeadline));
  const ref = { merchantId, orderNo };
  const applied = await domain.commit({ type: 'applyReport', ref, channelId, answer, during: 'callback' });
  if (!applied.ok) await bookUnmatched(domain, channelId, { kind, orderNo, currency, answer });
  return isAnswer(answer);
}

/** Writes the report to the ledger of its order, or to suspense if it belongs to no order. */
async function book(domain: Callbacks, channelId: string, callback: CallbackReport, startedAt: number): Promise<void> {
  const { answer, orderNo } = callback;
  const { order } = await findOrderOfCallback(domain, channelId, callback);
  if (!order) {
    domain.observer.callbackUnusable?.({ channelId, reason: 'unknown_order' });
    return bookUnmatched(domain, channelId, callback);
  }
  const { merchantId } = order;
  const report = { type: 'applyReport', ref: { merchantId, orderNo }, channelId, answer, during: 'callback' } as const;
  // Also for an order at another channel: it may be rerouted to this one meanwhile. The ledger writer refuses the others.
  const applied = await domain.tracer.span(spanOf(domain, channelId, order), () => domain.commit(report));
  if (!applied.ok) return bookUnmatched(domain, channelId, callback);
  domain.callLog.add({
    merchantId,
    orderNo,
    channelId,
    operation: 'callback',
    startedAt,
    durationMs: Date.now() - startedAt,
    ...answerOfRecord(answer),
  });
}

/** A span in the order's trace. The channel's request has a trace of its own. */
function spanOf({ tracer }: Telemetry, channelId: string, { orderNo, traceparent }: Order): SpanFacts {
  const attributes = { 'tidegate.order_no': orderNo, 'tidegate.channel': channelId };
  return { name: 'callback', kind: 'consumer', under: traceparent, linkedTo: tracer.current(), attributes };
}
