import { hasRole, type OperatorContext } from '../core/operator-rights.ts';
import type { DatabaseAccess } from '../database/database.ts';
import { countDecidable } from './list-approvals.ts';
import type { AnyOperation, ApprovalRules } from './operation.ts';
import { operations } from './operations.ts';
import { operationNames, permittedOperations } from './permitted-operations.ts';
import type { Decidable } from './queries.ts';
import { problemOfSignIn } from './sign-in.ts';

/** The most approvals that are counted. */
export const maxToDecide = 100;

type Access = DatabaseAccess & ApprovalRules;

/** How many pending approvals this operator may decide, at most `maxToDecide`. */
export async function countToDecide(domain: Access, operator: OperatorContext): Promise<number> {
  const decidable = await findDecidable(domain, operator);
  return decidable === null ? 0 : countDecidable(domain, operator, decidable, maxToDecide);
}

/** The pending approvals within the operator's restriction that they may decide; null: none. */
export async function findDecidable(domain: Access, operator: OperatorContext): Promise<Decidable | null> {
  if (await problemOfSignIn(domain, operator)) return null;
  const isRestricted = operator.countries !== null || operator.merchantIds !== null;
  // Admins decide approvals that another version of the service stored.
  const mayReject = !isRestricted && hasRole(operator, ['admin']);
  return {
    operatorId: operator.operatorId,
    operations: permittedOperations(operator),
    otherThan: mayReject ? operationNames : null,
    withChannel,
  };
}

const withChannel = operationNames.filter((name) => (operations[name] as AnyOperation).channelField !== undefined);
