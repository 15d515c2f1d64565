import type pg from 'pg';
import type { LedgerEvent } from '../core/events.ts';
import type { Order } from '../core/order.ts';
import type { WriterContext } from './decide-batch.ts';
import type { Statements } from './queries.ts';

export interface WriterOptions extends WriterContext {
  pool: pg.Pool;
  sql: Statements;
  /** The most batches in flight at once. A merchant is in one of them at a time. */
  batchesAtOnce: number;
  /** The most commands in one transaction; with 1 each command has its own. */
  batchSize: number;
  /** Commands that may wait for a batch; more are refused at once. */
  queueLimit: number;
  /** How long a command waits for a merchant whose wallet another session holds, in ms; default 1,000. */
  heldTimeoutMs?: number;
  /** Further settings of each transaction, e.g. `transaction_timeout = 10000`. */
  settings?: readonly string[];
  /** Receives what each commit wrote, to wake the workers. Must not throw. */
  committed: (written: Written) => void;
  /** Receives how many orders each commit created. Must not throw. */
  created?: (orders: number) => void;
  /**
   * Receives the error of a batch that failed for another reason than the connection, before its commands are tried
   * one by one. Must not throw.
   */
  failed?: (error: unknown, size: number) => void;
  /** Receives the figures of every transaction. */
  observed?: (batch: { size: number; waitedMs: number; tookMs: number }) => void;
}

export interface Written {
  /** Their present values. */
  orders: readonly Order[];
  events: readonly LedgerEvent[];
}
