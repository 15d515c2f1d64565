import { isInputAmount } from './money.ts';

/**
 * A channel is an upstream that carries orders. Every answer that it can give is one of these; an adapter maps
 * each answer of its upstream to exactly one, and anything that it cannot read is `unknown`.
 * Amounts are decimal text with two decimals, in the order's currency.
 */
export type ChannelAnswer =
  /** Accepted and still open. `channelRef` is the upstream's own id, `payLink` and `payQr` are for the payer. */
  | { outcome: 'accepted'; channelRef?: string; payLink?: string; payQr?: string }
  /** Final. Every payment known to the channel, each with the channel's own reference, which never changes. */
  | { outcome: 'paid'; channelRef?: string; payments: readonly ChannelPayment[] }
  /** Open, and some money came. The payments known so far. `payLink` and `payQr`, if given, ask the payer for the rest only. */
  | {
      outcome: 'part_paid';
      channelRef?: string;
      payments: readonly ChannelPayment[];
      payLink?: string;
      payQr?: string;
    }
  /** Final: it will not be paid. */
  | { outcome: 'failed'; channelRef?: string; reason: string }
  /** Final: not paid in time. For a payout: definitely not paid out. May carry payments that came before. */
  | { outcome: 'timed_out'; channelRef?: string; reason: string; payments?: readonly ChannelPayment[] }
  /**
   * Final, and only an answer to create: the channel never accepted it. Another channel may be tried. `isUnsent`: the
   * adapter sent nothing, so it says nothing about the channel.
   */
  | { outcome: 'refused'; reason: string; isUnsent?: true }
  /** Final: closed at our request, nothing will be paid on it. */
  | { outcome: 'closed'; channelRef?: string }
  /** A payout that was paid and that the bank returned. */
  | {
      outcome: 'returned';
      channelRef?: string;
      payments: readonly ChannelPayment[];
      returned: ChannelPayment;
      reason: string;
    }
  /**
   * No definite answer. `not_found`: the channel answered that it does not know the order. Everything else
   * (broken connection, time-out, 5xx, unreadable or unsigned reply) is `no_answer`: it may or may not have happened.
   * `isForbidden`: the channel's host may not be called (decisions 8), and this call was not sent. An earlier one may have been, so it is no answer either.
   * `isUnsent`: this call was not sent for another reason of ours, such as the rate limit; it says nothing about the channel.
   * `isUndecided`: the channel answered, but the answer decides nothing yet.
   */
  | {
      outcome: 'unknown';
      why: 'not_found' | 'no_answer';
      detail: string;
      isForbidden?: true;
      isUnsent?: true;
      isUndecided?: true;
    };

/** The answer in a few words, for history and logs. A channel's own text is cut short. */
export function describeAnswer(answer: ChannelAnswer): string {
  if ('reason' in answer) return truncateText(answer.reason, 200);
  return answer.outcome === 'unknown' ? truncateText(`${answer.why}: ${answer.detail}`, 200) : answer.outcome;
}

/** At most `max` characters of an external text, safe for a text column: no half of a surrogate pair, no U+0000. */
export function truncateText(words: string, max: number): string {
  return words.slice(0, max).toWellFormed().replaceAll('\u0000', '\ufffd');
}

/**
 * What the ledger cannot store of an answer: an amount or a name that the database would refuse. Null if it can store
 * all.
 */
export function problemOfAnswer(answer: ChannelAnswer): string | null {
  const { channelRef, payLink, payQr } = { channelRef: '', payLink: '', payQr: '', ...answer };
  if (![channelRef, payLink, payQr].every(isStorable)) return 'a text that cannot be kept';
  if (channelRef.length > longestChannelRef) return 'a reference that is too long';
  const payments = 'payments' in answer ? (answer.payments ?? []) : [];
  if (payments.length > mostPayments) return `more than ${mostPayments} payments`;
  for (const { reference, amount } of 'returned' in answer ? [...payments, answer.returned] : payments) {
    if (!isInputAmount(amount)) return 'a payment whose amount is none';
    if (reference.length < 1 || reference.length > 128 || !isStorable(reference))
      return 'a payment without a usable reference';
  }
  return null;
}

/** It is indexed, in at most four bytes for each character. */
const longestChannelRef = 128;

/** The most payments of one order that an answer may report. Each is compared with those that are known. */
const mostPayments = 500;

/** Whether a text column takes it. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000');
}

export interface ChannelPayment {
  reference: string;
  amount: string;
}
