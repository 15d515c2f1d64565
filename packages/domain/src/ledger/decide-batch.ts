import { type Approval, objectsOf, problemOfApproval } from '../core/approval.ts';
import {
  type Command,
  keeperOfId,
  merchantOf,
  namedOrder,
  namedRefund,
  namedSettlement,
  neededApproval,
  needsCases,
  otherMerchantOf,
  reversalNoOf,
} from '../core/commands.ts';
import type { Currency } from '../core/country.ts';
import { isRehearsed, operatorActingAlone } from '../core/daily-limit.ts';
import { type Decided, decide } from '../core/decide.ts';
import { type Effect, effectOf } from '../core/effect.ts';
import type { LedgerEvent } from '../core/events.ts';
import type { LedgerBatch } from '../core/ledger-batch.ts';
import { signedSum } from '../core/money.ts';
import type { OperatorDay } from '../core/operator.ts';
import type { Order } from '../core/order.ts';
import type { MoneyCase } from '../core/payment.ts';
import type { Refund } from '../core/refund.ts';
import type { Rejection } from '../core/rejection.ts';
import { isCreditSince, type Settlement } from '../core/settlement.ts';
import type { Context, Existing, State } from '../core/state.ts';
import type { Wallet, WalletEntry } from '../core/wallet.ts';
import type { Locking } from '../database/begin.ts';
import { bookingKey, key, nothing, type Subject } from './batch-subjects.ts';
import { chainAdditions } from './chain-additions.ts';
import { type EventRows, rowsOf } from './event-rows.ts';

/**
 * The result of a command: the order after it (null if the command is about none), or the rejection. `isRepeat`: the
 * same was created or booked before, and this has changed nothing. `effect`: what a rehearsed command would do.
 */
export type CommandResult =
  | { ok: true; order: Order | null; isRepeat: boolean; effect?: Effect }
  | { ok: false; rejection: Rejection };

export interface BatchOutcome {
  /** One for each command. Null if another session holds the merchant's wallet: that command did not start. */
  results: (CommandResult | null)[];
  /** The merchants whose wallets were locked. */
  locked: ReadonlySet<string>;
  /** The events, in order. */
  events: LedgerEvent[];
  rows: EventRows;
  written: Written;
  chained: LedgerBatch[];
}

/** The rows that the batch has changed, in their final state. */
interface Written {
  newOrders: Order[];
  changedOrders: Order[];
  wallets: Wallet[];
  days: OperatorDay[];
}

export type WriterContext = Omit<Context, 'now'>;

/** A settlement, and what came into its wallet after the entries that its approval has summed up. */
export interface LoadedSettlement {
  readonly settlement: Settlement;
  /** Decimal text; null: too many entries to read under the lock. */
  readonly creditedSince: string | null;
  readonly isFileOut: boolean;
}

/** The rows that a batch reads before it decides its commands. */
export interface Loaded {
  /** The database's clock. */
  readonly now: number;
  readonly wallets: ReadonlyMap<string, Wallet>;
  /** Orders by merchant and order number. */
  readonly subjects: ReadonlyMap<string, Subject>;
  /** Cases by merchant and case number. */
  readonly cases: ReadonlyMap<string, MoneyCase>;
  /** Refunds by merchant and refund number. */
  readonly refunds: ReadonlyMap<string, Refund>;
  /** Settlements by merchant and sequence. */
  readonly settlements: ReadonlyMap<string, LoadedSettlement>;
  /** Approvals by merchant and approval id: those that commands name, and those that wait about the subject of a new one. */
  readonly approvals: ReadonlyMap<string, Approval>;
  /** Existing orders and bookings, by merchant and merchant order number or booking number. */
  readonly existing: ReadonlyMap<string, Existing>;
  /** Commands whose decision is on record, by merchant and id. */
  readonly decided: ReadonlySet<string>;
  /** Amounts moved today, by operator and currency. */
  readonly days: ReadonlyMap<string, OperatorDay>;
  /** Merchants whose payouts are stopped, of those whose commands may send money. */
  readonly stopped: ReadonlySet<string>;
}

/**
 * The rows on which the next command is decided: the rows that were read, with the results of the commands before it.
 * The values are immutable. The maps are copies that only `decideAll` has, because a copy for each command would take
 * longer than most decisions (docs/adr/0014-decisions-are-values.md).
 */
interface Progress {
  readonly wallets: Map<string, Wallet>;
  readonly subjects: Map<string, Subject>;
  readonly cases: Map<string, MoneyCase>;
  readonly refunds: Map<string, Refund>;
  readonly settlements: Map<string, LoadedSettlement>;
  readonly approvals: Map<string, Approval>;
  readonly existing: Map<string, Existing>;
  readonly decided: ReadonlySet<string>;
  readonly days: Map<string, OperatorDay>;
  readonly stopped: ReadonlySet<string>;
}

