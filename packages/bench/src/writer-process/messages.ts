import type { OrderKind } from '@tidegate/domain';
import type { Timing } from '../closed-loop.ts';

/** A load of orders to create. */
export interface ToWriter {
  load: { kind: OrderKind; callers: number; wallets: number };
  timing: Timing;
}

/**
 * The process is connected; its measured time begins; its result: waits in ascending milliseconds, and its
 * transactions.
 */
export type FromWriter =
  | 'ready'
  | 'counting'
  | { waits: readonly number[]; seconds: number; batches: number; cpuUs: number };
