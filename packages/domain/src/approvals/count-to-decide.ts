import type { DirectoryAccess } from '../configuration/index.ts';
import type { Approval } from '../core/approval.ts';
import { hasRole, type OperatorContext } from '../core/operator-rights.ts';
import type { VaultAccess } from '../database/vault.ts';
import type { LedgerReadAccess } from '../ledger/index.ts';
import { problemOfDeciding } from './may-decide.ts';
import type { ApprovalRules } from './operation.ts';
import { operationNames, permittedOperations } from './permitted-operations.ts';
import { problemOfSignIn } from './sign-in.ts';
import { approvalsToDecideSql } from './statements.ts';

/** Up to so many approvals are counted. */
export const mostToDecide = 100;

/** How many pending approvals this operator may decide, at most `mostToDecide`. */
export async function countToDecide(
  domain: LedgerReadAccess & VaultAccess & DirectoryAccess & ApprovalRules,
  operator: OperatorContext,
): Promise<number> {
  if (await problemOfSignIn(domain, operator)) return 0;
  const { operatorId, countries, merchantIds } = operator;
  const isRestricted = countries !== null || merchantIds !== null;
  // Admins decide what another version of the service kept.
  const mayReject = !isRestricted && hasRole(operator, ['admin']);
  const { rows } = await domain.database.pool.query<Approval>(approvalsToDecideSql(domain.database.orm), [
    countries,
    merchantIds,
    mostToDecide,
    operatorId,
    permittedOperations(operator),
    mayReject ? operationNames : null,
  ]);
  if (!isRestricted) return rows.length;
  // What else an operation leads to is not in the row.
  let count = 0;
  for (const approval of rows) if ((await problemOfDeciding(domain, operator, approval)) === null) count += 1;
  return count;
}
