import {
  type CallbackReply,
  type CallbackResult,
  type ChannelAccess,
  callChannel,
  detailOf,
} from '../channels/index.ts';
import type { DirectoryAccess } from '../configuration/index.ts';
import { type ChannelPayment, problemOfAnswer } from '../core/channel-answer.ts';
import { platformMerchantOf } from '../core/country.ts';
import type { Order } from '../core/order.ts';
import type { Telemetry } from '../core/telemetry.ts';
import type { SpanFacts } from '../core/tracer.ts';
import { countries, currencyOf } from '../countries/index.ts';
import type { LedgerAccess } from '../ledger/index.ts';
import { findOrderByNumber } from './find-order.ts';

type CallbackReport = Extract<CallbackResult, { type: 'report' }>;

/** How long a channel may take to answer the query that its callback caused, in ms. Providers wait for 5 s. */
const queryDeadline = 4_000;

/**
 * - `taken`: the result is in the ledger. `reply`: how the provider wants to be answered.
 * - `not_now`: the callback asks to query the order, and the query had no answer. The provider repeats the callback.
 */
export type CallbackTaken =
  | { outcome: 'taken'; reply: CallbackReply | null }
  | { outcome: 'not_now' | 'unauthentic' | 'malformed' | 'unknown_channel' };

/**
 * Books a channel's callback. Resolves after it is in the ledger; a repeated callback changes nothing. Money for an
 * unknown order goes to the suspense of the country's platform tenant, with a case (decisions 5.5).
 */
export async function takeCallback(
  domain: LedgerAccess & ChannelAccess & DirectoryAccess & Telemetry,
  channelId: string,
  headers: Record<string, string | string[] | undefined>,
  body: Uint8Array,
): Promise<CallbackTaken> {
  const startedAt = Date.now();
  const configured = await domain.channels(channelId);
  if (!configured) return { outcome: 'unknown_channel' };
  const callback = configured.channel.parseCallback(headers, body);
  if (callback.type === 'refused') return { outcome: callback.why };
  const reply = callback.reply ?? null;
  if (callback.type === 'nothing') return { outcome: 'taken', reply };
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

/** Queries the order that a callback names, and books the answer. False: there was no answer, or no room for a call. */
async function queryNow(
  domain: LedgerAccess & ChannelAccess & DirectoryAccess & Telemetry,
  channelId: string,
  { kind, orderNo }: Extract<CallbackResult, { type: 'query' }>,
): Promise<boolean> {
  const order = await findOrderByNumber(domain, orderNo);
  if (!order || order.kind !== kind || order.channelId !== channelId) {
    domain.log.warn({ channelId, orderNo: orderNo.slice(0, 40) }, 'a channel named an order that it does not have');
    return true;
  }
  const freeSlot = domain.createSlots.take(channelId);
  if (!freeSlot) return false;
  try {
    const answer = await callChannel(domain, order, 'query', AbortSignal.timeout(queryDeadline));
    const ref = { merchantId: order.merchantId, orderNo };
    await domain.commit({ type: 'applyReport', ref, channelId, answer, during: 'callback' });
    return answer.outcome !== 'unknown';
  } finally {
    freeSlot();
  }
}

/** Writes the report to the ledger of its order, or to suspense if it belongs to no order. */
async function book(
  domain: LedgerAccess & ChannelAccess & DirectoryAccess & Telemetry,
  channelId: string,
  callback: CallbackReport,
  startedAt: number,
): Promise<void> {
  const { answer, orderNo } = callback;
  const order = await findOrderByNumber(domain, orderNo);
  if (!order || order.kind !== callback.kind || order.currency !== callback.currency) {
    return bookUnmatched(domain, channelId, callback);
  }
  const { merchantId } = order;
  const report = { type: 'applyReport', ref: { merchantId, orderNo }, channelId, answer, during: 'callback' } as const;
  // The order may belong to another channel, or be rerouted to it meanwhile.
  const applied = await domain.tracer.span(spanOf(domain, channelId, order), () => domain.commit(report));
  if (!applied.ok) {
    return bookUnmatched(domain, channelId, callback);
  }
  domain.callLog.add({
    merchantId,
    orderNo,
    channelId,
    operation: 'callback',
    startedAt,
    durationMs: Date.now() - startedAt,
    outcome: answer.outcome,
    detail: detailOf(answer),
  });
}

/** A span in the order's trace. The channel's request has a trace of its own. */
function spanOf({ tracer }: Telemetry, channelId: string, { orderNo, traceparent }: Order): SpanFacts {
  const attributes = { 'tidegate.order_no': orderNo, 'tidegate.channel': channelId };
  return { name: 'callback', kind: 'consumer', under: traceparent, linkedTo: tracer.current(), attributes };
}

async function bookUnmatched(
  domain: LedgerAccess & Telemetry,
  channelId: string,
  { kind, orderNo, currency, answer }: CallbackReport,
): Promise<void> {
  const payments = 'payments' in answer ? (answer.payments ?? []) : [];
  const movements: (ChannelPayment & { direction: 'in' | 'out' | 'back' })[] = payments.map((payment) => ({
    ...payment,
    direction: kind === 'payin' ? 'in' : 'out',
  }));
  if (answer.outcome === 'returned') movements.push({ ...answer.returned, direction: 'back' });
  const country = countries.find((c) => currencyOf[c] === currency);
  if (movements.length === 0 || !country) {
    domain.log.warn(
      { channelId, orderNo: orderNo.slice(0, 40), outcome: answer.outcome },
      'a channel told of an order that is not ours',
    );
    return;
  }
  for (const { reference, amount, direction } of movements) {
    await domain.commit({
      type: 'bookUnmatched',
      merchantId: platformMerchantOf(country),
      channelId,
      orderNo,
      reference,
      amount,
      direction,
    });
  }
}
