import type { Role } from '../core/operator-rights.ts';
import type { Refused } from '../core/rejection.ts';
import type { DatabaseAccess } from '../database/database.ts';
import type { AnyOperation } from './operation.ts';
import { rolesOfOperatorSql } from './statements.ts';

/**
 * Why an operator with the roles `own` may not grant what an operation grants; null if they may. No operator grants a role
 * that they do not hold, unless its owner has it already. Viewers see no more than everybody else.
 */
export async function problemOfGrant(
  { database }: DatabaseAccess,
  own: readonly Role[],
  { operation, input }: { operation: AnyOperation; input: unknown },
): Promise<Refused | null> {
  const granted = operation.grants?.(input as never) ?? null;
  if (!granted) return null;
  const { rows } = await database.pool.query<{ roles: Role[] }>(rolesOfOperatorSql, [granted.operatorId]);
  const mayHave: readonly Role[] = ['viewer', ...own, ...(rows[0]?.roles ?? [])];
  const lacking = granted.roles.filter((role) => !mayHave.includes(role));
  if (lacking.length === 0) return null;
  return { ok: false, rejection: 'forbidden', detail: `you grant roles that you do not hold: ${lacking.join(', ')}` };
}
