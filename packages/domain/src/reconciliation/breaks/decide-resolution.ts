import { type Account, channelAccount } from '../../core/ledger.ts';
import { decimalText, minorUnits } from '../files/decide-totals.ts';
import type { StatementLineType } from '../statement.ts';
import type { Break, BreakKind } from '../types.ts';

/** How two operators can end a break. */
export const outcomes = ['linked', 'posted', 'written_off'] as const;
export type BreakOutcome = (typeof outcomes)[number];

/** A transfer that makes the channel's account equal to its statement. `amount` is above zero. */
export interface Posting {
  debit: Account;
  credit: Account;
  amount: string;
}

export type Resolution =
  /** The ledger gets this transfer; null: there is nothing to post. */
  | { type: 'post'; posting: Posting | null }
  /** The line is booked as if the channel had reported it. */
  | { type: 'report' }
  /** The break is explained by another break, or its line is on the statement twice. */
  | { type: 'link' };

type Decidable = Pick<Break, 'kind' | 'amount' | 'channelId'> & Partial<Pick<Break, 'decidedAt'>>;

/**
 * The effect of a decision on a break; null: the break cannot be ended in this way. `lineType`: the type of its line on
 * the statement; `other`: the break to which it is linked.
 */
export function resolutionOf(
  found: Decidable,
  outcome: BreakOutcome,
  { lineType, other }: { lineType: StatementLineType | null; other: Decidable | null },
): Resolution | null {
  if (outcome === 'linked') return mayLink(found, other) ? { type: 'link' } : null;
  if (other !== null) return null;
  if (outcome === 'written_off') return { type: 'post', posting: postingOf(found, 'written_off', lineType) };
  if (found.kind === 'unparsed' || found.kind === 'currency') return null;
  // The break was decided and is open again. So the ledger already knew its reference, and a report of it would book
  // nothing.
  if (isReportable(found.kind, lineType) && (found.decidedAt ?? null) === null) return { type: 'report' };
  return { type: 'post', posting: postingOf(found, 'posted', lineType) };
}

/** How an open break can end. `linked` takes another break, unless it is a repeated line. */
export function outcomesOf(found: Decidable & Pick<Break, 'state'>): BreakOutcome[] {
  if (found.state !== 'open') return [];
  const nothing = { lineType: null, other: null };
  const cannot = found.kind === 'unparsed' || found.kind === 'currency' || minorUnits(found.amount) === 0n;
  return outcomes.filter((outcome) =>
    outcome === 'linked' && found.kind !== 'duplicate' ? !cannot : resolutionOf(found, outcome, nothing) !== null,
  );
}

/** Two breaks explain each other if their amounts cancel out. A repeated line needs no other break. */
function mayLink({ kind, amount, channelId }: Decidable, other: Decidable | null): boolean {
  if (other === null) return kind === 'duplicate';
  if (kind === 'unparsed' || other.kind === 'unparsed' || kind === 'currency' || other.kind === 'currency')
    return false;
  return (
    other.channelId === channelId && minorUnits(amount) !== 0n && minorUnits(amount) + minorUnits(other.amount) === 0n
  );
}

/** Payments that the ledger can take as a channel's report. A repeated line has a reference that the ledger knows: it would be no new payment. */
function isReportable(kind: BreakKind, lineType: StatementLineType | null): boolean {
  const isUnknown = kind === 'missing_in_ledger' || kind === 'status' || kind === 'late_reversal';
  return isUnknown && (lineType === 'payin' || lineType === 'payout' || lineType === 'payout_return');
}

function postingOf(
  { kind, amount, channelId }: Decidable,
  outcome: 'posted' | 'written_off',
  lineType: StatementLineType | null,
): Posting | null {
  return postDifference(channelId, amount, counterAccount(kind, channelId, outcome, lineType));
}

/** Moves what a statement shows beyond the ledger between the channel's account and another one; null for no difference. */
export function postDifference(channelId: string, amount: string, other: Account): Posting | null {
  const minor = minorUnits(amount);
  if (minor === 0n) return null;
  const channel = channelAccount(channelId);
  return minor > 0n
    ? { debit: channel, credit: other, amount: decimalText(minor) }
    : { debit: other, credit: channel, amount: decimalText(-minor) };
}

function counterAccount(
  kind: BreakKind,
  channelId: string,
  outcome: 'posted' | 'written_off',
  lineType: StatementLineType | null,
): Account {
  if (outcome === 'written_off') return `written_off:${channelId}`;
  // The channel paid us, or we paid it: the other side is the bank.
  if (lineType === 'settlement') return 'external';
  return kind === 'fee' ? `channel_fee:${channelId}` : varianceAccount(channelId);
}

export function varianceAccount(channelId: string): Account {
  return `variance:${channelId}`;
}
