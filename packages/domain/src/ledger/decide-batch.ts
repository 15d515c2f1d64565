import { type Command, keeperOfId, merchantOf } from '../core/commands.ts';
import { isRehearsed } from '../core/daily-limit.ts';
import { decide } from '../core/decide.ts';
import { type Effect, effectOf } from '../core/effect.ts';
import type { LedgerEvent } from '../core/events.ts';
import type { LedgerBatch } from '../core/ledger-batch.ts';
import type { OperatorDay } from '../core/operator.ts';
import type { Order } from '../core/order.ts';
import type { Rejection } from '../core/rejection.ts';
import type { Context, State } from '../core/state.ts';
import type { Wallet } from '../core/wallet.ts';
import type { Locking } from '../database/begin.ts';
import {
  beginProgress,
  chainRows,
  type EventRows,
  keepDecided,
  type Loaded,
  type Progress,
  rowsOf,
  stateFor,
} from './records/index.ts';
import { writtenOrders } from './records/order.ts';
import { key } from './records/record.ts';
import { missingWallet } from './records/wallet.ts';

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

/** Decides the commands one after the other, each on the state after the previous ones. Pure. */
export function decideAll(
  loaded: Loaded,
  commands: readonly Command[],
  writerContext: WriterContext,
  { skipHeld }: Locking,
): BatchOutcome {
  const context: Context = { ...writerContext, now: loaded.now };
  const progress = beginProgress(loaded);
  const events: LedgerEvent[] = [];
  const results = commands.map((command): CommandResult | null => {
    const missing = missingWallet(progress.wallets, command);
    if (missing !== null && skipHeld) return null;
    const wallet = progress.wallets.get(merchantOf(command));
    if (missing !== null || !wallet) throw new Error(`merchant ${missing} has no wallet`);
    const state = stateFor(progress, command, { now: loaded.now, wallet });
    // If a command is tried again after its answer was lost, it gets the same answer as the first time.
    if (isDone(progress, command, state)) return { ok: true, order: state.order, isRepeat: false };
    const decided = decide(state, command, context);
    if (typeof decided === 'string') return { ok: false, rejection: decided };
    const isRepeat = state.existing !== null;
    if (isRehearsed(command)) return { ok: true, order: state.order, isRepeat, effect: effectOf(decided) };
    for (const event of decided.events) events.push(event);
    keepDecided(progress, command, decided);
    return { ok: true, order: decided.state.order, isRepeat };
  });
  const rows = rowsOf(events);
  const orders = writtenOrders(progress.orders);
  const chained = chainRows(progress.wallets, orders.newOrders, rows);
  return {
    results,
    locked: new Set(loaded.wallets.keys()),
    events,
    rows,
    chained,
    written: {
      ...orders,
      wallets: [...progress.wallets.values()].filter((wallet) => wallet !== loaded.wallets.get(wallet.merchantId)),
      days: [...progress.days.values()],
    },
  };
}

/** Whether the command has had its effect already, in a transaction whose answer was lost. */
function isDone(progress: Progress, command: Command, { order, refund, settlement }: State): boolean {
  if (command.id === undefined) return false;
  const keeper = keeperOfId(command);
  if (keeper === 'order') return order?.commandId === command.id;
  if (keeper === 'refund') return refund?.commandId === command.id;
  if (keeper === 'settlement') return settlement?.commandId === command.id;
  return keeper === 'record' && progress.audits.has(key(merchantOf(command), command.id));
}
