import type { Decision } from './operator.ts';
import type { Rejection } from './rejection.ts';

/**
 * `expired`: pending when its time was over, which no row says by itself. `failed`: it was approved, and then refused by what it was about.
 * `withdrawn`: whoever asked for it took it back.
 */
export type ApprovalState = 'pending' | 'executed' | 'rejected' | 'expired' | 'failed' | 'withdrawn';

/** What an operation that waits for a second operator has to be decided by, and was. Times are Unix milliseconds. */
export interface Approval {
  readonly merchantId: string;
  readonly approvalId: string;
  readonly state: ApprovalState;
  readonly expiresAt: number;
  readonly decidedBy: string | null;
  readonly decidedAt: number | null;
}

/** Why an approval can no longer be decided; null while it can. Null for an approval: there is none such. */
export function problemOfApproval(approval: Approval | null, now: number): Rejection | null {
  if (approval === null || approval.state !== 'pending') return 'approval_decided';
  return approval.expiresAt <= now ? 'approval_expired' : null;
}

/** The approval as it is once what was asked for is done. */
export function executedApproval(approval: Approval, by: Decision, now: number): Approval {
  return { ...approval, state: 'executed', decidedBy: by.approver, decidedAt: now };
}
