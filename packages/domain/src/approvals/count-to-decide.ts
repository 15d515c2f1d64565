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

type Access = LedgerReadAccess & VaultAccess & DirectoryAccess & ApprovalRules;

/** How many pending approvals this operator may decide, at most `mostToDecide`. */
export async function countToDecide(domain: Access, operator: OperatorContext): Promise<number> {
  if (await problemOfSignIn(domain, operator)) return 0;
  return (await oldestToDecide(domain, operator)).length;
}

/** Which pending approvals an operator may decide. A list of approvals can be filtered by it. */
export interface Decidable {
  /** The operator, who does not decide what they requested. */
  operatorId: string;
  operations: readonly string[];
  /** All operations but these as well; null: none of them. */
  otherThan: readonly string[] | null;
  /** Only these; null: any. */
  approvalIds: readonly string[] | null;
}

/**
 * Which pending approvals this operator may decide; null: none. For operators with a restriction these are at most
 * `mostToDecide`, the oldest.
 */
export async function findDecidable(domain: Access, operator: OperatorContext): Promise<Decidable | null> {
  if (await problemOfSignIn(domain, operator)) return null;
  const found = isRestricted(operator) ? await oldestToDecide(domain, operator) : null;
  return { ...rightsOf(operator), approvalIds: found?.map(({ approvalId }) => approvalId) ?? null };
}

function isRestricted({ countries, merchantIds }: OperatorContext): boolean {
  return countries !== null || merchantIds !== null;
}

function rightsOf(operator: OperatorContext): Omit<Decidable, 'approvalIds'> {
  // Admins decide what another version of the service kept.
  const mayReject = !isRestricted(operator) && hasRole(operator, ['admin']);
  return {
    operatorId: operator.operatorId,
    operations: permittedOperations(operator),
    otherThan: mayReject ? operationNames : null,
  };
}

async function oldestToDecide(domain: Access, operator: OperatorContext): Promise<Approval[]> {
  const { operatorId, operations, otherThan } = rightsOf(operator);
  const { countries, merchantIds } = operator;
  const values = [countries, merchantIds, mostToDecide, operatorId, operations, otherThan];
  const { rows } = await domain.database.pool.query<Approval>(approvalsToDecideSql(domain.database.orm), values);
  if (!isRestricted(operator)) return rows;
  // What else an operation leads to is not in the row.
  const decidable: Approval[] = [];
  for (const approval of rows)
    if ((await problemOfDeciding(domain, operator, approval)) === null) decidable.push(approval);
  return decidable;
}
