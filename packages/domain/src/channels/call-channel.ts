import { setTimeout as sleep } from 'node:timers/promises';
import { type ChannelAnswer, problemOfAnswer, truncateText } from '../core/channel-answer.ts';
import type { Order } from '../core/order.ts';
import { isAnswer, wasSent } from '../core/routing-health.ts';
import type { Telemetry } from '../core/telemetry.ts';
import { type CallContext, inCallContext } from './call-context.ts';
import type { ChannelCallRecord } from './call-log.ts';
import type { Channel, ChannelOrder, ChannelOrderRef } from './channel.ts';
import type { ChannelAccess, PublicAddress } from './channel-access.ts';

/** How long an adapter may take to answer after the signal, in ms. */
const adapterGrace = 250;

type Operation = 'create' | 'query' | 'cancel';

/** What a call needs of an order. The payment of a settlement has it too. */
export type CalledOrder = Pick<
  Order,
  | 'merchantId'
  | 'orderNo'
  | 'kind'
  | 'country'
  | 'currency'
  | 'amount'
  | 'channelId'
  | 'channelRef'
  | 'channelBankCode'
  | 'createdAt'
  | 'expiresAt'
> & { details: Pick<Order['details'], 'party'> };

/** For a create. */
export interface CreateCall {
  /** When the signal ends, by `performance.now()`. */
  endsAt: number;
  /** Its turn at the account. */
  turn?: CallContext['turn'];
}

/**
 * Calls an order's channel on behalf of its merchant, until `signal`. Never throws for a failure of the channel: a
 * missing channel or a broken adapter gives an unknown answer. Adds a call record, a metric and a span. A query or a
 * cancel that this process has no keys for is made by a worker, which adds the record.
 */
export function callChannel(
  domain: ChannelAccess & Telemetry,
  order: CalledOrder,
  operation: Operation,
  signal: AbortSignal,
  create?: CreateCall,
): Promise<ChannelAnswer> {
  const attributes = { 'tidegate.order_no': order.orderNo, 'tidegate.channel': order.channelId };
  return domain.tracer.span({ name: `channel ${operation}`, kind: 'client', attributes }, async (setAttributes) => {
    // A payin that was begun is finished before others begin. So only its first call, for which it has a turn, is a create.
    const priority = operation === 'create' && order.kind === 'payout' ? 'payout' : 'poll';
    const context = { owner: order.merchantId, priority, turn: create?.turn ?? null } as const;
    const answer =
      operation !== 'create' && domain.questions.mustAsk(order.kind)
        ? await domain.questions.ask({ ...order, operation }, signal)
        : await inCallContext(context, () => call(domain, order, operation, signal, create?.endsAt));
    setAttributes({ 'tidegate.outcome': answer.outcome });
    return answer;
  });
}

async function call(
  domain: ChannelAccess & Telemetry,
  order: CalledOrder,
  operation: Operation,
  signal: AbortSignal,
  endsAt: number | undefined,
): Promise<ChannelAnswer> {
  const startedAt = Date.now();
  const configured = await domain.channels(order.channelId);
  const answer = await (configured
    ? ask(domain, configured.channel, order, operation, signal, endsAt)
    : noChannel(order.channelId));
  const durationMs = Date.now() - startedAt;
  if (wasSent(answer)) domain.channelHealth.record(order.channelId, answer, durationMs);
  if (operation === 'create' && wasSent(answer))
    domain.channelRouting.record(order.channelId, { at: startedAt + durationMs, isAnswered: isAnswer(answer) });
  const { merchantId, orderNo, channelId } = order;
  domain.callLog.add({
    merchantId,
    orderNo,
    channelId,
    operation,
    startedAt,
    durationMs,
    ...answerOfRecord(answer),
  });
  if (answer.outcome === 'unknown' && answer.isForbidden) {
    domain.log.error(
      { channelId, orderNo, operation, detail: detailOf(answer) },
      'a channel was not called: its address is neither public nor in CHANNEL_ALLOW_CIDRS',
    );
    domain.observer.channelForbidden?.(channelId);
  }
  domain.observer.channelCall?.({ channelId, operation, outcome: answer.outcome, ms: durationMs });
  return answer;
}

async function ask(
  domain: PublicAddress & Telemetry,
  channel: Channel,
  order: CalledOrder,
  operation: Operation,
  signal: AbortSignal,
  endsAt: number | undefined,
): Promise<ChannelAnswer> {
  try {
    const answering =
      operation === 'create'
        ? channel.create(toChannelOrder(domain, order, endsAt), signal)
        : channel[operation](toChannelRef(order), signal);
    const answer = await Promise.race([answering, tooLate(signal)]);
    const problem = problemOfAnswer(answer);
    return problem === null ? answer : { outcome: 'unknown', why: 'no_answer', detail: `unreadable: ${problem}` };
  } catch (error) {
    domain.log.error(
      { err: error, channelId: order.channelId, orderNo: order.orderNo, operation },
      'a channel adapter broke',
    );
    return { outcome: 'unknown', why: 'no_answer', detail: 'the adapter broke' };
  }
}

/** An adapter ends its call at the signal by itself. If it does not, the call is given up after this time. */
export async function tooLate(signal: AbortSignal) {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  const answer = { outcome: 'unknown', why: 'no_answer', detail: 'the adapter did not finish in time' } as const;
  return sleep(adapterGrace, answer, { ref: false });
}

export function noChannel(channelId: string): Extract<ChannelAnswer, { outcome: 'unknown' }> {
  return { outcome: 'unknown', why: 'no_answer', isUnsent: true, detail: `channel ${channelId} is not configured` };
}

/** What a call record keeps of the answer. */
export function answerOfRecord(
  answer: ChannelAnswer,
): Pick<ChannelCallRecord, 'outcome' | 'detail' | 'isSent' | 'isAnswer'> {
  const { outcome } = answer;
  return { outcome, detail: detailOf(answer), isSent: wasSent(answer), isAnswer: isAnswer(answer) };
}

/** The detail of a call record, for people. */
export function detailOf(answer: ChannelAnswer): string | null {
  const detail = answer.outcome === 'unknown' ? answer.detail : 'reason' in answer ? answer.reason : null;
  if (detail === null) return null;
  if (!wasSent(answer)) return truncateText(`not sent: ${detail.replace(/^not sent: /, '')}`, 500);
  if (answer.outcome !== 'unknown') return truncateText(detail, 500);
  return truncateText(`${answer.why === 'no_answer' && isAnswer(answer) ? 'undecided' : answer.why}: ${detail}`, 500);
}

function toChannelRef(order: CalledOrder): ChannelOrderRef {
  const { kind, orderNo, country, currency, amount, createdAt, channelRef } = order;
  return { kind, orderNo, country, currency, amount, createdAt, ...(channelRef !== null && { channelRef }) };
}

function toChannelOrder(domain: PublicAddress, order: CalledOrder, endsAt: number | undefined): ChannelOrder {
  return {
    ...toChannelRef(order),
    ...(order.channelBankCode !== null && { bankCode: order.channelBankCode }),
    party: order.details.party ?? {},
    callbackUrl: `${domain.publicBaseUrl}/upstream/${order.channelId}/callback`,
    ...(order.expiresAt !== null && {
      expiresInSeconds: Math.max(1, Math.ceil((order.expiresAt - Date.now()) / 1000)),
    }),
    ...(endsAt !== undefined && { answerWithinMs: Math.max(0, Math.floor(endsAt - performance.now())) }),
  };
}
