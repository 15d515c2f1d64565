import type { MikroORM } from '@mikro-orm/postgresql';
import type { PoolClient } from 'pg';
import type { Command } from '../../core/commands.ts';
import type { Decided } from '../../core/decide.ts';
import type { LedgerEvent } from '../../core/events.ts';
import type { LedgerBatch } from '../../core/ledger-batch.ts';
import type { Order } from '../../core/order.ts';
import { type State, stateOf } from '../../core/state.ts';
import type { Wallet } from '../../core/wallet.ts';
import { columnsOfEntity, type Statement } from '../../database/columns.ts';
import { approvals } from './approval.ts';
import { audits } from './audit-record.ts';
import { batches, chainAdditions } from './batch.ts';
import { cases } from './case.ts';
import { entries } from './entry.ts';
import { notifications } from './notification.ts';
import { days } from './operator-day.ts';
import { orders } from './order.ts';
import { payments } from './payment.ts';
import { stops } from './payout-stop.ts';
import type { ColumnsOf } from './queries.ts';
import type { Known, LedgerRecord } from './record.ts';
import { refunds } from './refund.ts';
import { settlements } from './settlement.ts';
import { transfers } from './transfer.ts';
import { transitions } from './transition.ts';
import { lockWallets, wallets } from './wallet.ts';

/** What the ledger writer reads for commands, in this order. The wallets are locked before. */
const read = { orders, payments, transitions, entries, audits, stops, cases, refunds, settlements, approvals, days };
/** What it writes of events. */
const written = {
  entries,
  transfers,
  transitions,
  payments,
  cases,
  refunds,
  settlements,
  approvals,
  audits,
  notifications,
};
type Read = typeof read;
type Written = typeof written;
type AnyRecord = LedgerRecord<unknown, Record<string, Statement>>;
type ValueOf<One> = One extends { load(...given: never[]): Promise<Known<infer Value>> } ? Value : never;
type EventsOf<One> =
  | (One extends { added: infer Added } ? keyof Added : never)
  | (One extends { changed: { by: infer By } } ? keyof By : never);
type RowIn<Events> = Events extends object ? { [Type in keyof Events]: RowOf<Events[Type]> }[keyof Events] : never;
type RowOf<Handler> = Handler extends (...given: never[]) => infer Row ? Row : never;

/** The rows that a batch knows when it decides, by kind of record and key. `now`: the database's clock. */
export type Loaded = { readonly now: number; readonly wallets: Known<Wallet> } & {
  readonly [Name in keyof Read]: Known<ValueOf<Read[Name]>>;
};

/** The same while commands are decided: maps that only one batch has, with immutable values. */
export type Progress = { readonly wallets: Map<string, Wallet> } & {
  readonly [Name in keyof Read]: Map<string, ValueOf<Read[Name]>>;
};

/** The rows that come of events, by kind of record. A row that changed several times is there once, in its last state. */
export type EventRows = {
  [Name in keyof Written]: {
    added: (Written[Name] extends { added: infer Added } ? RowIn<Added> : never)[];
    changed: (Written[Name] extends { changed: { by: infer By } } ? RowIn<By> : never)[];
  };
};

const readers = Object.entries(read) as [keyof Read, AnyRecord][];
const keepers: [keyof Progress, AnyRecord][] = [['wallets', wallets as AnyRecord], ...readers];
const writers = Object.entries(written) as [keyof Written, AnyRecord][];

/** The queries of all records, made of the columns of their entities. */
export function queriesOf(orm: MikroORM) {
  const columns: ColumnsOf = (entity) => columnsOfEntity(orm, entity);
  return {
    ...wallets.queries(columns),
    ...orders.queries(columns),
    ...payments.queries(columns),
    ...transitions.queries(columns),
    ...entries.queries(columns),
    ...audits.queries(columns),
    ...stops.queries(),
    ...cases.queries(columns),
    ...refunds.queries(columns),
    ...settlements.queries(columns),
    ...approvals.queries(columns),
    ...days.queries(),
    ...batches.queries(columns),
    ...transfers.queries(columns),
    ...notifications.queries(columns),
  };
}
type Queries = ReturnType<typeof queriesOf>;

