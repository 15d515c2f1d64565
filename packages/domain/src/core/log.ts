import type { Country } from './country.ts';
import type { OrderKind, OrderStatus } from './order.ts';

/** Log of the domain: ids and outcomes, never personal data, keys or signatures. pino's logger fits. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Receives measurements. None of these may throw or wait. */
export interface Observer {
  /** An asker got its share of a pool that merchants share, after this wait. */
  poolServed?(pool: string, waitedMs: number): void;
  poolRefused?(pool: string): void;
  /** One more waits for its share of a pool, or one less (-1). */
  poolWaiting?(pool: string, change: number): void;
  batch?(batch: { size: number; waitedMs: number; tookMs: number }): void;
  /** An order's new status was committed. */
  orderMoved?(move: { kind: OrderKind; country: Country; to: OrderStatus }): void;
  channelCall?(call: { channelId: string; operation: string; outcome: string; ms: number }): void;
  /** A call to a channel was not sent, because its address may not be called. */
  channelForbidden?(channelId: string): void;
  /** A callback of a configured channel was refused, or is about no order of that channel. */
  callbackUnusable?(callback: { channelId: string; reason: 'unauthentic' | 'malformed' | 'unknown_order' }): void;
  /** Called after a plain read: the replica answered it, or the primary, because the replica is behind or unavailable (`away`). */
  read?(from: 'replica' | 'behind' | 'away'): void;
  /** Data from outside of the process was rejected: it was too large, not JSON, or had the wrong shape. */
  dataRejected?(source: string, problem: 'too_large' | 'not_json' | 'wrong_shape'): void;
  /** A handler of a message, timer or event threw. What it handled is lost. */
  handlerFailed?(handler: string): void;
}
