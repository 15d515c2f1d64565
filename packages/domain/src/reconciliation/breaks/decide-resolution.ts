import { type Account, channelAccount, varianceAccount, writtenOffAccount } from '../../core/ledger.ts';
import { decimalText, minorUnits } from '../files/decide-totals.ts';
import { accountOf, type Decided, postedOf, returnedTo, type Shares } from '../missing-credits/bearers.ts';
import type { StatementLineType } from '../statement.ts';
import type { Break, BreakKind } from '../types.ts';

/** How two operators can end a break. */
export const outcomes = ['linked', 'posted', 'written_off', 'charged'] as const;
export type BreakOutcome = (typeof outcomes)[number];

/** A transfer that makes the channel's account equal to its statement. `amount` is above zero. */
export interface Posting {
  debit: Account;
  credit: Account;
  amount: string;
}

export type Resolution =
  /**
   * The ledger gets these transfers. `charge`: what the merchant's wallet pays for it, below zero: what it gets back; null: nothing. `writtenOff`: what the
   * platform bears of it from now on, with the sign of the break. `account`: where the difference goes, and what answers it.
   */
  | { type: 'post'; postings: readonly Posting[]; charge: string | null; writtenOff: string; account: Account }
  /** The line is booked as if the channel had reported it. */
  | { type: 'report' }
  /** The break is explained by another break, or its line is on the statement twice. */
  | { type: 'link' };

type PostResolution = Extract<Resolution, { type: 'post' }>;

type Decidable = Pick<Break, 'kind' | 'amount' | 'channelId'> & Partial<Pick<Break, 'decidedAt' | 'state'>>;

/** What a decision on a break depends on. */
export interface BreakContext {
  /** The type of its line on the statement. */
  lineType: StatementLineType | null;
  /** The break to which it is linked. */
  other: Decidable | null;
  /** What may be charged: what the lines that count do not show and nobody bears, and what a wallet still has of its credit. */
  credit: { missing: string; left: string };
  /** The decisions over the same entry, or the same line. */
  decided: readonly Decided[];
  /** Those over the entry of the other break, if it is another one. */
  decidedOther?: readonly Decided[];
  /** Whether it shows the money of a break that had ended. */
  isAnswer: boolean;
  /** Whether its line shows the payment of a settlement that people confirmed, or its return, and no other line does. */
  isSettled?: boolean;
}

/**
 * The effect of a decision on a break; null: the break cannot be ended in this way. What a line shows after all goes back to those who bear that it was
 * missing. Money that a wallet was credited and that never came has two ends more: as long as it is only posted, no settlement pays it.
 */
export function resolutionOf(
  found: Decidable,
  outcome: BreakOutcome,
  { lineType, other, credit, decided, decidedOther, isAnswer, isSettled = false }: BreakContext,
): Resolution | null {
  const { channelId, amount, state = 'open' } = found;
  const account = accountOf(decided) ?? (isSettled ? 'external' : counterAccount(found.kind, channelId, lineType));
  if (state === 'posted') return endOfMissing(found, outcome, credit, decided, account);
  if (outcome === 'linked') {
    const isOwed = decidedOther !== undefined && other !== null && (owes(found, decided) || owes(other, decidedOther));
    return mayLink(found, other) && !isOwed ? { type: 'link' } : null;
  }
  if (other !== null) return null;
  if (outcome === 'charged') return chargeOf(found, credit, decided, account);
  const back = returnedTo(decided, minorUnits(amount));
  if (outcome === 'written_off')
    return postShares(channelId, { ...back, writtenOff: back.writtenOff + back.posted, posted: 0n }, account);
  if (found.kind === 'unparsed' || found.kind === 'currency') return null;
  if (isAnswer || back.charged !== 0n || back.writtenOff !== 0n) return postShares(channelId, back, account);
  // The break was decided and is open again. So the ledger already knew its reference, and a report of it would book
  // nothing.
  if (!isSettled && isReportable(found.kind, lineType) && (found.decidedAt ?? null) === null) return { type: 'report' };
  return post(channelId, amount, account);
}

function post(channelId: string, amount: string, account: Account): Resolution {
  return postShares(channelId, { charged: 0n, writtenOff: 0n, posted: minorUnits(amount) }, account);
}

function postShares(channelId: string, { charged, writtenOff, posted }: Shares, account: Account): PostResolution {
  const to = (amount: bigint, account: Account) => postDifference(channelId, decimalText(amount), account);
  const postings = [to(charged, 'external'), to(writtenOff, writtenOffAccount(channelId)), to(posted, account)].filter(
    (one) => one !== null,
  );
  const charge = charged === 0n ? null : decimalText(-charged);
  return { type: 'post', postings, charge, writtenOff: decimalText(writtenOff), account };
}

