import { Operator } from '../database/entities/access.ts';
import type { Within } from '../ledger/index.ts';
import type { OperatorRow } from './find-operator.ts';

/** Says that an identity is this operator. The operator that the identity had of its own is disabled; gives the id of that one, if there was one. */
export async function linkOperator(within: Within, operator: OperatorRow, externalId: string): Promise<string[]> {
  const em = within.database.unitOfWork();
  const others = await em.find(Operator, { externalId });
  for (const other of others) Object.assign(other, { externalId: null, enabled: false });
  // First away: no two operators have one identity.
  await em.flush();
  operator.externalId = externalId;
  await em.flush();
  return others.map(({ operatorId }) => operatorId);
}

/** Says that an operator has no identity any more. */
export async function unlinkOperator(within: Within, operator: OperatorRow): Promise<void> {
  Object.assign(operator, { externalId: null, identityRoles: null, identitySeenAt: null });
  await within.database.unitOfWork().flush();
}
