/**
 * A channel is an upstream that carries orders. Every answer that it can give is one of these; an adapter maps
 * whatever its upstream says to exactly one, and anything that it cannot read is `unknown`.
 * Amounts are decimal text with two decimals, in the order's currency.
 */
export type ChannelAnswer =
  /** Taken and still open. `channelRef` is the upstream's own id, `payLink` and `payQr` are for the payer. */
  | { outcome: 'accepted'; channelRef?: string; payLink?: string; payQr?: string }
  /** Final. Every payment known to the channel, each with the channel's own reference, which identifies it for ever. */
  | { outcome: 'paid'; channelRef?: string; payments: ChannelPayment[] }
  /** Open, and some money came. The payments known so far. */
  | { outcome: 'part_paid'; channelRef?: string; payments: ChannelPayment[] }
  /** Final: it will not be paid. */
  | { outcome: 'failed'; channelRef?: string; reason: string }
  /** Final: not paid in time. For a payout: definitely not paid out. May carry payments that came before. */
  | { outcome: 'timed_out'; channelRef?: string; reason: string; payments?: ChannelPayment[] }
  /** Final, and only an answer to create: the channel never took it. Another channel may be tried. */
  | { outcome: 'refused'; reason: string }
  /** Final: closed at our request, nothing will be paid on it. */
  | { outcome: 'closed'; channelRef?: string }
  /** A payout that was paid and that the bank returned. */
  | { outcome: 'returned'; channelRef?: string; payments: ChannelPayment[]; returned: ChannelPayment; reason: string }
  /**
   * No definite answer. `not_found`: the channel answered that it does not know the order. Everything else
   * (broken connection, time-out, 5xx, unreadable or unsigned reply) is `no_answer`: it may or may not have happened.
   */
  | { outcome: 'unknown'; why: 'not_found' | 'no_answer'; detail: string };

/** The answer in a few words, for history and logs; a channel's own words cut short. */
export function describeAnswer(answer: ChannelAnswer): string {
  if ('reason' in answer) return answer.reason.slice(0, 200);
  return answer.outcome === 'unknown' ? `${answer.why}: ${answer.detail}`.slice(0, 200) : answer.outcome;
}

export interface ChannelPayment {
  reference: string;
  amount: string;
}
