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
}
