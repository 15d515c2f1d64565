import type { Role } from '../core/operator-rights.ts';
import { changeConfiguration, platformTenant } from './change-configuration.ts';
import { addOperatorToken } from './create-operator.ts';
import type { Domain } from './domain.ts';

/** The actor of the record that the first operator leaves: no operator can be called so. */
const firstActor = 'first set-up';

/**
 * Creates the very first operator, with a token, without anybody's leave; false, and nothing done, once there is any operator. The
 * lock keeps a second set-up out; operator, token and audit record are there together or not at all.
 */
export async function createFirstOperator(
  domain: Domain,
  { operatorId, name, roles }: { operatorId: string; name: string; roles: Role[] },
  token: string,
  reason: string,
): Promise<boolean> {
  const by = { actor: firstActor, approver: null, reason };
  const change = { tenant: platformTenant, change: 'createFirstOperator' };
  const created = await changeConfiguration(domain, change, by, async (within) => {
    await within.database.pool.query('lock table operator in share row exclusive mode');
    const { rowCount } = await within.database.pool.query(
      'insert into operator (operator_id, name, roles) select $1, $2, $3 where not exists (select from operator)',
      [operatorId, name, roles],
    );
    if (rowCount === 0) return { ok: false, rejection: 'operator_exists' };
    await addOperatorToken(within, operatorId, token);
    return { ok: true, value: { subject: operatorId, before: null, after: { name, roles }, value: null } };
  });
  return created.ok;
}

/** Whether there is any operator, enabled or not. */
export async function hasOperators(domain: Domain): Promise<boolean> {
  const { rows } = await domain.database.pool.query<{ some: boolean }>('select exists (select from operator) as some');
  return rows[0]?.some ?? false;
}
