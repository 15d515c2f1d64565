import type { Approval } from '../core/approval.ts';
import type { OperatorContext } from '../core/operator-rights.ts';
import type { Outcome, Refused } from '../core/rejection.ts';
import type { LedgerAccess } from '../ledger/index.ts';
import { approvalById } from './approvals.ts';
import { alreadyDecided, problemOfApprovalVersion } from './approve.ts';
import { reasonProblem } from './reason.ts';

/**
 * Withdraws one's own request while it is pending. It needs no role: an operator who has lost the role can still
 * withdraw. Refusals: invalid_input for the reason, approval_not_found, not_your_approval, approval_decided,
 * approval_expired.
 */
export async function withdraw(
  domain: LedgerAccess,
  operator: OperatorContext,
  approvalId: string,
  reason: string,
  expectedVersion?: string,
): Promise<Outcome<Approval>> {
  const fields = reasonProblem(reason);
  if (fields.length > 0) return { ok: false, rejection: 'invalid_input', fields };
  const approval = await approvalById(domain, approvalId);
  if (!approval) return { ok: false, rejection: 'approval_not_found' };
  const problem = problemOfWithdrawal(operator, approval);
  if (problem) return problem;
  const outdated = problemOfApprovalVersion(approval, expectedVersion);
  if (outdated) return outdated;
  const by = { actor: operator.operatorId, approver: null, reason: reason.trim() };
  const { merchantId } = approval;
  const done = await domain.commit({ type: 'withdrawApproval', merchantId, approvalId, outcome: by.reason, by });
  const value = (await approvalById(domain, approvalId)) ?? approval;
  return done.ok ? { ok: true, value } : alreadyDecided(value);
}

/** Why an operator cannot withdraw an approval; null if it is their own. Who may not see it gets approval_not_found. */
export function problemOfWithdrawal(
  { operatorId, countries, merchantIds }: OperatorContext,
  { requestedBy }: Approval,
): Refused | null {
  if (requestedBy === operatorId) return null;
  const isRestricted = countries !== null || merchantIds !== null;
  return { ok: false, rejection: isRestricted ? 'approval_not_found' : 'not_your_approval' };
}
