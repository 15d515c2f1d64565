import type { DirectoryAccess } from '../configuration/index.ts';
import type { Approval } from '../core/approval.ts';
import type { OperatorContext } from '../core/operator-rights.ts';
import type { Outcome } from '../core/rejection.ts';
import type { VaultAccess } from '../database/vault.ts';
import type { LedgerAccess } from '../ledger/index.ts';
import { approvalById } from './approvals.ts';
import { alreadyDecided, findToDecide, problemOfApprovalVersion } from './approve.ts';
import type { ApprovalRules } from './operation.ts';
import { reasonProblem } from './reason.ts';

/**
 * Rejects another operator's request, with a reason. Refusals: invalid_input for the reason, approval_not_found,
 * own_approval, forbidden, approval_decided, approval_expired, version_outdated.
 */
export async function reject(
  domain: LedgerAccess & VaultAccess & DirectoryAccess & ApprovalRules,
  operator: OperatorContext,
  approvalId: string,
  reason: string,
  expectedVersion?: string,
): Promise<Outcome<Approval>> {
  const fields = reasonProblem(reason);
  if (fields.length > 0) return { ok: false, rejection: 'invalid_input', fields };
  const found = await findToDecide(domain, operator, approvalId);
  if (!found.ok) return found;
  const { approval } = found.value;
  const outdated = problemOfApprovalVersion(approval, expectedVersion);
  if (outdated) return outdated;
  const by = { actor: operator.operatorId, approver: null, reason: reason.trim() };
  const { merchantId } = approval;
  const done = await domain.commit({ type: 'rejectApproval', merchantId, approvalId, outcome: by.reason, by });
  const value = (await approvalById(domain, approvalId)) ?? approval;
  return done.ok ? { ok: true, value } : alreadyDecided(value);
}
