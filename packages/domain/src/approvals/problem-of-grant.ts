import type { Role } from '../core/operator-rights.ts';
import type { Refused } from '../core/rejection.ts';
import type { DatabaseAccess } from '../database/database.ts';
import type { AnyOperation, ReadInput } from './operation.ts';
import { rolesOfOperatorSql } from './queries.ts';

/**
 * Why an operator with the roles `own` may not grant the roles of this operation; null if they may. An operator may
 * grant the roles that they hold and those that the other operator already has. Everyone may grant `viewer`, because
 * viewers see no more than other operators.
 */
export async function problemOfGrant(
  { database }: DatabaseAccess,
  own: readonly Role[],
  { operation, input }: { operation: AnyOperation; input: ReadInput },
): Promise<Refused | null> {
  const granted = operation.grants?.(input) ?? null;
  if (!granted) return null;
  const { rows } = await database.pool.query<{ roles: Role[] }>(rolesOfOperatorSql, [granted.operatorId]);
  const grantable: readonly Role[] = ['viewer', ...own, ...(rows[0]?.roles ?? [])];
  const lacking = granted.roles.filter((role) => !grantable.includes(role));
  if (lacking.length === 0) return null;
  return { ok: false, rejection: 'forbidden', detail: `you grant roles that you do not hold: ${lacking.join(', ')}` };
}
