import type { PoolClient } from 'pg';
import { type Approval, objectsOf } from '../core/approval.ts';
import {
  type Command,
  merchantOf,
  namedBookings,
  namedOrder,
  neededApproval,
  needsClaimants,
  needsReturned,
  otherMerchantOf,
  uniqueOrders,
} from '../core/commands.ts';
import { operatorActingAlone } from '../core/daily-limit.ts';
import type { Account } from '../core/ledger.ts';
import type { OperatorDay } from '../core/operator.ts';
import type { Order } from '../core/order.ts';
import type { MoneyCase, Payment } from '../core/payment.ts';
import type { Rejection } from '../core/rejection.ts';
import type { Existing } from '../core/state.ts';
import type { Wallet } from '../core/wallet.ts';
import { beginHolding, type Locking, planningByKey } from '../database/begin.ts';
import { refuseSilentRollback, run, settle } from '../database/run-statement.ts';
import { rollBackOnFailure } from '../database/transaction.ts';
import { bookingKey, key, subjectsOf } from './batch-subjects.ts';
import {
  type BatchOutcome,
  type CommandResult,
  dayKey,
  decideAll,
  type Loaded,
  type WriterContext,
} from './decide-batch.ts';
import { readNamed } from './read-named.ts';
import type { WritingStatement } from './row-parameters.ts';
import type { Statements } from './statements.ts';

/**
 * One transaction for all `commands`: load (lock the wallets in sorted order, read what the commands name), decide (pure,
 * one command after the other), write (one statement per table). Two round trips. Throws if anything fails, and then
 * nothing was written, unless it was the commit's answer that got lost.
 */
export function runBatch(
  client: PoolClient,
  sql: Statements,
  commands: Command[],
  writerContext: WriterContext,
  locking: Locking,
): Promise<BatchOutcome> {
  return rollBackOnFailure(client, async () => {
    const loaded = await load(client, sql, commands, locking, beginHolding(locking));
    const decided = decideAll(loaded, commands, writerContext, locking);
    if (loaded.wallets.size === 0) await client.query('rollback');
    else await write(client, sql, decided);
    return decided;
  });
}

/**
 * Loads, decides and writes the commands within the caller's transaction, all of them or none. The caller holds the wallets of their merchants already.
 * Resolves to the outcome, or to the first rejection; then nothing was written.
 */
export async function runWithin(
  client: PoolClient,
  sql: Statements,
  commands: Command[],
  writerContext: WriterContext,
): Promise<BatchOutcome | Rejection> {
  const waiting = { skipHeld: false, lockMs: 0 };
  const loaded = await load(client, sql, commands, waiting, planningByKey);
  const outcome = decideAll(loaded, commands, writerContext, waiting);
  for (const result of outcome.results) if (result?.ok === false) return result.rejection;
  await settle(writesOf(client, sql, outcome));
  return outcome;
}

/** The result of a rehearsed command, with the wallets, orders and cases before it and those that it would change after it. */
export interface RehearsalResult {
  result: CommandResult;
  before: { wallets: readonly Wallet[]; orders: readonly Order[]; cases: readonly MoneyCase[] };
  after: { wallets: readonly Wallet[]; orders: readonly Order[]; cases: readonly MoneyCase[] };
}

/**
 * Loads, decides and writes one command as `runBatch` does, and rolls it back: the database checks it too, and nothing
 * comes of it. Throws as `runBatch` does.
 */
export function rehearseCommand(
  client: PoolClient,
  sql: Statements,
  command: Command,
  writerContext: WriterContext,
  locking: Locking,
): Promise<RehearsalResult> {
  return rollBackOnFailure(client, async () => {
    const loaded = await load(client, sql, [command], locking, beginHolding(locking));
    const outcome = decideAll(loaded, [command], writerContext, locking);
    const [result] = outcome.results;
    if (!result) throw new Error('a rehearsed command was left out');
    if (result.ok) await settle([...writesOf(client, sql, outcome), client.query('set constraints all immediate')]);
    await client.query('rollback');
    const { written, rows } = outcome;
    return {
      result,
      before: {
        wallets: [...loaded.wallets.values()],
        orders: [...loaded.subjects.values()].flatMap(({ order }) => order ?? []),
        cases: [...loaded.cases.values()],
      },
      after: { wallets: written.wallets, orders: written.changedOrders, cases: rows.changedCases },
    };
  });
}

interface Booked {
  merchantId: string;
  bookingNo: string;
  entry: string;
  amount: string;
  counter: Account | null;
}

