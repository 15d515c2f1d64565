import type { DirectoryAccess } from '../configuration/index.ts';
import type { OperatorContext } from '../core/operator-rights.ts';
import type { Outcome } from '../core/rejection.ts';
import { type ChangeAccess, changeConfiguration } from '../ledger/index.ts';
import { type ApprovalView, approvalById, closeApproval } from './approvals.ts';
import { decided, findToDecide } from './approve.ts';
import type { ApprovalRules } from './operation.ts';
import { reasonProblem } from './reason.ts';

/**
 * Drops, as the second operator, what another one asked for; `reason` says why. Refusals: invalid_input for the reason,
 * approval_not_found, own_approval, forbidden, approval_decided, approval_expired.
 */
export async function reject(
  domain: ChangeAccess & DirectoryAccess & ApprovalRules,
  operator: OperatorContext,
  approvalId: string,
  reason: string,
): Promise<Outcome<ApprovalView>> {
  const fields = reasonProblem(reason);
  if (fields.length > 0) return { ok: false, rejection: 'invalid_input', fields };
  const found = await findToDecide(domain, operator, approvalId);
  if (!found.ok) return found;
  const { approval } = found.value;
  const by = { actor: operator.operatorId, approver: null, reason: reason.trim() };
  const where = { tenant: approval.merchantId, change: 'rejectApproval' };
  return changeConfiguration(domain, where, by, async (within) => {
    const closed = await closeApproval(within, approval, 'rejected', operator.operatorId, reason.trim());
    if (!closed) return decided((await approvalById(within, approvalId)) ?? approval);
    const { operation, subject, input, askedBy } = closed;
    return { ok: true, value: { subject: approvalId, before: { operation, subject, input, askedBy }, value: closed } };
  });
}
