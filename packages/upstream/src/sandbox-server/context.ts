import type { OrderBook } from './order-book.ts';

/** The dependencies of the sandbox upstream's parts. */
export interface ServerContext {
  book: OrderBook;
  /** Shared with the callers. */
  secret: string;
  /** Multiplies the waits of scenarios. */
  timeFactor: number;
  /** The URL at which payers and callers reach this server. Known once it listens. */
  publicUrl(): string;
}

export interface CallbackSender {
  /** Checks an order again: sends its due callbacks, and schedules the next ones. */
  poke(orderNo: string): void;
  /** Stops. Deliveries in flight are aborted and count as undelivered. */
  close(): Promise<void>;
}

export interface SandboxContext extends ServerContext {
  callbacks: CallbackSender;
}