async function load(
  client: PoolClient,
  sql: Statements,
  commands: Command[],
  { skipHeld }: Pick<Locking, 'skipHeld'>,
  opening: string,
): Promise<Loaded> {
  const others = commands.map(otherMerchantOf).filter((other) => other !== null);
  const merchants = [...new Set([...commands.map(merchantOf), ...others])].sort();
  const refs = uniqueOrders(commands.map(namedOrder).filter((ref) => ref !== null));
  const fresh = commands.flatMap((c) => ('order' in c ? [c.order] : []));
  const refKeys = [refs.map((r) => r.merchantId), refs.map((r) => r.orderNo)];
  const proved = uniqueOrders(commands.map(needsClaimants).filter((ref) => ref !== null));
  const provedKeys = [proved.map((r) => r.merchantId), proved.map((r) => r.orderNo)];
  const credited = uniqueOrders(commands.map(needsReturned).filter((ref) => ref !== null));
  const creditedKeys = [credited.map((r) => r.merchantId), credited.map((r) => r.orderNo)];
  const bookings = commands.flatMap(namedBookings);
  const bookingKeys = [bookings.map((b) => b.merchantId), bookings.map((b) => b.bookingNo)];
  const agreed = commands.map(neededApproval).filter((found) => found !== null);
  const agreedKeys = [agreed.map((a) => a.merchantId), agreed.map((a) => a.approvalId)];
  const asked = commands.flatMap((c) => (c.type === 'requestApproval' ? [c] : []));
  const objects = asked.flatMap((c) => objectsOf(c).map((subject) => ({ ...c, subject })));
  const askedKeys = [objects.map((c) => c.merchantId), objects.map((c) => c.subject)];
  const freshKeys = [fresh.map((o) => o.merchantId), fresh.map((o) => o.merchantOrderNo)];
  const alone = commands.filter((command) => operatorActingAlone(command) !== null);
  const aloneKeys = [alone.map((c) => operatorActingAlone(c)?.actor), alone.map(merchantOf)];
  // Sent in one go. The server answers in order, so each read sees all that was committed before the wallets were
  // locked. Rows of merchants whose wallet was left out are not used.
  const [, wallets, orders, payments, counts, claims, returns, known, booked, named, approvals, waiting, days] =
    await Promise.all([
      client.query(opening),
      run<Wallet & { now: number }>(client, skipHeld ? sql.lockFreeWallets : sql.lockWallets, [merchants]),
      refs.length > 0 ? run<Order>(client, sql.ordersByKey, refKeys) : [],
      refs.length > 0 ? run<Payment>(client, sql.paymentsByOrder, refKeys) : [],
      refs.length > 0
        ? run<{ merchantId: string; orderNo: string; count: number }>(client, sql.transitionCounts, refKeys)
        : [],
      proved.length > 0
        ? run<{ merchantId: string; orderNo: string; actor: string }>(client, sql.claimantsByOrder, provedKeys)
        : [],
      credited.length > 0
        ? run<{ merchantId: string; orderNo: string; amount: string }>(client, sql.returnedByOrder, creditedKeys)
        : [],
      fresh.length > 0
        ? run<{ merchantId: string; merchantOrderNo: string; orderNo: string }>(client, sql.takenOrderNos, freshKeys)
        : [],
      bookings.length > 0 ? run<Booked>(client, sql.bookedNos, bookingKeys) : [],
      readNamed(client, sql, commands),
      agreed.length > 0 ? run<Approval>(client, sql.approvalsById, agreedKeys) : [],
      asked.length > 0 ? run<Approval>(client, sql.waitingApprovals, askedKeys) : [],
      // These rows are locked after the wallets and in sorted order. Otherwise two transactions could wait for each
      // other.
      alone.length > 0 ? run<OperatorDay>(client, sql.holdOperatorDays, aloneKeys) : [],
    ]);
  const subjects = subjectsOf(orders, payments, counts, claims, returns);
  return {
    // The time at which the last wallet was locked.
    now: Math.max(0, ...wallets.map((wallet) => wallet.now)),
    wallets: new Map<string, Wallet>(wallets.map(({ now: _, ...wallet }) => [wallet.merchantId, wallet])),
    subjects,
    ...named,
    approvals: new Map([...approvals, ...waiting].map((found) => [key(found.merchantId, found.approvalId), found])),
    existing: new Map<string, Existing>([
      ...known.map((row) => [key(row.merchantId, row.merchantOrderNo), { orderNo: row.orderNo }] as const),
      ...booked.map((row) => [bookingKey(row), { orderNo: row.bookingNo, booked: row }] as const),
    ]),
    days: new Map(days.map((day) => [dayKey(day.operatorId, day.currency), day])),
  };
}

async function write(client: PoolClient, sql: Statements, outcome: BatchOutcome): Promise<void> {
  await settle([...writesOf(client, sql, outcome), client.query('commit').then(refuseSilentRollback)]);
}

function writesOf(client: PoolClient, sql: Statements, { rows, written, chained }: BatchOutcome): Promise<unknown>[] {
  const sent: [WritingStatement, readonly object[]][] = [
    // The database compares entries and transfers with their batch, and payouts with their entries.
    [sql.insertBatches, chained],
    [sql.insertEntries, rows.entries],
    [sql.insertTransfers, rows.transfers],
    [sql.insertOrders, written.newOrders],
    [sql.updateOrders, written.changedOrders],
    [sql.insertTransitions, rows.transitions],
    [sql.insertPayments, rows.payments],
    [sql.insertCases, rows.cases],
    [sql.insertRefunds, rows.newRefunds],
    // Refunds are written before the cases, because the database compares a case with its refund.
    [sql.updateRefunds, rows.changedRefunds],
    [sql.updateCases, rows.changedCases],
    [sql.writeSettlements, rows.settlements],
    [sql.insertApprovals, rows.newApprovals],
    [sql.updateApprovals, rows.approvals],
    [sql.updateOperatorDays, written.days],
    [sql.insertAudits, rows.audits],
    [sql.insertNotifications, rows.notifications],
    [sql.updateWallets, written.wallets],
  ];
  return sent
    .filter(([, rows]) => rows.length > 0)
    .map(([statement, rows]) => run(client, statement, statement.valuesOf(rows)));
}
