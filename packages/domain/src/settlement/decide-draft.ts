import type { Currency } from '../core/country.ts';
import { Money } from '../core/money.ts';
import {
  type SettledDays,
  type SettledEntries,
  type Settlement,
  type SettlementDraft,
  type SettlementKind,
  type SettlementSum,
  settlementKinds,
} from '../core/settlement.ts';
import type { EntryType } from '../core/wallet.ts';
import { shiftDay } from './calendar/decide-days.ts';

/** Wallet entries of one channel, day and type with the same sign, summed up. A credit has no day before those of earlier credits of its channel. */
export interface Movement {
  /** The channel whose days have to be closed, or several, joined by commas; empty: it needs no closed day. */
  channelId: string;
  /** `YYYY-MM-DD` in the country's time zone. */
  day: string;
  type: EntryType;
  isCredit: boolean;
  /** Whether they came after the settlement before was computed. Of credits that are settled already, none is read. */
  isNew: boolean;
  amount: string;
  /** Fees of payins, which `amount` is without. */
  fees: string;
  count: number;
  firstEntryNo: number;
}

/** A credit whose money is missing. `channelId`: as of a movement. Null: its entry is not known. */
export interface HeldCredit {
  held: string;
  entryNo: number | null;
  channelId: string;
}

/** What is held of what a draft settles. A credit that is not settled yet is pending already. */
export function heldOf(credits: readonly HeldCredit[], settled: SettledEntries | null, currency: Currency): string {
  const isPending = ({ entryNo, channelId }: HeldCredit): boolean =>
    (entryNo ?? 0) > (settled?.[channelId]?.entryNo ?? Infinity);
  const own = credits.filter((one) => !isPending(one));
  return own.reduce((sum, { held }) => sum.plus(Money.of(held, currency)), Money.zero(currency)).toString();
}

/** The state of a channel in the reconciliation. */
export interface ChannelDays {
  channelId: string;
  /** The first day that is reconciled. */
  beginsOn: string;
  /** Its first day that is not closed; null: all existing days are closed. */
  firstOpen: string | null;
}

export type Basis = Pick<Settlement, 'closing' | 'settledDays' | 'settledEntries' | 'throughEntryNo' | 'pendingAfter'>;

export interface DraftFacts {
  currency: Currency;
  runDay: string;
  cutOff: string;
  /** The settlement before, or the wallet as it was when the cycle began. */
  basis: Basis;
  movements: readonly Movement[];
  channels: readonly ChannelDays[];
  /** The day of the first transfer that reconciliation does not know of; null: it knows all. */
  unknownFrom: string | null;
  /** The wallet after its entry `lastEntryNo`. */
  available: string;
  /** The part of `available` that cannot be settled (ADR 0035). */
  withheld: string;
  lastEntryNo: number;
  minimum: string;
  keep: string;
  /** Credits whose money never came, and that nobody bears yet. */
  held: readonly HeldCredit[];
  accountId: string | null;
}

/**
 * Computes the draft of a merchant: opening + movements = closing. Debits, holds and released payouts count at once.
 * Credits of a channel count up to its last closed day, all others up to the cut-off. Below the minimum nothing is
 * paid, and never what is withheld, nor what is `held`: its money never came. Throws if the sum of the entries differs
 * from the balance of the wallet.
 */
export function draftOf(facts: DraftFacts): SettlementDraft {
  const { currency, runDay, cutOff, basis, movements, lastEntryNo, accountId } = facts;
  const money = (text: string): Money => Money.of(text, currency);
  const sumOf = (some: readonly Movement[]): Money =>
    some.reduce((sum, { amount }) => sum.plus(money(amount)), Money.zero(currency));
  const waiting = movements.filter(isCredit);
  const until = lastDays(facts, waiting);
  const isDue = ({ channelId, day }: Movement): boolean => day <= (until.get(channelId) ?? '');
  const due = waiting.filter(isDue);
  const pending = waiting.filter((one) => !isDue(one));
  const settled = [...due, ...movements.filter((one) => !isCredit(one) && one.isNew)];
  const closing = money(basis.closing).plus(sumOf(settled));
  const unsettled = sumOf(pending);
  if (!closing.plus(unsettled).equals(money(facts.available)))
    throw new Error(`entries up to ${lastEntryNo} come to ${closing} and ${unsettled}, not to ${facts.available}`);
  const settledDays = { ...basis.settledDays, ...laterThan(basis.settledDays, until) };
  const notWithheld = money(facts.available).minus(money(facts.withheld));
  const settledEntries = { ...basis.settledEntries, ...positions(until.keys(), settledDays, { pending, lastEntryNo }) };
  const held = heldOf(facts.held, settledEntries, currency);
  const free = closing.minus(money(facts.keep)).minus(money(held));
  return {
    runDay,
    cutOff,
    opening: basis.closing,
    closing: closing.toString(),
    pending: unsettled.toString(),
    sums: sumsOf(settled, currency),
    keep: facts.keep,
    held,
    amount: payable(least(free, notWithheld), money(facts.minimum)).toString(),
    settledBefore: basis.settledDays,
    settledDays,
    settledEntries,
    scanAfter: basis.pendingAfter,
    afterEntryNo: basis.throughEntryNo,
    throughEntryNo: lastEntryNo,
    pendingAfter: Math.min(lastEntryNo, ...pending.map(({ firstEntryNo }) => firstEntryNo - 1)),
    accountId,
  };
}