function begin(loaded: Loaded): Progress {
  const { wallets, subjects, cases, refunds, settlements, approvals, existing, decided, days, stopped } = loaded;
  return {
    wallets: new Map(wallets),
    subjects: new Map(subjects),
    cases: new Map(cases),
    refunds: new Map(refunds),
    settlements: new Map(settlements),
    approvals: new Map(approvals),
    existing: new Map(existing),
    decided,
    days: new Map(days),
    stopped,
  };
}

export const dayKey = (operatorId: string, currency: string): string => `${operatorId} ${currency}`;

/** Decides the commands one after the other, each on the state after the previous ones. Pure. */
export function decideAll(
  loaded: Loaded,
  commands: readonly Command[],
  writerContext: WriterContext,
  { skipHeld }: Locking,
): BatchOutcome {
  const context: Context = { ...writerContext, now: loaded.now };
  const progress = begin(loaded);
  const events: LedgerEvent[] = [];
  const results = commands.map((command): CommandResult | null => {
    const missing = missingWallet(progress, command);
    if (missing !== null && skipHeld) return null;
    if (missing !== null) throw new Error(`merchant ${missing} has no wallet`);
    const keys = keysOf(command);
    const state = stateFor(progress, command, keys, loaded.now);
    // If a command is tried again after its answer was lost, it gets the same answer as the first time.
    if (isDone(progress, command, state)) return { ok: true, order: state.order, isRepeat: false };
    const decided = decide(state, command, context);
    if (typeof decided === 'string') return { ok: false, rejection: decided };
    const isRepeat = state.existing !== null;
    if (isRehearsed(command)) return { ok: true, order: state.order, isRepeat, effect: effectOf(decided) };
    for (const event of decided.events) events.push(event);
    keep(progress, command, keys, decided);
    return { ok: true, order: decided.state.order, isRepeat };
  });
  const rows = rowsOf(events);
  const changed = [...progress.subjects.values()].filter((subject) => subject.changed);
  const newOrders = changed.flatMap(({ order, isNew }) => (order && isNew ? [order] : []));
  const chained = chainAdditions(progress.wallets, { ...rows, orders: newOrders });
  return {
    results,
    locked: new Set(loaded.wallets.keys()),
    events,
    rows,
    chained,
    written: {
      newOrders,
      changedOrders: changed.flatMap(({ order, isNew }) => (order && !isNew ? [order] : [])),
      wallets: [...progress.wallets.values()].filter((wallet) => wallet !== loaded.wallets.get(wallet.merchantId)),
      days: [...progress.days.values()],
    },
  };
}

/**
 * The keys of the command's order, and of an existing row with its number, in the rows that were read; null if it has
 * none.
 */
interface Keys {
  subject: string | null;
  existing: string | null;
}

function keysOf(command: Command): Keys {
  if ('order' in command) {
    const { merchantId, orderNo, merchantOrderNo } = command.order;
    return { subject: key(merchantId, orderNo), existing: key(merchantId, merchantOrderNo) };
  }
  const ref = namedOrder(command);
  const existing = 'bookingNo' in command ? bookingKey(command) : null;
  return { subject: ref && key(ref.merchantId, ref.orderNo), existing };
}

function subjectOf({ subjects }: Progress, { subject }: Keys): Subject {
  return (subject !== null && subjects.get(subject)) || nothing;
}

/** The state that the command is decided on. Its wallets are loaded. */
function stateFor(progress: Progress, command: Command, keys: Keys, now: number): State {
  const { order, payments, transitionCount, claimants, returned } = subjectOf(progress, keys);
  const wallet = progress.wallets.get(merchantOf(command)) as Wallet;
  const other = otherMerchantOf(command);
  const alone = operatorActingAlone(command);
  return {
    wallet,
    otherWallet: (other !== null && progress.wallets.get(other)) || null,
    order,
    payments,
    claimants,
    returned,
    transitionCount,
    cases: needsCases(command) || 'caseNo' in command ? [...progress.cases.values()] : none,
    refund: refundOf(progress, command),
    ...settlementOf(progress, command),
    approval: approvalOf(progress, command),
    waiting: waitingBefore(progress, command, now),
    operatorDay: (alone && progress.days.get(dayKey(alone.actor, wallet.currency))) ?? null,
    payoutsStopped: progress.stopped.has(wallet.merchantId),
    existing: (keys.existing !== null && progress.existing.get(keys.existing)) || null,
    reversed: reversedBy(progress, command),
    isTakenBack: isTakenBack(progress, command),
  };
}

const none: readonly MoneyCase[] = [];

