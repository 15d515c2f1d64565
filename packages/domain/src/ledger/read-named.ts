import type { PoolClient } from 'pg';
import {
  type Command,
  keeperOfId,
  merchantOf,
  namedCases,
  namedRefund,
  namedReturns,
  namedSettlement,
  needsCases,
  uniqueOrders,
} from '../core/commands.ts';
import type { MoneyCase } from '../core/payment.ts';
import { maySendMoney } from '../core/payout-stop.ts';
import type { Refund } from '../core/refund.ts';
import type { Settlement } from '../core/settlement.ts';
import { run } from '../database/run-statement.ts';
import { key } from './batch-subjects.ts';
import type { Loaded, LoadedSettlement } from './decide-batch.ts';
import type { Statements } from './statements.ts';

/** What few commands name or need. Nothing is read for the others. All statements are sent at once. */
export async function readNamed(
  client: PoolClient,
  sql: Statements,
  commands: Command[],
): Promise<Pick<Loaded, 'cases' | 'refunds' | 'settlements' | 'decided' | 'stopped'>> {
  const [cases, refunds, settlements, decided, stopped] = await Promise.all([
    readCases(client, sql, commands),
    readRefunds(client, sql, commands),
    readSettlements(client, sql, commands),
    readDecided(client, sql, commands),
    readStopped(client, sql, commands),
  ]);
  return { cases, refunds, settlements, decided, stopped };
}

/** Of these commands, those whose decision is on record. */
async function readDecided(client: PoolClient, sql: Statements, commands: Command[]): Promise<Set<string>> {
  const recorded = commands.filter((command) => command.id !== undefined && keeperOfId(command) === 'record');
  if (recorded.length === 0) return new Set();
  const keys = [recorded.map(merchantOf), recorded.map(({ id }) => id)];
  const found = await run<{ merchantId: string; id: string }>(client, sql.decidedCommands, keys);
  return new Set(found.map(({ merchantId, id }) => key(merchantId, id)));
}

/** The merchants whose payouts are stopped, of those whose commands may send money. */
async function readStopped(client: PoolClient, sql: Statements, commands: Command[]): Promise<Set<string>> {
  const sending = [...new Set(commands.filter(maySendMoney).map(merchantOf))];
  if (sending.length === 0) return new Set();
  const found = await run<{ merchantId: string }>(client, sql.stoppedPayouts, [sending]);
  return new Set(found.map(({ merchantId }) => merchantId));
}

/** The cases that the commands name or need, by merchant and number. */
async function readCases(client: PoolClient, sql: Statements, commands: Command[]): Promise<Map<string, MoneyCase>> {
  const named = commands.flatMap(namedCases);
  const orders = uniqueOrders(commands.map(needsCases).filter((ref) => ref !== null));
  const byNo = [named.map((one) => one.merchantId), named.map((one) => one.caseNo)];
  const byOrder = [orders.map((ref) => ref.merchantId), orders.map((ref) => ref.orderNo)];
  const returns = commands.flatMap(namedReturns);
  const ofReturns = [returns.map((one) => one.merchantId), returns.map((one) => one.caseNo)];
  const found = await Promise.all([
    named.length > 0 ? run<MoneyCase>(client, sql.casesByNo, byNo) : [],
    orders.length > 0 ? run<MoneyCase>(client, sql.openCasesByOrder, byOrder) : [],
    returns.length > 0 ? run<MoneyCase>(client, sql.casesOfUnknownPayouts, ofReturns) : [],
  ]);
  return new Map(found.flat().map((one) => [key(one.merchantId, String(one.caseNo)), one]));
}

/** The refunds that the commands name, by merchant and number. */
async function readRefunds(client: PoolClient, sql: Statements, commands: Command[]): Promise<Map<string, Refund>> {
  const refs = commands.map(namedRefund).filter((found) => found !== null);
  if (refs.length === 0) return new Map();
  const keys = [refs.map((ref) => ref.merchantId), refs.map((ref) => ref.refundNo)];
  const found = await run<Refund>(client, sql.refundsByNo, keys);
  return new Map(found.map((refund) => [key(refund.merchantId, refund.refundNo), refund]));
}

/** The settlements that the commands name, by merchant and sequence. */
async function readSettlements(
  client: PoolClient,
  sql: Statements,
  commands: Command[],
): Promise<Map<string, LoadedSettlement>> {
  const named = commands.map(namedSettlement).filter((found) => found !== null);
  if (named.length === 0) return new Map();
  // Of two approvals the one that has summed up fewer entries counts. Counting credits twice only leads to a refusal,
  // but missing one would pay too much.
  const refs = new Map<string, (typeof named)[number]>();
  for (const ref of named) {
    const at = key(ref.merchantId, String(ref.seq));
    const after = [refs.get(at)?.after ?? null, ref.after].filter((one) => one !== null);
    refs.set(at, { ...ref, after: after.length > 0 ? Math.min(...after) : null });
  }
  const all = [...refs.values()];
  const keys = [all.map((ref) => ref.merchantId), all.map((ref) => ref.seq), all.map(({ after }) => after)];
  const found = await run<Settlement & Omit<LoadedSettlement, 'settlement'>>(client, sql.settlementsBySeq, keys);
  return new Map(
    found.map(({ creditedSince, isFileOut, ...settlement }) => [
      key(settlement.merchantId, String(settlement.seq)),
      { settlement, creditedSince, isFileOut },
    ]),
  );
}
