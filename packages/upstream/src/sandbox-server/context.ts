import type { OrderBook } from './order-book.ts';

/** What every part of the sandbox upstream works with. */
export interface ServerContext {
  book: OrderBook;
  /** Shared with the callers. */
  secret: string;
  /** Multiplies the scenarios' own waits. */
  timeFactor: number;
  /** Where payers and callers reach this server. Known once it listens. */
  publicUrl(): string;
}

export interface CallbackSender {
  /** Looks at an order anew: delivers what is due, and wakes up for what will be. */
  poke(orderNo: string): void;
  /** Stops; deliveries in flight are cut and count as undelivered. */
  close(): Promise<void>;
}

export interface SandboxContext extends ServerContext {
  callbacks: CallbackSender;
}
