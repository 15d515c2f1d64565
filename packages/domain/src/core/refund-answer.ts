import { type ChannelAnswer, truncateText } from './channel-answer.ts';

/**
 * What a channel says about a refund. `unknown` may have happened; only `refused` and `failed` prove that nothing went
 * back. `maySendAgain`, only with `not_found`: the same refund number can be sent again, because the provider or the
 * adapter keeps the money of one number from going twice.
 */
export type RefundAnswer =
  | { outcome: 'accepted'; refundRef: string }
  | { outcome: 'refunded'; refundRef: string }
  | { outcome: 'refused' | 'failed'; reason: string }
  | (Extract<ChannelAnswer, { outcome: 'unknown' }> & { maySendAgain?: true });

const outcomes: readonly RefundAnswer['outcome'][] = ['accepted', 'refunded', 'refused', 'failed', 'unknown'];

/** The answer in a few words, for operators. A channel's own text is cut short. */
export function describeRefundAnswer(answer: RefundAnswer): string {
  if ('reason' in answer) return truncateText(`${answer.outcome}: ${answer.reason}`, 200);
  return answer.outcome === 'unknown' ? truncateText(`${answer.why}: ${answer.detail}`, 200) : answer.outcome;
}

/** What the ledger cannot store of an answer; null if it can store all. */
export function problemOfRefundAnswer(answer: RefundAnswer): string | null {
  if (!outcomes.includes(answer.outcome)) return 'an unknown outcome';
  if (!('refundRef' in answer)) return null;
  const { refundRef } = answer;
  const isStorable = refundRef.isWellFormed() && !refundRef.includes('\u0000');
  return isStorable && refundRef.length >= 1 && refundRef.length <= 128 ? null : 'a refund without a usable reference';
}
