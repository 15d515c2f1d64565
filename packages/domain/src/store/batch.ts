import type { PoolClient } from 'pg';
import type { Approval } from '../core/approval.ts';
import {
  type Command,
  keeperOfId,
  merchantOf,
  namedApproval,
  namedCases,
  namedOrder,
  needsCases,
  otherMerchantOf,
  uniqueOrders,
} from '../core/commands.ts';
import { decideWithinLimit, isRehearsed, movesAlone, type OperatorDay } from '../core/daily-limit.ts';
import type { Taken } from '../core/decide.ts';
import { type Additions, type Circumstances, type Draft, noAdditions } from '../core/draft.ts';
import type { LedgerBatch } from '../core/ledger-batch.ts';
import type { Order } from '../core/order.ts';
import type { MoneyCase, Payment } from '../core/payment.ts';
import type { Rejection } from '../core/rejection.ts';
import type { Wallet } from '../core/wallet.ts';
import { key, nothing, type Subject, subjectsOf } from './batch-subjects.ts';
import { beginHolding, type Locking } from './begin.ts';
import { chainAdditions } from './chain-additions.ts';
import { refuseSilentRollback, run, settle } from './run-statement.ts';
import type { Statement, Statements } from './statements.ts';

/**
 * What became of one command: the order as it stands after it (null where the command is about none), or why not. `isRepeat`: the same was
 * created or booked before, and this has changed nothing.
 */
export type CommandResult = { ok: true; order: Order | null; isRepeat: boolean } | { ok: false; rejection: Rejection };

export interface BatchOutcome {
  /** One for each command; null where another session holds the merchant's wallet: that command was not begun. */
  results: (CommandResult | null)[];
  added: Additions;
  changedCases: MoneyCase[];
  changedApprovals: Approval[];
  changedDays: OperatorDay[];
  /** The orders that the batch wrote. */
  orders: Order[];
  chained: LedgerBatch[];
}

export type Surroundings = Pick<Circumstances, 'scheduleScale' | 'notificationRule'>;

/**
 * One transaction for all `commands`: load (lock the wallets in sorted order, read what the commands name), decide (pure,
 * one command after the other), write (one statement per table). Two round trips. Throws if anything fails, and then
 * nothing was written, unless it was the commit's answer that got lost.
 */
