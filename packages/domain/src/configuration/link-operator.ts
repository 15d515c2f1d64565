import { Operator } from '../database/entities/access.ts';
import type { ChangeTransaction } from '../ledger/index.ts';
import { deleteSessions } from './end-sessions.ts';
import type { OperatorRow } from './find-operator.ts';

/**
 * Links an identity to this operator, and disables the identity's own operator. Returns the id of that operator, if
 * there was one.
 */
export async function linkOperator(
  within: ChangeTransaction,
  operator: OperatorRow,
  externalId: string,
): Promise<string[]> {
  const em = within.database.unitOfWork();
  const others = await em.find(Operator, { externalId });
  for (const other of others) {
    Object.assign(other, { externalId: null, enabled: false });
    await deleteSessions(within, other.operatorId);
  }
  // Removed first, because two operators cannot have one identity.
  await em.flush();
  operator.externalId = externalId;
  await em.flush();
  return others.map(({ operatorId }) => operatorId);
}

/** Removes an operator's link to an identity. */
export async function unlinkOperator(within: ChangeTransaction, operator: OperatorRow): Promise<void> {
  Object.assign(operator, { externalId: null, identityRoles: null, identitySeenAt: null });
  await within.database.unitOfWork().flush();
  await deleteSessions(within, operator.operatorId);
}
