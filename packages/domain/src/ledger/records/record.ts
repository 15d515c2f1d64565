import type { PoolClient } from 'pg';
import type { Command } from '../../core/commands.ts';
import type { Decided } from '../../core/decide.ts';
import type { LedgerEvent } from '../../core/events.ts';
import type { State } from '../../core/state.ts';
import type { Wallet } from '../../core/wallet.ts';
import type { Statement } from '../../database/columns.ts';
import { run } from '../../database/run-statement.ts';
import type { ColumnsOf } from './queries.ts';

/** What a batch knows of one kind of record: its rows, or what it needs of them, by key. */
export type Known<Value> = ReadonlyMap<string, Value>;

/** The connection of a batch, and the queries that a record reads with. */
export interface Reader<Queries> {
  client: PoolClient;
  sql: Queries;
}

/** The row that an event makes, by the type of the event. */
export type RowsOfEvents = {
  readonly [Type in LedgerEvent['type']]?: (event: Extract<LedgerEvent, { type: Type }>) => { merchantId: string };
};

/**
 * One kind of record of the ledger: what a batch reads of it, what a command is decided on, and what it writes. The ledger
 * writer does the same with each (`index.ts`), so a new record is a file of this shape and a line there.
 *
 * A record that is only written has no `load`, `state` and `keep`.
 */
export interface LedgerRecord<Value, Queries extends Record<string, Statement>> {
  /** Its queries, by a name that no other record has. */
  queries(columns: ColumnsOf): Queries;
  /**
   * Reads what the commands need, and sends nothing if they need nothing. It sends all before it awaits the first answer:
   * the server answers in order, so each read sees all that was committed before the wallets were locked.
   */
  load?(reader: Reader<Queries>, commands: readonly Command[]): Promise<Known<Value>>;
  /** Its part of the state on which a command is decided. */
  state?(known: Known<Value>, command: Command, at: { now: number; wallet: Wallet }): Partial<State>;
  /** Makes what a command changed known to the next commands of the batch. */
  keep?(known: Map<string, Value>, command: Command, decided: Decided): void;
  /** The events that add a row. */
  added?: RowsOfEvents;
  /** The events that change a row, and the number by which a merchant's row is known: each is written once, in its last state. */
  changed?: { by: RowsOfEvents; noOf(row: { merchantId: string }): unknown };
}

/** The key of a row in a batch: its merchant and its number. */
export const key = (merchantId: string, no: string | number): string => `${merchantId} ${no}`;

/** Reads rows by their keys, one array for each column; without keys nothing is sent. */
export async function readByKeys<Row extends object>(
  client: PoolClient,
  query: Statement,
  keys: unknown[][],
): Promise<Row[]> {
  return keys[0]?.length === 0 ? [] : run<Row>(client, query, keys);
}
