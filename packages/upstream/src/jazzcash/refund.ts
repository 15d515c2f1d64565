import { randomUUID } from 'node:crypto';
import type { ChannelRefund, RefundAnswer } from '@tidegate/domain/channels';
import { toMinorUnits } from '../provider/minor-units.ts';
import { parseStored, readStored, type Stored, storedText } from '../provider/stored.ts';
import { accountFields, exchange, type Gateway, mayCall, mayInquire, notSent } from './gateway.ts';
import { type RefundState, stateOfRefund } from './mapping.ts';
import { inquireState } from './query-payin.ts';
import { isSameReference, referenceOf } from './reference.ts';
import { wireRefunded } from './wire.ts';

const sentKey = (refundNo: string) => `refund ${refundNo}`;
const resultKey = (refundNo: string) => `refund result ${refundNo}`;
/** The refunds of a payment, numbered from 1. */
const paymentKey = (reference: string, number: number) => `refund of ${reference} ${number}`;
const maxRefunds = 20;
const refusedPrefix = 'refused: ';
const result = storedText.regex(/^(refunded|refused: .*)$/s);

const unknown = (detail: string): RefundAnswer => ({ outcome: 'unknown', why: 'no_answer', detail });

/**
 * Refunds a payment. JazzCash accepts no number for a refund, so each `refundNo` is sent at most once, and its result
 * is stored. After a lost answer only an inquiry about the payment decides.
 */
export async function refundPayin(gateway: Gateway, refund: ChannelRefund, signal: AbortSignal): Promise<RefundAnswer> {
  const { merchantMpin, memory } = gateway;
  const { refundNo, refundAmount, orderNo, kind, reference: payment } = refund;
  const reference = referenceOf(orderNo);
  const paisa = toMinorUnits(refundAmount);
  if (kind !== 'payin' || reference === null || paisa === null || !isSameReference(payment, reference))
    return { outcome: 'refused', reason: 'not a payment of this channel' };
  if ((await memory.read(sentKey(refundNo))) !== null) return queryRefund(gateway, refund, signal);
  if (merchantMpin === undefined) return { outcome: 'refused', reason: 'the channel has no merchant MPIN' };
  if (!(await mayCall(gateway, signal))) return notSent('the rate limit');
  if (!(await addToPayment(gateway, reference, refundNo)))
    return { outcome: 'refused', reason: 'the payment has too many refunds' };
  const mine = `${new Date().toISOString()} ${randomUUID()}`;
  if ((await memory.remember(sentKey(refundNo), mine)) !== mine) return queryRefund(gateway, refund, signal);
  const fields = {
    ...accountFields(gateway),
    pp_TxnRefNo: reference,
    pp_Amount: String(paisa),
    pp_TxnCurrency: 'PKR',
    pp_MerchantMPIN: merchantMpin,
  };
  const reply = await exchange(gateway, 'refund', fields, signal);
  if (reply.kind !== 'fields') return unknown(reply.detail);
  const parsed = wireRefunded.safeParse(reply.fields);
  if (!parsed.success) return unknown('unreadable answer to a refund');
  const { pp_ResponseCode: code, pp_TxnRefNo: named } = parsed.data;
  if (named !== '' && !isSameReference(named, reference)) return unknown('the answer is about another payment');
  return store(gateway, refundNo, reference, stateOfRefund(code), code);
}

/** Reads the state of a refund: its stored result, or what an inquiry about the payment shows. */
export async function queryRefund(gateway: Gateway, refund: ChannelRefund, signal: AbortSignal): Promise<RefundAnswer> {
  const { refundNo, orderNo } = refund;
  const reference = referenceOf(orderNo);
  if (reference === null) return unknown('not a payment of this channel');
  const known = await readStored(gateway.memory, resultKey(refundNo), result);
  if (known.kind !== 'none') return answerOf(known, reference);
  const sent = await gateway.memory.read(sentKey(refundNo));
  if (sent === null)
    return { outcome: 'unknown', why: 'not_found', maySendAgain: true, detail: 'this refund was never sent' };
  if (!(await mayInquire(gateway, refund))) return notSent('too early for an inquiry');
  const inquired = await inquireState(gateway, refund, reference, signal);
  if ('problem' in inquired) return inquired.problem;
  if (inquired.state !== 'refunded') return unknown('it was sent, and JazzCash does not show the payment as refunded');
  // This is read after the inquiry, so that no refund between the two is overlooked.
  if (!(await isOnlyRefund(gateway, reference, refundNo)))
    return unknown('it was sent, and JazzCash does not say which refund of the payment was made');
  return store(gateway, refundNo, reference, { state: 'refunded' }, inquired.code);
}

/** Adds a refund to those of its payment. Returns false if there are too many. */
async function addToPayment({ memory }: Gateway, reference: string, refundNo: string): Promise<boolean> {
  for (let number = 1; number <= maxRefunds; number++)
    if ((await memory.remember(paymentKey(reference, number), refundNo)) === refundNo) return true;
  return false;
}

/** Whether no other refund of the payment can have been made. Only then is an inquiry about this refund. */
async function isOnlyRefund({ memory }: Gateway, reference: string, refundNo: string): Promise<boolean> {
  let isKnown = false;
  for (let number = 1; number <= maxRefunds; number++) {
    const one = await memory.read(paymentKey(reference, number));
    if (one === null) break;
    if (one === refundNo) isKnown = true;
    else if (!(await memory.read(resultKey(one)))?.startsWith(refusedPrefix)) return false;
  }
  return isKnown;
}

async function store(
  gateway: Gateway,
  refundNo: string,
  reference: string,
  found: RefundState,
  code: string,
): Promise<RefundAnswer> {
  if (found.state === 'unknown') return unknown(`refund: code ${code.slice(0, 6)}`);
  const value = found.state === 'refunded' ? 'refunded' : refusedPrefix + found.reason;
  return answerOf(parseStored(await gateway.memory.remember(resultKey(refundNo), value), result), reference);
}

/** A refund has no number of its own at JazzCash. The reference of the payment leads to it in the portal. */
function answerOf(known: Exclude<Stored<string>, { kind: 'none' }>, reference: string): RefundAnswer {
  if (known.kind === 'unreadable') return unknown('the stored result is unreadable');
  if (known.value === 'refunded') return { outcome: 'refunded', refundRef: reference };
  return { outcome: 'refused', reason: known.value.slice(refusedPrefix.length) };
}
