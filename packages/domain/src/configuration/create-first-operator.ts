import type { Role } from '../core/operator-rights.ts';
import type { DatabaseAccess } from '../database/database.ts';
import { type ChangeAccess, changeConfiguration, platformTenant } from '../ledger/index.ts';
import { addOperatorToken } from './create-operator.ts';

/** The actor of the records that the first operators leave: no operator can be called so. */
const firstActor = 'first set-up';

/**
 * Those who can decide together on everybody else: two admins who are let in and see everything. Until they are there nobody could agree
 * to the first of them, so that whoever has the database and its secret makes them.
 */
const admins = `select from operator o where o.enabled and 'admin' = any(o.roles) and o.countries is null and o.merchant_ids is null
  and exists (select from operator_token t where t.operator_id = o.operator_id and t.revoked_at is null
    and (t.expires_at is null or t.expires_at > clock_timestamp()))`;

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
    await within.database.pool.query('lock table operator in share row exclusive mode');
    const { rowCount } = await within.database.pool.query(
      `insert into operator (operator_id, name, roles) select $1, $2, $3 where (select count(*) from (${admins} limit 2) a) < 2
       on conflict do nothing`,
      [operatorId, name, roles],
    );
    if (rowCount === 0) return { ok: false, rejection: 'operator_exists' };
    await addOperatorToken(within, operatorId, token);
    return { ok: true, value: { subject: operatorId, before: null, after: { name, roles }, value: null } };
  });
  return created.ok;
}

/** Whether there are two admins, who can agree on everybody else. */
export async function hasTwoAdmins(domain: DatabaseAccess): Promise<boolean> {
  const { rows } = await domain.database.pool.query<{ two: boolean }>(
    `select count(*) = 2 as two from (${admins} limit 2) a`,
  );
  return rows[0]?.two ?? false;
}
