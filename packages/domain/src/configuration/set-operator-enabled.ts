import { Operator } from '../database/entities/access.ts';
import type { Within } from '../ledger/index.ts';

/** Lets an operator in, or no more, whatever their tokens. Gives the operator; null if there is none such. */
export async function setOperatorEnabled(within: Within, operatorId: string, enabled: boolean): Promise<object | null> {
  const em = within.database.unitOfWork();
  const operator = await em.findOne(Operator, operatorId);
  if (!operator) return null;
  operator.enabled = enabled;
  await em.flush();
  return operator;
}
