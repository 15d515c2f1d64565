import { hasRole, type OperatorContext, workRoles } from '../core/operator-rights.ts';
import type { Refused } from '../core/rejection.ts';
import type { DatabaseAccess } from '../database/database.ts';
import { absentItem, isThere, type WorkItem } from './work-item.ts';

/** Why an operator's roles do not let them work on anything; null if they do. */
export function problemOfWorker(operator: Pick<OperatorContext, 'operatorId' | 'roles'>): Refused | null {
  if (hasRole(operator, workRoles)) return null;
  return {
    ok: false,
    rejection: 'forbidden',
    detail: `${operator.operatorId} lacks the role ${workRoles.join(' or ')}`,
  };
}

/** Why an operator cannot work on an item; null if they can. An item that they may not see is reported as not found. */
export async function problemOfWork(
  domain: DatabaseAccess,
  operator: OperatorContext,
  item: WorkItem,
): Promise<Refused | null> {
  const unentitled = problemOfWorker(operator);
  if (unentitled) return unentitled;
  return (await isThere(domain, operator, item)) ? null : { ok: false, rejection: absentItem[item.type] };
}
