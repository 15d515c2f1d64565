import type { ChannelAnswer, ChannelOrderRef } from '@tidegate/domain/channels';
import { readMinorUnits } from '../provider/minor-units.ts';
import {
  accountFields,
  exchange,
  type Gateway,
  mayCall,
  mayInquire,
  noAnswer,
  notSent,
  type Unknown,
} from './gateway.ts';
import { readLateAnswer } from './late-answer.ts';
import { describeCode, type PaymentState, stateOfCode, stateOfInquiry } from './mapping.ts';
import { isSameReference, referenceOf } from './reference.ts';
import type { Fields } from './signing.ts';
import { type WireInquired, wireInquired } from './wire.ts';

/**
 * Reads the state of a payin. Before an inquiry is allowed, a late answer to the create counts, if there is one.
 * Without it an order that JazzCash has stays open, and any other order has no answer.
 */
export async function queryPayin(
  gateway: Gateway,
  order: ChannelOrderRef,
  signal: AbortSignal,
): Promise<ChannelAnswer> {
  if (await mayInquire(gateway, order)) return inquire(gateway, order, signal);
  const late = await readLateAnswer(gateway, order);
  if (late !== null) return late;
  const { channelRef } = order;
  return channelRef === undefined ? tooEarly : { outcome: 'accepted', channelRef };
}

/**
 * JazzCash cannot close a wallet payment. So the answer has the current state of the payin; `accepted` if it is still
 * open.
 */
export async function cancelPayin(
  gateway: Gateway,
  order: ChannelOrderRef,
  signal: AbortSignal,
): Promise<ChannelAnswer> {
  return (await mayInquire(gateway, order)) ? inquire(gateway, order, signal) : tooEarly;
}

const tooEarly = notSent('too early for an inquiry');

/**
 * Sends an inquiry to JazzCash. Only after `mayInquire`. Without a usable answer a late answer to the create counts.
 */
async function inquire(gateway: Gateway, order: ChannelOrderRef, signal: AbortSignal): Promise<ChannelAnswer> {
  const reference = referenceOf(order.orderNo);
  if (order.kind !== 'payin' || reference === null) return noAnswer({ detail: 'not an order of this channel' });
  const inquired = await inquireState(gateway, order, reference, signal);
  const late = 'problem' in inquired ? await readLateAnswer(gateway, order) : null;
  return late ?? answerOfInquiry(inquired, reference);
}

/** Converts the result of an inquiry to the answer of the channel port. */
export function answerOfInquiry(inquired: Inquired, reference: string): ChannelAnswer {
  if ('problem' in inquired) return inquired.problem;
  const { state, amount, code } = inquired;
  const channelRef = reference;
  switch (state) {
    case 'paid':
      return { outcome: 'paid', channelRef, payments: [{ reference, amount }] };
    case 'pending':
      return { outcome: 'accepted', channelRef };
    case 'failed':
    case 'refused':
      return { outcome: 'failed', channelRef, reason: describeCode(code) };
    case 'expired':
      return { outcome: 'timed_out', channelRef, reason: describeCode(code) };
    case 'missing':
      return { outcome: 'unknown', why: 'not_found', detail: describeCode(code) };
    case 'refunded':
    case 'unknown':
      return noAnswer({ detail: describeCode(code) });
    default:
      return state satisfies never;
  }
}

/** `isLost`: the connection broke or JazzCash had an error, so that the inquiry may be repeated soon. */
export type Inquired = { state: PaymentState; amount: string; code: string } | { problem: Unknown; isLost?: boolean };

/** The state that JazzCash reports, after order, account and amount were checked. */
export async function inquireState(
  gateway: Gateway,
  order: ChannelOrderRef,
  reference: string,
  signal: AbortSignal,
): Promise<Inquired> {
  if (!(await mayCall(gateway, signal))) return { problem: notSent('the rate limit') };
  const request: Fields = { ...accountFields(gateway), pp_TxnRefNo: reference };
  const reply = await exchange(gateway, 'inquiry', request, signal);
  if (reply.kind !== 'fields') return { problem: noAnswer(reply), isLost: reply.kind === 'lost' };
  const parsed = wireInquired.safeParse(reply.fields);
  if (!parsed.success) return { problem: noAnswer({ detail: 'unreadable answer to an inquiry' }) };
  const answer = parsed.data;
  const { pp_ResponseCode: inquiryCode, pp_PaymentResponseCode: code } = answer;
  // An answer about a transaction that does not exist cannot name it. It moves no money.
  const isMissing = stateOfCode(inquiryCode) === 'missing';
  const strange = otherThan(gateway, answer, reference, isMissing || gateway.acceptsUnnamedInquiry);
  if (strange !== null) return { problem: noAnswer({ detail: strange }) };
  if (isMissing) return { state: 'missing', amount: order.amount, code: inquiryCode };
  if (inquiryCode !== '000') return { problem: noAnswer({ detail: `inquiry: ${describeCode(inquiryCode)}` }) };
  const state = stateOfInquiry(code, answer.pp_Status);
  if (state === 'missing') return { state, amount: order.amount, code };
  const amount = amountOf(gateway, answer, order);
  if (amount === null) return { problem: noAnswer({ detail: 'the inquiry’s answer has no amount' }) };
  return { state, amount, code };
}

/** The field that shows that an answer is about something else; null if there is none. */
function otherThan(
  { merchantId }: Gateway,
  answer: WireInquired,
  reference: string,
  mayBeUnnamed: boolean,
): string | null {
  const { pp_TxnRefNo: named, pp_MerchantID: merchant, pp_BillReference: bill } = answer;
  if (!mayBeUnnamed && (named === '' || merchant === '')) return 'the inquiry’s answer names no order or no account';
  const isOther = (name: string) => name !== '' && !isSameReference(name, reference);
  if (isOther(named) || isOther(bill)) return 'the inquiry’s answer is about another order';
  return merchant !== '' && merchant !== merchantId ? 'the inquiry’s answer is about another account' : null;
}

/**
 * An older gateway returns no amount. Then the payment has the amount of the order, because a wallet pays nothing else.
 */
function amountOf(gateway: Gateway, answer: WireInquired, order: ChannelOrderRef): string | null {
  if (answer.pp_Amount !== '') return readMinorUnits(answer.pp_Amount);
  return gateway.acceptsUnnamedInquiry ? order.amount : null;
}