/**
 * Locks the wallets of the commands and reads what they need, in one round trip. Rows of merchants whose wallet was left
 * out are not used.
 */
export async function loadRecords(
  client: PoolClient,
  sql: Queries,
  commands: readonly Command[],
  skipHeld: boolean,
): Promise<Loaded> {
  const reader = { client, sql };
  const [locked, ...found] = await Promise.all([
    lockWallets(reader, commands, skipHeld),
    ...readers.map(async ([name, record]) => [name, await record.load?.(reader, commands)] as const),
  ]);
  return { ...locked, ...(Object.fromEntries(found) as Omit<Loaded, 'now' | 'wallets'>) };
}

/** Copies of the maps, because a copy for each command would take longer than most decisions (ADR 0014). */
export function beginProgress({ now: _, ...loaded }: Loaded): Progress {
  return Object.fromEntries(
    Object.entries(loaded).map(([name, known]) => [name, new Map<string, unknown>(known)]),
  ) as Progress;
}

/** The state on which a command is decided, if its wallet was locked. */
export function stateFor(progress: Progress, command: Command, at: { now: number; wallet: Wallet }): State {
  const parts = keepers.map(([name, record]) => record.state?.(progress[name], command, at));
  return Object.assign(stateOf(at.wallet), ...parts);
}

/** Makes what a command changed known to the next commands of the batch. */
export function keepDecided(progress: Progress, command: Command, decided: Decided): void {
  for (const [name, record] of keepers) record.keep?.(progress[name] as Map<string, unknown>, command, decided);
}

/**
 * The events that write no row of their own: orders and operators' days are written in their last state. Any other event
 * that no record writes is an error of the compiler here.
 */
const withoutRow: Record<Exclude<LedgerEvent['type'], EventsOf<Written[keyof Written]>>, true> = {
  'order changed': true,
  'limit used': true,
};

type Place = { name: keyof Written; list: 'added' | 'changed'; rowOf(event: LedgerEvent): object };
const places = new Map<string, Place>(
  writers.flatMap(([name, { added = {}, changed }]) =>
    [['added', added] as const, ['changed', changed?.by ?? {}] as const].flatMap(([list, events]) =>
      Object.entries(events).map(([type, rowOf]) => [type, { name, list, rowOf: rowOf as Place['rowOf'] }] as const),
    ),
  ),
);

/** Chains the rows that a transaction adds, and updates the wallets. */
export function chainRows(
  known: Map<string, Wallet>,
  newOrders: readonly Order[],
  { transitions, payments, cases, entries, transfers, audits }: EventRows,
): LedgerBatch[] {
  return chainAdditions(known, {
    orders: newOrders,
    transitions: transitions.added,
    payments: payments.added,
    cases: cases.added,
    entries: entries.added,
    transfers: transfers.added,
    decisions: audits.added,
  });
}

/** The rows of a batch's events. */
export function rowsOf(events: readonly LedgerEvent[]): EventRows {
  const rows = Object.fromEntries(writers.map(([name]) => [name, { added: [], changed: [] }])) as unknown as EventRows;
  for (const event of events) {
    const place = places.get(event.type);
    if (place) (rows[place.name][place.list] as object[]).push(place.rowOf(event));
    else if (!(event.type in withoutRow)) throw new Error(`no record writes ${event.type}`);
  }
  for (const [name, { changed }] of writers) {
    const lists = rows[name] as { changed: { merchantId: string }[] };
    // One query updates all rows of a table, so each may be in it once.
    if (changed && lists.changed.length > 1)
      lists.changed = [
        ...new Map(lists.changed.map((row) => [`${row.merchantId} ${changed.noOf(row)}`, row])).values(),
      ];
  }
  return rows;
}