/** The merchant pays what its wallet was credited of the money. The platform bears the rest of what is missing: the fee of a payment that never came. */
function chargedFor(amount: bigint, { missing, left }: BreakContext['credit']): Shares | null {
  const all = smallest(amount < 0n ? -amount : 0n, minorUnits(missing));
  const ofMerchant = smallest(all, minorUnits(left));
  if (ofMerchant <= 0n) return null;
  return { charged: -ofMerchant, writtenOff: ofMerchant - all, posted: 0n };
}

/** A break can be over more than is missing by now. The rest of it is returned or posted. */
function chargeOf(
  { channelId, amount }: Decidable,
  credit: BreakContext['credit'],
  decided: readonly Decided[],
  account: Account,
): Resolution | null {
  const all = minorUnits(amount);
  const borne = chargedFor(all, credit);
  if (borne === null) return null;
  const back = returnedTo(decided, all - borne.charged - borne.writtenOff);
  const shares = {
    charged: borne.charged + back.charged,
    writtenOff: borne.writtenOff + back.writtenOff,
    posted: back.posted,
  };
  return postShares(channelId, shares, account);
}

/** The platform or the merchant bears what was posted as missing, and still is: the posting goes to another account. */
function endOfMissing(
  found: Decidable,
  outcome: BreakOutcome,
  credit: BreakContext['credit'],
  decided: readonly Decided[],
  account: Account,
): Resolution | null {
  const { channelId, amount } = found;
  if (!mayBeMissing(found) || (outcome !== 'written_off' && outcome !== 'charged')) return null;
  const held = -smallest(-minorUnits(amount), -postedOf(decided));
  const charged = chargedFor(held, credit);
  if (charged === null) return null;
  const all = charged.charged + charged.writtenOff;
  const borne = outcome === 'charged' ? charged : { charged: 0n, writtenOff: all, posted: 0n };
  const undone = postDifference(channelId, decimalText(-all), account);
  const moved = postShares(channelId, borne, account);
  return undone ? { ...moved, postings: [undone, ...moved.postings] } : null;
}

const smallest = (one: bigint, other: bigint): bigint => (one < other ? one : other);

/** Whether a break may be about money that a wallet was credited, and that never came. */
function mayBeMissing({ kind, amount }: Pick<Decidable, 'kind' | 'amount'>): boolean {
  return (kind === 'missing_at_channel' || kind === 'amount') && minorUnits(amount) < 0n;
}

/**
 * How a break can end. `linked` takes another break, unless it needs none. What was posted as missing can still
 * be borne by the platform or the merchant. `isCredited`: whether a wallet still has something of the money that is missing.
 */
export function outcomesOf(found: Decidable & Pick<Break, 'state'>, isCredited: boolean): BreakOutcome[] {
  const isMissing = mayBeMissing(found) && isCredited;
  if (found.state === 'posted') return isMissing ? ['written_off', 'charged'] : [];
  if (found.state !== 'open') return [];
  const credit = { missing: '0.00', left: '0.00' };
  const nothing = { lineType: null, other: null, credit, decided: [], isAnswer: false };
  const cannot = found.kind === 'unparsed' || found.kind === 'currency' || minorUnits(found.amount) === 0n;
  return outcomes.filter((outcome) => {
    if (outcome === 'charged') return isMissing;
    return outcome === 'linked' && !needsNoOther(found.kind) ? !cannot : resolutionOf(found, outcome, nothing) !== null;
  });
}

/**
 * Two breaks explain each other if their amounts cancel out. A repeated line needs no other break. A balance that is wrong in its file explains nothing else:
 * when a file shows the money after all, the other break would stay ended.
 */
function mayLink({ kind, amount, channelId }: Decidable, other: Decidable | null): boolean {
  if (other === null) return needsNoOther(kind);
  const alone: readonly BreakKind[] = ['unparsed', 'currency', 'balance'];
  if (alone.includes(kind) || alone.includes(other.kind)) return false;
  return (
    other.channelId === channelId && minorUnits(amount) !== 0n && minorUnits(amount) + minorUnits(other.amount) === 0n
  );
}

/** Whether a break shows money that a wallet was charged. Linked with a break over another entry, nothing of it would go back. */
const owes = ({ amount }: Pick<Decidable, 'amount'>, decided: readonly Decided[]): boolean =>
  returnedTo(decided, minorUnits(amount)).charged !== 0n;

function needsNoOther(kind: BreakKind): boolean {
  return kind === 'duplicate' || kind === 'balance';
}

/** Payments that the ledger can take as a channel's report. A repeated line has a reference that the ledger knows: it would be no new payment. */
function isReportable(kind: BreakKind, lineType: StatementLineType | null): boolean {
  const isUnknown = kind === 'missing_in_ledger' || kind === 'status' || kind === 'late_reversal';
  return isUnknown && (lineType === 'payin' || lineType === 'payout' || lineType === 'payout_return');
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

/** The other side of a first posting. */
function counterAccount(kind: BreakKind, channelId: string, lineType: StatementLineType | null): Account {
  // The channel paid us, or we paid it: the other side is the bank.
  if (lineType === 'settlement') return 'external';
  return kind === 'fee' ? `channel_fee:${channelId}` : varianceAccount(channelId);
}