/** Makes the result of this command visible to the next commands of the batch. */
function keep(progress: Progress, command: Command, keys: Keys, { state, events }: Decided): void {
  const {
    wallet,
    otherWallet,
    order,
    payments,
    transitionCount,
    claimants,
    returned,
    refund,
    settlement,
    approval,
    operatorDay,
    existing,
  } = state;
  progress.wallets.set(wallet.merchantId, wallet);
  if (otherWallet) progress.wallets.set(otherWallet.merchantId, otherWallet);
  if (refund) progress.refunds.set(key(refund.merchantId, refund.refundNo), refund);
  if (progress.settlements.size > 0 || settlement) keepSettlements(progress, settlement, events);
  if (approval) progress.approvals.set(key(approval.merchantId, approval.approvalId), approval);
  if (operatorDay) progress.days.set(dayKey(operatorDay.operatorId, operatorDay.currency), operatorDay);
  const before = subjectOf(progress, keys);
  const isNew = before.isNew || ('order' in command && !existing);
  // An answer that says nothing new writes nothing.
  const changed = before.changed || order !== before.order;
  if (keys.subject !== null)
    progress.subjects.set(keys.subject, { order, payments, transitionCount, claimants, returned, isNew, changed });
  if (keys.existing !== null && !existing && 'order' in command)
    progress.existing.set(keys.existing, { orderNo: command.order.orderNo });
  for (const event of events) if (event.type === 'entry made') keepBooking(progress, event.entry);
  // The state has all that events changed, whatever kind they are of.
  for (const one of state.cases) progress.cases.set(key(one.merchantId, String(one.caseNo)), one);
}

/** A merchant whose wallet the command needs and the batch could not lock. */
function missingWallet({ wallets }: Progress, command: Command): string | null {
  const merchantId = merchantOf(command);
  if (!wallets.has(merchantId)) return merchantId;
  const other = otherMerchantOf(command);
  return other === null || wallets.has(other) ? null : other;
}

/** Whether the command has had its effect already, in a transaction whose answer was lost. */
function isDone(progress: Progress, command: Command, { order, refund, settlement }: State): boolean {
  if (command.id === undefined) return false;
  const keeper = keeperOfId(command);
  if (keeper === 'order') return order?.commandId === command.id;
  if (keeper === 'refund') return refund?.commandId === command.id;
  if (keeper === 'settlement') return settlement?.commandId === command.id;
  return keeper === 'record' && progress.decided.has(key(merchantOf(command), command.id));
}

function refundOf({ refunds }: Progress, command: Command): Refund | null {
  const named = namedRefund(command);
  return (named && refunds.get(key(named.merchantId, named.refundNo))) ?? null;
}

const noSettlement = { settlement: null, creditedSince: '0.00', isFileOut: false };

function settlementOf(
  { settlements }: Progress,
  command: Command,
): Pick<State, 'settlement' | 'creditedSince' | 'isFileOut'> {
  const named = namedSettlement(command);
  return (named && settlements.get(key(named.merchantId, String(named.seq)))) ?? noSettlement;
}

/** Credits of this batch came after the drafts of the wallet. */
function keepSettlements({ settlements }: Progress, written: Settlement | null, events: readonly LedgerEvent[]): void {
  for (const event of events) {
    if (event.type !== 'entry made' || !isCreditSince(event.entry)) continue;
    const { merchantId, availableChange } = event.entry;
    for (const [at, { settlement, creditedSince, isFileOut }] of settlements)
      if (settlement.merchantId === merchantId)
        settlements.set(at, {
          settlement,
          isFileOut,
          creditedSince: creditedSince && signedSum(settlement.currency as Currency, creditedSince, availableChange),
        });
  }
  if (!written) return;
  const at = key(written.merchantId, String(written.seq));
  const { creditedSince = null, isFileOut = false } = settlements.get(at) ?? {};
  settlements.set(at, { settlement: written, creditedSince, isFileOut });
}

function approvalOf(progress: Progress, command: Command): Approval | null {
  const named = neededApproval(command);
  return (named && progress.approvals.get(key(named.merchantId, named.approvalId))) ?? null;
}

/** Two requests about the same object may contradict each other, so only one waits at a time. */
function waitingBefore({ approvals }: Progress, command: Command, now: number): Approval | null {
  if (command.type !== 'requestApproval') return null;
  const { merchantId, approvalId } = command;
  const objects = new Set(objectsOf(command));
  const isOther = (one: Approval): boolean =>
    one.merchantId === merchantId && one.approvalId !== approvalId && !objects.isDisjointFrom(new Set(objectsOf(one)));
  return [...approvals.values()].find((one) => isOther(one) && problemOfApproval(one, now) === null) ?? null;
}

/** A booking of this batch is there for the commands after it. */
function keepBooking({ existing }: Progress, entry: WalletEntry): void {
  const { merchantId, bookingNo, type, availableChange, counter } = entry;
  if (bookingNo === null) return;
  const booked = { entry: type, amount: availableChange, counter };
  existing.set(bookingKey({ merchantId, bookingNo }), { orderNo: bookingNo, booked });
}

function isTakenBack({ existing }: Progress, command: Command): boolean {
  if (command.type !== 'bookWallet') return false;
  const { merchantId, bookingNo } = command;
  return existing.has(bookingKey({ merchantId, bookingNo: reversalNoOf(bookingNo) }));
}

function reversedBy({ existing }: Progress, command: Command): Existing | null {
  if (command.type !== 'reverseBooking') return null;
  return existing.get(bookingKey({ merchantId: command.merchantId, bookingNo: command.reverses })) ?? null;
}
