import { platformTenant } from './change-configuration.ts';
import type { Role } from './create-operator.ts';
import type { Domain } from './domain.ts';
import { hashToken } from './operator-of-token.ts';

/** The actor of the record that the first operator leaves: no operator can be called so. */
const firstActor = 'first set-up';

/**
 * Creates the very first operator, with a token, without anybody's leave; false, and nothing done, once there is any operator. The
 * lock keeps a second set-up out; operator, token and audit record are there together or not at all.
 */
export async function createFirstOperator(
  domain: Domain,
  operator: { operatorId: string; name: string; roles: Role[] },
  token: string,
  reason: string,
): Promise<boolean> {
  const client = await domain.database.pool.connect();
  try {
    await client.query('begin');
    await client.query('lock table operator in share row exclusive mode');
    const { rowCount } = await client.query(
      'insert into operator (operator_id, name, roles) select $1, $2, $3 where not exists (select from operator)',
      [operator.operatorId, operator.name, operator.roles],
    );
    if (rowCount === 0) return false;
    await client.query('insert into operator_token (token_hash, operator_id) values ($1, $2)', [
      hashToken(token),
      operator.operatorId,
    ]);
    const by = { actor: firstActor, approver: null, reason };
    const subject = operator.operatorId;
    const { name, roles } = operator;
    const change = { merchantId: platformTenant, change: 'createFirstOperator', subject, settings: { name, roles } };
    await domain.commit({ type: 'recordChange', ...change, by });
    await client.query('commit');
    return true;
  } finally {
    // After a commit it has nothing to undo.
    await client.query('rollback').catch(() => undefined);
    client.release();
  }
}

/** Whether there is any operator, enabled or not. */
export async function hasOperators(domain: Domain): Promise<boolean> {
  const { rows } = await domain.database.pool.query<{ some: boolean }>('select exists (select from operator) as some');
  return rows[0]?.some ?? false;
}
