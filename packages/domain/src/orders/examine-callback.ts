import type { CallbackHeaders, CallbackResult, ChannelAccess, ExaminedStep } from '../channels/index.ts';
import type { DirectoryAccess } from '../configuration/index.ts';
import { type ChannelAnswer, type ChannelPayment, describeAnswer, problemOfAnswer } from '../core/channel-answer.ts';
import type { DatabaseAccess } from '../database/database.ts';
import type { LedgerReadAccess } from '../ledger/index.ts';
import { readUnmatched } from './book-unmatched.ts';
import { findOrderOfCallback, type OrderOfCallback } from './order-of-callback.ts';
import { readOrderHistory } from './read-order-history.ts';

/** What a callback means, and what would happen if it came now. */
export interface ExaminedCallback {
  /** How the adapter verifies it. */
  steps: ExaminedStep[];
  result: CallbackResult['type'];
  orderNo: string | null;
  /** The order's status now; null: there is no such order, also none of this kind and currency. */
  orderStatus: string | null;
  /** What the channel reports, for example `paid 100.00 (UTR1)`. */
  meaning: string;
  effect: string;
}

type Examining = ChannelAccess & DatabaseAccess & DirectoryAccess & LedgerReadAccess;

/** Explains a callback without any change. Null: there is no such channel, or its adapter is not installed. */
export async function examineCallback(
  domain: Examining,
  channelId: string,
  headers: CallbackHeaders,
  body: Uint8Array,
): Promise<ExaminedCallback | null> {
  const configured = await domain.channels(channelId);
  if (!configured) return null;
  const { channel } = configured;
  const callback = channel.parseCallback(headers, body);
  const steps = channel.examineCallback?.(headers, body) ?? [];
  const about = { steps, result: callback.type, orderNo: null, orderStatus: null };
  if (callback.type === 'refused')
    return { ...about, meaning: callback.detail, effect: `none: it is refused as ${callback.why}` };
  if (callback.type === 'nothing') return { ...about, meaning: callback.detail, effect: 'none: it is acknowledged' };
  const found = await findOrderOfCallback(domain, channelId, callback);
  const named = { ...about, orderNo: callback.orderNo, orderStatus: found.order?.status ?? null };
  if (callback.type === 'query')
    return { ...named, meaning: 'something happened to this order', effect: effectOfQuery(found) };
  const problem = problemOfAnswer(callback.answer);
  const meaning = problem === null ? meaningOf(callback.answer) : callback.answer.outcome;
  const effect =
    problem === null
      ? await effectOfReport(domain, channelId, callback, found)
      : `none: it is refused as malformed (${problem})`;
  return { ...named, meaning, effect };
}

function effectOfQuery({ place, order }: OrderOfCallback): string {
  switch (place) {
    case 'here':
      return 'the order is queried at once';
    case 'rerouted':
      return `the order is queried at once; it is at ${order.channelId} now, so what was paid here is put aside`;
    case 'elsewhere':
    case 'nowhere':
      return 'none: this channel has no such order';
    default:
      return place satisfies never;
  }
}

function meaningOf(answer: ChannelAnswer): string {
  const paid = paymentsOf(answer).map(({ reference, amount }) => `${amount} (${reference})`);
  return paid.length === 0 ? describeAnswer(answer) : `${answer.outcome} ${paid.join(', ')}`;
}

function paymentsOf(answer: ChannelAnswer): readonly ChannelPayment[] {
  return 'payments' in answer ? (answer.payments ?? []) : [];
}

async function effectOfReport(
  domain: Examining,
  channelId: string,
  callback: Extract<CallbackResult, { type: 'report' }>,
  { place, order }: OrderOfCallback,
): Promise<string> {
  if (place !== 'here') {
    const why = order ? `the order is at ${order.channelId}` : 'no such order';
    const { reported, notBooked } = await readUnmatched(domain, channelId, callback);
    if (reported.length === 0) return `none: ${why}`;
    return notBooked.length > 0 ? `the money is put aside, with a case: ${why}` : 'none: the money is booked already';
  }
  const known = (await readOrderHistory(domain, order)).payments.map(({ reference }) => reference);
  const fresh = paymentsOf(callback.answer).filter(({ reference }) => !known.includes(reference));
  if (fresh.length === 0) return 'the order gets this report';
  return `the order gets this report, with new payments: ${fresh.map(({ reference }) => reference).join(', ')}`;
}
