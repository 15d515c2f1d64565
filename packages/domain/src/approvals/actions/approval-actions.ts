import type { DirectoryAccess } from '../../configuration/index.ts';
import type { Approval } from '../../core/approval.ts';
import type { OperatorContext } from '../../core/operator-rights.ts';
import type { VaultAccess } from '../../database/vault.ts';
import type { LedgerReadAccess } from '../../ledger/index.ts';
import { alreadyDecided, executableBy, findToDecide } from '../approve.ts';
import type { ApprovalRules } from '../operation.ts';
import { problemOfWithdrawal } from '../withdraw.ts';
import { type AllowedAction, actionAlone } from './noun.ts';

/** What finding out needs. */
export type DecidesApprovals = LedgerReadAccess & VaultAccess & DirectoryAccess & ApprovalRules;

/**
 * Whether the operator may approve, reject and withdraw, with the same result as the mutations. Whether the operation
 * of the approval is then possible is found out when it is approved.
 */
export async function actionsOfApproval(
  domain: DecidesApprovals,
  operator: OperatorContext,
  approval: Approval,
): Promise<AllowedAction[]> {
  const over = approval.state === 'pending' ? null : alreadyDecided(approval);
  const found = over ? null : await findToDecide(domain, operator, approval.approvalId);
  const undecidable = over ?? (found?.ok === false ? found : null);
  const executable = found?.ok ? await executableBy(domain, operator, approval, found.value) : null;
  const unapprovable = undecidable ?? (executable?.ok === false ? executable : null);
  return [
    actionAlone('approve', unapprovable),
    actionAlone('reject', undecidable),
    actionAlone('withdraw', problemOfWithdrawal(operator, approval) ?? over),
  ];
}
