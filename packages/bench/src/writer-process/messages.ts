import type { OrderKind } from '@tidegate/domain';
import type { Timing } from '../closed-loop.ts';

/** What the process is to create. */
export interface ToWriter {
  load: { kind: OrderKind; callers: number; wallets: number };
  timing: Timing;
}

/** It is connected; its measured time begins; what it measured: waits in milliseconds, the shortest first, and its transactions. */
export type FromWriter =
  | 'ready'
  | 'counting'
  | { waits: readonly number[]; seconds: number; batches: number; cpuUs: number };
