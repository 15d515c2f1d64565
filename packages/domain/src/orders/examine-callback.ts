import type { CallbackHeaders, CallbackResult, ChannelAccess, ExaminedStep } from '../channels/index.ts';
import type { DirectoryAccess } from '../configuration/index.ts';
import { describeAnswer, problemOfAnswer } from '../core/channel-answer.ts';
import type { DatabaseAccess } from '../database/database.ts';
import type { LedgerReadAccess } from '../ledger/index.ts';
import { findOrderByNumber } from './find-order.ts';
import { readOrderHistory } from './read-order-history.ts';

/** What a callback means, and what would happen if it came now. */
export interface ExaminedCallback {
  /** How the adapter verifies it. */
  steps: ExaminedStep[];
  result: CallbackResult['type'];
  orderNo: string | null;
  /** The order's status now; null: there is no such order. */
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
  const orderNo = 'orderNo' in callback ? callback.orderNo : null;
  const order = orderNo === null ? null : await findOrderByNumber(domain, orderNo);
  const about = { steps, result: callback.type, orderNo, orderStatus: order?.status ?? null };
  if (callback.type === 'refused')
    return { ...about, meaning: callback.detail, effect: `none: it is refused as ${callback.why}` };
  if (callback.type === 'nothing') return { ...about, meaning: callback.detail, effect: 'none: it is acknowledged' };
  const isOurs = order !== null && order.kind === callback.kind;
  if (callback.type === 'query') {
    const isQueried = isOurs && order.channelId === channelId;
    const effect = isQueried ? 'the order is queried at once' : 'none: this channel has no such order';
    return { ...about, meaning: 'something happened to this order', effect };
  }
  return { ...about, ...(await effectOfReport(domain, callback, isOurs && order.currency === callback.currency)) };
}

/** `isOurs`: the order exists, with the kind and the currency of the report. */
async function effectOfReport(
  domain: Examining,
  { orderNo, answer }: Extract<CallbackResult, { type: 'report' }>,
  isOurs: boolean,
): Promise<{ meaning: string; effect: string }> {
  const problem = problemOfAnswer(answer);
  if (problem !== null) return { meaning: answer.outcome, effect: `none: it is refused as malformed (${problem})` };
  const payments = 'payments' in answer ? (answer.payments ?? []) : [];
  const paid = payments.map(({ reference, amount }) => `${amount} (${reference})`).join(', ');
  const meaning = paid === '' ? describeAnswer(answer) : `${answer.outcome} ${paid}`;
  if (!isOurs)
    return {
      meaning,
      effect: payments.length > 0 ? 'the money is put aside, with a case: no such order' : 'none: no such order',
    };
  const order = await findOrderByNumber(domain, orderNo);
  const known = order ? (await readOrderHistory(domain, order)).payments.map(({ reference }) => reference) : [];
  const fresh = payments.filter(({ reference }) => !known.includes(reference));
  const booked = fresh.map(({ reference }) => reference).join(', ');
  return {
    meaning,
    effect:
      fresh.length > 0 ? `the order gets this report, with new payments: ${booked}` : 'the order gets this report',
  };
}