export async function runBatch(
  client: PoolClient,
  sql: Statements,
  commands: Command[],
  surroundings: Surroundings,
  locking: Locking,
): Promise<BatchOutcome> {
  try {
    const loaded = await load(client, sql, commands, locking);
    const decided = decideAll(loaded, commands, surroundings, locking);
    if (loaded.wallets.size === 0) await client.query('rollback');
    else await write(client, sql, loaded, decided);
    return decided;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

interface Loaded {
  now: number;
  wallets: Map<string, Wallet>;
  walletsBefore: ReadonlyMap<string, Wallet>;
  /** By merchant and order number. */
  subjects: Map<string, Subject>;
  /** By merchant and case number. */
  cases: Map<string, MoneyCase>;
  /** By merchant and approval id. */
  approvals: Map<string, Approval>;
  /** By merchant and merchant order number, or booking number. */
  taken: Map<string, Taken>;
  /** Commands whose decision is on record, by merchant and id. */
  decided: Set<string>;
  days: OperatorDay[];
}

interface Booked {
  merchantId: string;
  bookingNo: string;
  entry: string;
  amount: string;
}

const bookingKey = (booking: { merchantId: string; bookingNo: string }): string =>
  `${booking.merchantId} booking ${booking.bookingNo}`;

async function load(client: PoolClient, sql: Statements, commands: Command[], locking: Locking): Promise<Loaded> {
  const others = commands.map(otherMerchantOf).filter((other) => other !== null);
  const merchants = [...new Set([...commands.map(merchantOf), ...others])].sort();
  const refs = uniqueOrders(commands.map(namedOrder).filter((ref) => ref !== null));
  const fresh = commands.flatMap((c) => ('order' in c ? [c.order] : []));
  const refKeys = [refs.map((r) => r.merchantId), refs.map((r) => r.orderNo)];
  const bookings = commands.flatMap((c) => (c.type === 'bookWallet' ? [c] : []));
  const bookingKeys = [bookings.map((b) => b.merchantId), bookings.map((b) => b.bookingNo)];
  const cases = commands.flatMap(namedCases);
  const caseKeys = [cases.map((c) => c.merchantId), cases.map((c) => c.caseNo)];
  const agreed = commands.map(namedApproval).filter((found) => found !== null);
  const agreedKeys = [agreed.map((a) => a.merchantId), agreed.map((a) => a.approvalId)];
  const withCases = uniqueOrders(commands.map(needsCases).filter((ref) => ref !== null));
  const withCasesKeys = [withCases.map((r) => r.merchantId), withCases.map((r) => r.orderNo)];
  const recorded = commands.filter((command) => command.id !== undefined && keeperOfId(command) === 'record');
  const recordedKeys = [recorded.map(merchantOf), recorded.map(({ id }) => id)];
  const freshKeys = [fresh.map((o) => o.merchantId), fresh.map((o) => o.merchantOrderNo)];
  const alone = commands.filter((command) => movesAlone(command) !== null);
  const aloneKeys = [alone.map((c) => movesAlone(c)?.actor), alone.map(merchantOf)];
  // Sent in one go; the server answers them in order, each read seeing all that was committed before the lock was had.
  // What is read of merchants whose wallet was left out is not used.
  const [, wallets, orders, payments, counts, taken, booked, decidedCases, openCases, approvals, decided, days] =
    await Promise.all([
      client.query(beginHolding(locking)),
      run<Wallet & { now: number }>(client, locking.skipHeld ? sql.lockFreeWallets : sql.lockWallets, [merchants]),
      refs.length > 0 ? run<Order>(client, sql.ordersByKey, refKeys) : [],
      refs.length > 0 ? run<Payment>(client, sql.paymentsByOrder, refKeys) : [],
      refs.length > 0
        ? run<{ merchantId: string; orderNo: string; count: number }>(client, sql.transitionCounts, refKeys)
        : [],
      fresh.length > 0
        ? run<{ merchantId: string; merchantOrderNo: string; orderNo: string }>(client, sql.takenOrderNos, freshKeys)
        : [],
      bookings.length > 0 ? run<Booked>(client, sql.bookedNos, bookingKeys) : [],
      cases.length > 0 ? run<MoneyCase>(client, sql.casesByNo, caseKeys) : [],
      withCases.length > 0 ? run<MoneyCase>(client, sql.openCasesByOrder, withCasesKeys) : [],
      agreed.length > 0 ? run<Approval>(client, sql.approvalsById, agreedKeys) : [],
      recorded.length > 0 ? run<{ merchantId: string; id: string }>(client, sql.decidedCommands, recordedKeys) : [],
      // After the wallets, and in order: of two that wait for each other's rows neither could go on.
      alone.length > 0 ? run<OperatorDay>(client, sql.holdOperatorDays, aloneKeys) : [],
    ]);
  const subjects = subjectsOf(orders, payments, counts);
  const byMerchant = new Map<string, Wallet>(wallets.map(({ now: _, ...wallet }) => [wallet.merchantId, wallet]));
  return {
    // Of the lock that was had last.
    now: Math.max(0, ...wallets.map((wallet) => wallet.now)),
    wallets: byMerchant,
    walletsBefore: new Map(byMerchant),
    subjects,
    cases: new Map(
      [...decidedCases, ...openCases].map((found) => [key(found.merchantId, String(found.caseNo)), found]),
    ),
    approvals: new Map(approvals.map((found) => [key(found.merchantId, found.approvalId), found])),
    decided: new Set(decided.map(({ merchantId, id }) => key(merchantId, id))),
    taken: new Map<string, Taken>([
      ...taken.map((row) => [key(row.merchantId, row.merchantOrderNo), { orderNo: row.orderNo }] as const),
      ...booked.map((row) => [bookingKey(row), { orderNo: row.bookingNo, booked: row }] as const),
    ]),
    days,
  };
}

function decideAll(
  loaded: Loaded,
  commands: Command[],
  surroundings: Surroundings,
  { skipHeld }: Locking,
): BatchOutcome {
  const on: Circumstances = { ...surroundings, now: loaded.now };
  const added = noAdditions();
  const changedCases: MoneyCase[] = [];
  const changedApprovals: Approval[] = [];
  const results = commands.map((command): CommandResult | null => {
    const merchantId = merchantOf(command);
    const wallet = loaded.wallets.get(merchantId);
    const other = otherMerchantOf(command);
    const otherWallet = other === null ? null : loaded.wallets.get(other);
    if ((!wallet || otherWallet === undefined) && skipHeld) return null;
    if (!wallet || otherWallet === undefined) throw new Error(`merchant ${wallet ? other : merchantId} has no wallet`);
    const isNew = 'order' in command;
    const takenKey = isNew
      ? key(merchantId, command.order.merchantOrderNo)
      : command.type === 'bookWallet'
        ? bookingKey(command)
        : null;
    const taken = (takenKey !== null && loaded.taken.get(takenKey)) || null;
    const ref = isNew ? command.order : namedOrder(command);
    const subject = (ref && loaded.subjects.get(key(ref.merchantId, ref.orderNo))) ?? nothing();
    // Tried again after its answer was lost: answered as the first time.
    if (isDone(loaded, command, subject.order))
      return { ok: true, order: subject.order && { ...subject.order }, isRepeat: false };
    const draft: Draft = {
      wallet,
      order: subject.order,
      payments: subject.payments,
      transitionCount: subject.transitionCount,
      added,
      otherWallet,
      cases: needsCases(command) || 'caseNo' in command ? [...loaded.cases.values()] : [],
      changedCases,
      approval: approvalOf(loaded, command),
      changedApprovals,
      traceparent: command.traceparent ?? null,
    };
    const rejection = decideWithinLimit(draft, command, taken, on, loaded.days);
    if (rejection) return { ok: false, rejection };
    if (isRehearsed(command)) return { ok: true, order: subject.order, isRepeat: taken !== null };
    loaded.wallets.set(merchantId, draft.wallet);
    if (draft.otherWallet) loaded.wallets.set(draft.otherWallet.merchantId, draft.otherWallet);
    if (draft.approval) loaded.approvals.set(key(merchantId, draft.approval.approvalId), draft.approval);
    Object.assign(subject, { order: draft.order, transitionCount: draft.transitionCount, changed: true });
    if (keeperOfId(command) === 'order' && draft.order) draft.order.commandId = command.id ?? null;
    if (isNew && !taken) subject.isNew = true;
    if (takenKey !== null && !taken) loaded.taken.set(takenKey, takenBy(command));
    if (ref) loaded.subjects.set(key(ref.merchantId, ref.orderNo), subject);
    return { ok: true, order: draft.order && { ...draft.order }, isRepeat: taken !== null };
  });
  const orders = [...loaded.subjects.values()].flatMap((s) => (s.isNew && s.order ? [s.order] : []));
  return {
    results,
    added,
    chained: chainAdditions(loaded.wallets, { ...added, orders }, loaded.now),
    changedCases,
    changedApprovals,
    changedDays: loaded.days,
    orders: [...loaded.subjects.values()].flatMap((s) => (s.changed && s.order ? [s.order] : [])),
  };
}

/** Whether the command has had its effect already, in a transaction whose answer was lost. */
function isDone(loaded: Loaded, command: Command, order: Order | null): boolean {
  if (command.id === undefined) return false;
  const keeper = keeperOfId(command);
  if (keeper === 'order') return order?.commandId === command.id;
  return keeper === 'record' && loaded.decided.has(key(merchantOf(command), command.id));
}

function approvalOf(loaded: Loaded, command: Command): Approval | null {
  const named = namedApproval(command);
  return (named && loaded.approvals.get(key(named.merchantId, named.approvalId))) ?? null;
}

function takenBy(command: Command): Taken {
  if ('order' in command) return { orderNo: command.order.orderNo };
  return command.type === 'bookWallet' ? { orderNo: command.bookingNo, booked: command } : { orderNo: '' };
}

async function write(
  client: PoolClient,
  sql: Statements,
  loaded: Loaded,
  { added, chained, changedCases, changedApprovals, changedDays }: BatchOutcome,
): Promise<void> {
  const changed = [...loaded.subjects.values()].filter((s) => s.changed && s.order !== null);
  const wallets = [...loaded.wallets.values()].filter((w) => w !== loaded.walletsBefore.get(w.merchantId));
  const sent: [Statement, object[]][] = [
    [sql.insertOrders, changed.filter((s) => s.isNew).map((s) => s.order as Order)],
    [sql.updateOrders, changed.filter((s) => !s.isNew).map((s) => s.order as Order)],
    [sql.insertTransitions, added.transitions],
    [sql.insertEntries, added.entries],
    [sql.insertTransfers, added.transfers],
    [sql.insertPayments, added.payments],
    [sql.insertBatches, chained],
    [sql.insertCases, added.cases],
    [sql.updateCases, changedCases],
    [sql.updateApprovals, changedApprovals],
    [sql.updateOperatorDays, changedDays],
    [sql.insertAudits, added.audits],
    [sql.insertNotifications, added.notifications],
    [sql.updateWallets, wallets],
  ];
  const writes = sent
    .filter(([, rows]) => rows.length > 0)
    .map(([statement, rows]) => run(client, statement, [JSON.stringify(rows)]));
  await settle([...writes, client.query('commit').then(refuseSilentRollback)]);
}
