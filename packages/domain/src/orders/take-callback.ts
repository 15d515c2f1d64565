import { type CallbackResult, type ChannelAccess, detailOf } from '../channels/index.ts';
import type { DirectoryAccess } from '../configuration/index.ts';
import { type ChannelPayment, problemOfAnswer } from '../core/channel-answer.ts';
import { platformMerchantOf } from '../core/country.ts';
import type { Order } from '../core/order.ts';
import type { Telemetry } from '../core/telemetry.ts';
import type { SpanFacts } from '../core/tracer.ts';
import { countries, currencyOf } from '../countries/index.ts';
import type { LedgerAccess } from '../ledger/index.ts';
import { findOrderByNumber } from './find-order.ts';

type CallbackReport = Extract<CallbackResult, { ok: true }>;

/**
 * Books a channel's callback. Resolves after it is in the ledger; a repeated callback changes nothing. Money for an
 * unknown order goes to the suspense of the country's platform tenant, with a case (decisions 5.5).
 */
export async function takeCallback(
  domain: LedgerAccess & ChannelAccess & DirectoryAccess & Telemetry,
  channelId: string,
  headers: Record<string, string | string[] | undefined>,
  body: Uint8Array,
): Promise<'taken' | 'unauthentic' | 'malformed' | 'unknown_channel'> {
  const startedAt = Date.now();
  const configured = await domain.channels(channelId);
  if (!configured) return 'unknown_channel';
  const callback = configured.channel.parseCallback(headers, body);
  if (!callback.ok) return callback.why;
  const { answer } = callback;
  if (problemOfAnswer(answer) !== null) return 'malformed';
  const { outcome } = answer;
  await book(domain, channelId, callback, startedAt);
  domain.observer.channelCall?.({ channelId, operation: 'callback', outcome, ms: Date.now() - startedAt });
  return 'taken';
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
