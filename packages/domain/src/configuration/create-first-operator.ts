import type { Role } from '../core/operator-rights.ts';
import type { DatabaseAccess } from '../database/database.ts';
import { type ChangeAccess, type ChangeTransaction, changeConfiguration, platformTenant } from '../ledger/index.ts';
import { addOperatorToken, createOperator } from './create-operator.ts';
import { findOperator } from './find-operator.ts';
import { hasTwoAdmins as hasTwo, lockOperators } from './queries.ts';

/** The actor in the audit records of the first operators. No operator can have this id. */
const firstActor = 'first set-up';

/**
 * Creates one of the first two operators, with a token and without an approval. Returns false, and does nothing, if
 * there are two admins already or the id exists. A lock excludes a second set-up at the same time. Operator, token
 * and audit record are written in one transaction.
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

/** Whether there are two admins, who can approve everything else. */
export function hasTwoAdmins(domain: DatabaseAccess): Promise<boolean> {
  return isDecided(domain.database.pool);
}

async function isDecided(pool: ChangeTransaction['database']['pool']): Promise<boolean> {
  const { rows } = await pool.query<{ two: boolean }>(hasTwo);
  return rows[0]?.two ?? false;
}
