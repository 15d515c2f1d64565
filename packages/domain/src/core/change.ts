import type { ApprovalState } from './approval.ts';
import type { OrderStatus } from './order.ts';
import type { CaseState } from './payment.ts';

/** A change of an order, a case or an approval, by its ids. A subscriber reads the current state by them. */
export type Change =
  | { type: 'order'; merchantId: string; orderNo: string; status: OrderStatus }
  /** `isNew`: it was opened now. */
  | { type: 'case'; merchantId: string; caseNo: number; state: CaseState; isNew: boolean }
  | { type: 'approval'; merchantId: string; approvalId: string; state: ApprovalState };

/**
 * Publishes changes after a commit. Must neither throw nor wait. A change that is not published is only seen at the
 * next read.
 */
export type Announce = (changes: Change[]) => void;
