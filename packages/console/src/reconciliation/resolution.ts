import type { BreakOutcome } from '../generated/documents.generated.ts';
import type { BreakDetail } from './break-detail.ts';

/** The ways in which the API lets a break end now, the usual way first. */
export function possibleOutcomes({ kind, outcomes }: Pick<BreakDetail, 'kind' | 'outcomes'>): BreakOutcome[] {
  const usual = kind === 'DUPLICATE' || kind === 'BALANCE' ? 'LINKED' : 'POSTED';
  return outcomes.toSorted((one, other) => Number(other === usual) - Number(one === usual));
}

/** The effect of an outcome, in a sentence for the operator. */
export function effectOf(outcome: BreakOutcome, found: BreakDetail): string {
  const { channelId, kind, line, answers, names, state, creditedTo } = found;
  if (outcome === 'LINKED' && state === 'POSTED')
    return 'It takes the posting back: the missing file shows what moved.';
  if (outcome === 'LINKED') return 'No money moves: the ledger stays as it is.';
  if (outcome === 'CHARGED')
    return `The wallet of ${creditedTo ?? found.expectation?.merchantId ?? 'the merchant'} pays back what it was credited. written_off:${channelId} takes the rest, which is the fee.`;
  if (outcome === 'WRITTEN_OFF') return moves(channelId, `written_off:${channelId}`);
  if (answers !== null)
    return `It takes back what break ${answers}, and others over the same money, booked: the money has come to light.`;
  if (isReported(found) && names !== null)
    return `What two operators recorded of ${names}, and no line has shown, goes to external. Otherwise it enters the ledger as if ${channelId} had reported it, once.`;
  if (isReported(found)) return `It enters the ledger as if ${channelId} had reported it, once.`;
  if (line?.type === 'settlement') return moves(channelId, 'external');
  if (kind === 'AMOUNT' && found.expectation && !found.amount.startsWith('-'))
    return `It goes back to those who bear what was missing: a charged merchant, or written_off:${channelId}. variance:${channelId} takes the rest.`;
  return moves(channelId, kind === 'FEE' ? `channel_fee:${channelId}` : `variance:${channelId}`);
}

const moves = (channelId: string, other: string): string =>
  `One transfer between channel:${channelId} and ${other} takes the difference.`;

/** Payments that the ledger takes as the channel's report; after a decision that entered nothing, no longer. */
function isReported({ kind, line, decidedAt }: BreakDetail): boolean {
  const isUnknown = kind === 'MISSING_IN_LEDGER' || kind === 'STATUS' || kind === 'LATE_REVERSAL';
  return isUnknown && decidedAt === null && ['payin', 'payout', 'payout_return'].includes(line?.type ?? '');
}

/** The amount that cancels another one out. */
export function opposite(amount: string): string {
  return amount.startsWith('-') ? amount.slice(1) : `-${amount}`;
}
