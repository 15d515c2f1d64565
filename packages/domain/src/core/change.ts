import type { OrderStatus } from './order.ts';
import type { CaseState } from './payment.ts';

/** That an order moved, or a case was opened or decided, by its ids: whoever watches it reads it anew. */
export type Change =
  | { type: 'order'; merchantId: string; orderNo: string; status: OrderStatus }
  | { type: 'case'; merchantId: string; caseNo: number; state: CaseState };

/** Tells those who watch, after a commit. Must neither throw nor wait; what is not told is only seen later. */
export type Announce = (changes: Change[]) => void;
