import type { PoolClient } from 'pg';
import type { Command } from '../core/commands.ts';
import type { Order } from '../core/order.ts';
import type { MoneyCase } from '../core/payment.ts';
import type { Rejection } from '../core/rejection.ts';
import type { Wallet } from '../core/wallet.ts';
import { beginHolding, type Locking, planningByKey } from '../database/begin.ts';
import type { WritingStatement } from '../database/row-parameters.ts';
import { refuseSilentRollback, run, settle } from '../database/run-statement.ts';
import { rollBackOnFailure } from '../database/transaction.ts';
import { type BatchOutcome, type CommandResult, decideAll, type WriterContext } from './decide-batch.ts';
import type { Statements } from './queries.ts';
import { type Loaded, loadRecords } from './records/index.ts';

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
        orders: [...loaded.orders.values()].flatMap(({ order }) => order ?? []),
        cases: [...loaded.cases.values()],
      },
      after: { wallets: written.wallets, orders: written.changedOrders, cases: rows.cases.changed },
    };
  });
}

/** Begins the transaction, and reads all that the commands need in the same round trip. */
async function load(
  client: PoolClient,
  sql: Statements,
  commands: Command[],
  { skipHeld }: Pick<Locking, 'skipHeld'>,
  opening: string,
): Promise<Loaded> {
  const [, loaded] = await Promise.all([client.query(opening), loadRecords(client, sql, commands, skipHeld)]);
  return loaded;
}

async function write(client: PoolClient, sql: Statements, outcome: BatchOutcome): Promise<void> {
  await settle([...writesOf(client, sql, outcome), client.query('commit').then(refuseSilentRollback)]);
}

function writesOf(client: PoolClient, sql: Statements, { rows, written, chained }: BatchOutcome): Promise<unknown>[] {
  const sent: [WritingStatement, readonly object[]][] = [
    // The database compares entries, transfers and records with their batch, and payouts with their entries.
    [sql.insertBatches, chained],
    [sql.insertEntries, rows.entries.added],
    [sql.insertTransfers, rows.transfers.added],
    [sql.insertOrders, written.newOrders],
    [sql.updateOrders, written.changedOrders],
    [sql.insertTransitions, rows.transitions.added],
    // Refunds are written before payments and the cases: the database compares both with what a refund moved.
    [sql.insertRefunds, rows.refunds.added],
    [sql.updateRefunds, rows.refunds.changed],
    [sql.insertPayments, rows.payments.added],
    [sql.insertCases, rows.cases.added],
    [sql.updateCases, rows.cases.changed],
    [sql.writeSettlements, rows.settlements.changed],
    [sql.insertApprovals, rows.approvals.added],
    [sql.updateApprovals, rows.approvals.changed],
    [sql.updateOperatorDays, written.days],
    [sql.insertAudits, rows.audits.added],
    [sql.insertNotifications, rows.notifications.added],
    [sql.updateWallets, written.wallets],
  ];
  return sent
    .filter(([, rows]) => rows.length > 0)
    .map(([statement, rows]) => run(client, statement, statement.valuesOf(rows)));
}
