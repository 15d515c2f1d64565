import { Operator } from '../database/entities/access.ts';
import type { ChangeTransaction } from '../ledger/index.ts';
import { deleteSessions } from './end-sessions.ts';

/**
 * Enables or disables an operator with all tokens. Sessions of a disabled operator end. Returns the operator, or null
 * if there is none.
 */
export async function setOperatorEnabled(
  within: ChangeTransaction,
  operatorId: string,
  enabled: boolean,
): Promise<object | null> {
  const em = within.database.unitOfWork();
  const operator = await em.findOne(Operator, operatorId);
  if (!operator) return null;
  operator.enabled = enabled;
  await em.flush();
  if (!enabled) await deleteSessions(within, operatorId);
  return operator;
}
