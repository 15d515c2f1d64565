import type { DirectoryAccess } from '../configuration/index.ts';
import type { Approval } from '../core/approval.ts';
import type { OperatorContext } from '../core/operator-rights.ts';
import type { Refused } from '../core/rejection.ts';
import type { VaultAccess } from '../database/vault.ts';
import type { LedgerReadAccess } from '../ledger/index.ts';
import { alreadyDecided, problemOfApprover, type Requested, targetOf, unknownOperation } from './approve.ts';
import type { ApprovalRules } from './operation.ts';
import { operationOf } from './operations.ts';

/**
 * Why an operator may not approve or reject this approval; null if they may. It is the same result as that of `approve`
 * and `reject`. `foresee` finds out whether the operation is still possible.
 */
export async function problemOfDeciding(
  domain: LedgerReadAccess & VaultAccess & DirectoryAccess & ApprovalRules,
  operator: OperatorContext,
  approval: Approval,
): Promise<Refused | null> {
  const isRestricted = operator.countries !== null || operator.merchantIds !== null;
  const target = isRestricted ? await targetOf(domain, approval) : withoutFacts(approval);
  const refusal = await problemOfApprover(domain, operator, { ...target, requestedBy: approval.requestedBy });
  if (refusal?.rejection === 'approval_not_found')
    return { ...refusal, detail: 'it is about a country or merchant outside your restriction' };
  return refusal ?? (approval.state === 'pending' ? null : alreadyDecided(approval));
}

/** For operators without a restriction the subject of the operation does not matter. */
function withoutFacts({ operation, merchantId }: Approval): Requested {
  const facts = { tenant: merchantId, country: null, order: null };
  return { operation: operationOf(operation) ?? unknownOperation, facts, input: null };
}