/**
 * Goes on with a draft of the same basis, so that each run reads only what is new. `facts` begin where `drafted` ends. The result is the same as from
 * the basis.
 */
export function continueDraft(drafted: SettlementDraft, facts: Omit<DraftFacts, 'basis'>): SettlementDraft {
  const next = draftOf({ ...facts, basis: drafted });
  const { opening, settledBefore, scanAfter, afterEntryNo } = drafted;
  const sums = addSums([...drafted.sums, ...next.sums], facts.currency);
  return { ...next, opening, sums, settledBefore, scanAfter, afterEntryNo };
}

/** Whether a draft is of this basis, and all days that it settles are still closed. */
export function isContinuable(
  drafted: SettlementDraft,
  { basis, cutOff, channels, unknownFrom }: Pick<DraftFacts, 'basis' | 'cutOff' | 'channels' | 'unknownFrom'>,
): boolean {
  const { opening, afterEntryNo, scanAfter, settledBefore, settledDays } = drafted;
  const isSameBasis =
    opening === basis.closing && afterEntryNo === basis.throughEntryNo && scanAfter === basis.pendingAfter;
  if (!isSameBasis || cutOff < drafted.cutOff) return false;
  return Object.entries(settledDays).every(([channelId, until]) => {
    if (channelId === '' || until === settledBefore[channelId]) return true;
    return channelId.split(',').every((id) => {
      const known = channels.find((one) => one.channelId === id);
      return known !== undefined && [known.firstOpen, unknownFrom].every((day) => day === null || day > until);
    });
  });
}

/** Whether a movement is a credit. A released payout only returns the money of its hold. */
function isCredit({ type, isCredit }: Movement): boolean {
  return isCredit && type !== 'PAYOUT_RELEASE';
}

/** What is settled of these channels: all before the first credit that is pending. */
function positions(
  channels: Iterable<string>,
  days: SettledDays,
  { pending, lastEntryNo }: { pending: readonly Movement[]; lastEntryNo: number },
): SettledEntries {
  return Object.fromEntries(
    [...channels].map((channelId) => {
      const its = pending.filter((one) => one.channelId === channelId);
      const entryNo = Math.min(lastEntryNo, ...its.map(({ firstEntryNo }) => firstEntryNo - 1));
      return [channelId, { day: days[channelId] ?? '', entryNo }];
    }),
  );
}

/** The days of `until` that are later than the settled ones. */
function laterThan(settledDays: SettledDays, until: ReadonlyMap<string, string>): SettledDays {
  return Object.fromEntries([...until].filter(([channelId, day]) => day > (settledDays[channelId] ?? '')));
}

/** The last day that can be settled, by channel. */
function lastDays({ cutOff, channels, unknownFrom }: DraftFacts, waiting: readonly Movement[]) {
  const known = new Map(channels.map((one) => [one.channelId, one]));
  const days = new Map<string, string>();
  for (const [channelId, its] of Map.groupBy(waiting, (one) => one.channelId)) {
    const first = its.map(({ day }) => day).sort()[0] ?? cutOff;
    const ends =
      channelId === ''
        ? [cutOff]
        : [cutOff, ...channelId.split(',').flatMap((id) => closedUntil(known.get(id), first, unknownFrom))];
    const last = ends.sort()[0] ?? '';
    days.set(channelId, last);
  }
  return days;
}

/** Before `first` nothing waits, so a channel of which nothing is known ends there. */
function closedUntil(channel: ChannelDays | undefined, first: string, unknownFrom: string | null): string[] {
  const open = !channel || channel.beginsOn > first ? first : channel.firstOpen;
  return [open, unknownFrom].filter((day) => day !== null).map((day) => shiftDay(day, -1));
}

const least = (one: Money, other: Money): Money => (other.isLessThan(one) ? other : one);

/** The amount that can be paid; zero below the minimum. */
function payable(free: Money, minimum: Money): Money {
  const isTooLittle = free.isNegative() || free.isLessThan(minimum);
  return isTooLittle ? Money.zero(free.currency) : free;
}

const kinds: Record<EntryType, SettlementKind> = {
  PAYIN: 'payins',
  PAYOUT_FREEZE: 'payouts',
  PAYOUT: 'payouts',
  PAYOUT_RELEASE: 'payouts_released',
  PAYOUT_RETURN: 'payouts_returned',
  TOP_UP: 'top_ups',
  SETTLEMENT: 'settlements',
  ADJUSTMENT: 'adjustments',
};

/** The sums by kind. Payins are shown gross, and their fees apart. */
function sumsOf(settled: readonly Movement[], currency: Currency): SettlementSum[] {
  const parts = settled.flatMap(({ type, amount, fees, count }): SettlementSum[] => {
    const fee = Money.of(fees, currency);
    const gross = { kind: kinds[type], amount: Money.of(amount, currency).plus(fee).toString(), count };
    return fee.isZero() ? [gross] : [gross, { kind: 'payin_fees', amount: fee.negated().toString(), count }];
  });
  return addSums(parts, currency);
}

function addSums(parts: readonly SettlementSum[], currency: Currency): SettlementSum[] {
  const byKind = Map.groupBy(parts, ({ kind }) => kind);
  return settlementKinds.flatMap((kind) => {
    const some = byKind.get(kind);
    if (!some) return [];
    const amount = some.reduce((sum, one) => sum.plus(Money.of(one.amount, currency)), Money.zero(currency));
    return [{ kind, amount: amount.toString(), count: some.reduce((sum, { count }) => sum + count, 0) }];
  });
}
