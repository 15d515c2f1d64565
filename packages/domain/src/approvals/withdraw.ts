import type { Approval } from '../core/approval.ts';
import type { OperatorContext } from '../core/operator-rights.ts';
import type { Outcome } from '../core/rejection.ts';
import type { LedgerAccess } from '../ledger/index.ts';
import { approvalById } from './approvals.ts';
import { alreadyDecided } from './approve.ts';
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
): Promise<Outcome<Approval>> {
  const fields = reasonProblem(reason);
  if (fields.length > 0) return { ok: false, rejection: 'invalid_input', fields };
  const approval = await approvalById(domain, approvalId);
  if (!approval) return { ok: false, rejection: 'approval_not_found' };
  // An operator who may not see the approval gets approval_not_found.
  if (approval.requestedBy !== operator.operatorId) {
    const { countries, merchantIds } = operator;
    const isRestricted = countries !== null || merchantIds !== null;
    return { ok: false, rejection: isRestricted ? 'approval_not_found' : 'not_your_approval' };
  }
  const by = { actor: operator.operatorId, approver: null, reason: reason.trim() };
  const { merchantId } = approval;
  const done = await domain.commit({ type: 'withdrawApproval', merchantId, approvalId, outcome: by.reason, by });
  const value = (await approvalById(domain, approvalId)) ?? approval;
  return done.ok ? { ok: true, value } : alreadyDecided(value);
}
