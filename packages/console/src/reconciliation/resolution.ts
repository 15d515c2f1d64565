import type { BreakOutcome } from '../generated/documents.generated.ts';
import type { BreakDetail } from './break-detail.ts';

/** The ways in which the API lets a break end now, the usual way first. */
export function possibleOutcomes({ kind, outcomes }: Pick<BreakDetail, 'kind' | 'outcomes'>): BreakOutcome[] {
  const usual = kind === 'DUPLICATE' ? 'LINKED' : 'POSTED';
  return outcomes.toSorted((one, other) => Number(other === usual) - Number(one === usual));
}

/** The effect of an outcome, in a sentence for the operator. */
export function effectOf(outcome: BreakOutcome, found: BreakDetail): string {
  const { channelId, kind, line } = found;
  if (outcome === 'LINKED') return 'No money moves: the ledger stays as it is.';
  if (outcome === 'WRITTEN_OFF') return moves(channelId, `written_off:${channelId}`);
  if (isReported(found)) return `It enters the ledger as if ${channelId} had reported it, once.`;
  if (line?.type === 'settlement') return moves(channelId, 'external');
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
