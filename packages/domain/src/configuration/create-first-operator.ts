import type { Role } from '../core/operator-rights.ts';
import type { DatabaseAccess } from '../database/database.ts';
import { type ChangeAccess, changeConfiguration, platformTenant, type Within } from '../ledger/index.ts';
import { addOperatorToken, createOperator } from './create-operator.ts';
import { findOperator } from './find-operator.ts';
import { hasTwoAdmins as hasTwo, lockOperators } from './statements.ts';

/** The actor of the records that the first operators leave: no operator can be called so. */
const firstActor = 'first set-up';

/**
 * Creates one of the first two operators, with a token, without anybody's leave; false, and nothing done, once there are two admins, or where
 * this id is taken. The lock keeps a second set-up out; operator, token and audit record are there together or not at all.
 */
export async function createFirstOperator(
  domain: ChangeAccess,
  { operatorId, name, roles }: { operatorId: string; name: string; roles: Role[] },
  token: string,
  reason: string,
): Promise<boolean> {
  const by = { actor: firstActor, approver: null, reason };
  const change = { tenant: platformTenant, change: 'createFirstOperator' };
  const created = await changeConfiguration(domain, change, by, async (within) => {
    const { pool } = within.database;
    await pool.query(lockOperators);
    if ((await isDecided(pool)) || (await findOperator(within, operatorId)))
      return { ok: false, rejection: 'operator_exists' };
    const entity = await createOperator(within, { operatorId, name, roles });
    await addOperatorToken(within, operatorId, token);
    return { ok: true, value: { subject: operatorId, entity, value: null } };
  });
  return created.ok;
}

/** Whether there are two admins, who can agree on everybody else. */
export function hasTwoAdmins(domain: DatabaseAccess): Promise<boolean> {
  return isDecided(domain.database.pool);
}

async function isDecided(pool: Within['database']['pool']): Promise<boolean> {
  const { rows } = await pool.query<{ two: boolean }>(hasTwo);
  return rows[0]?.two ?? false;
}
