import type { OrderKind } from '@tidegate/domain';
import type { Timing } from '../closed-loop.ts';

/** A load of orders to create. */
export interface ToWriter {
  load: { kind: OrderKind; callers: number; wallets: number };
  timing: Timing;
}

export type FromWriter =
  /** The process is connected. */
  | 'ready'
  /** Its warm-up is over, and the measured time begins. */
  | 'counting'
  /**
   * The result: the waits in ms, ascending, the measured seconds, the number of transactions (`batches`), and the
   * processor time in µs.
   */
  | { waits: readonly number[]; seconds: number; batches: number; cpuUs: number };
