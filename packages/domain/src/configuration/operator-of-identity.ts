import { createHash } from 'node:crypto';
import type { OperatorContext, Role } from '../core/operator-rights.ts';
import { type ChangeAccess, changeConfiguration, platformTenant, type Within } from '../ledger/index.ts';

/** Somebody whom an identity provider has vouched for. */
export interface Identity {
  /** The provider's name of itself, and its own name of them: together they are one person. */
  issuer: string;
  /** At most 255 characters. */
  subject: string;
  name: string;
  /** What the provider says they may do. */
  roles: readonly Role[];
}

/**
 * The operator that somebody is here, made when they first come, with a record in the platform's chain. Their roles are what the provider says,
 * their restrictions what is kept here. Null for one who is disabled, or has no role. They are known by issuer and subject alone: a name or an
 * e-mail address that a provider's user can choose, or that is given to somebody else one day, would let them be another one.
 */
export async function operatorOfIdentity(domain: ChangeAccess, identity: Identity): Promise<OperatorContext | null> {
  const externalId = externalIdOf(identity);
  const known = await findRow(domain, externalId, identity.roles);
  if (!known && identity.roles.length === 0) return null;
  const found = known ?? (await make(domain, identity, externalId));
  if (!found.isNoted) await noteRoles(domain, externalId, identity.roles);
  if (!found.enabled || identity.roles.length === 0) return null;
  const { operatorId, countries, merchantIds } = found;
  return { operatorId, roles: identity.roles, countries, merchantIds, tokenId: null, signIn: 'oidc' };
}

/** How an identity is kept: its issuer and its subject there, which together are one person. */
export function externalIdOf({ issuer, subject }: Pick<Identity, 'issuer' | 'subject'>): string {
  return `${issuer} ${subject}`;
}

/** What the provider says now, for what is done while they are not there: it has no other way to say that a role was taken. */
async function noteRoles(within: Within, externalId: string, roles: readonly Role[]): Promise<void> {
  const text = 'update operator set identity_roles = $2, identity_seen_at = clock_timestamp() where external_id = $1';
  await within.database.pool.query(text, [externalId, roles]);
}

interface Row extends Pick<OperatorContext, 'operatorId' | 'countries' | 'merchantIds'> {
  enabled: boolean;
  /** The same roles were noted within a minute. */
  isNoted: boolean;
}

async function findRow(within: Within, externalId: string, roles: readonly Role[] = []): Promise<Row | null> {
  const { rows } = await within.database.pool.query<Row>(
    `select operator_id as "operatorId", enabled, countries, merchant_ids as "merchantIds",
       coalesce(identity_roles = $2 and identity_seen_at > clock_timestamp() - interval '1 minute', false) as "isNoted"
     from operator where external_id = $1`,
    [externalId, roles],
  );
  return rows[0] ?? null;
}

/** Changes of the platform come one after the other, so that of many first requests at once one makes the operator. */
async function make(domain: ChangeAccess, identity: Identity, externalId: string): Promise<Row> {
  const by = { actor: 'identity provider', approver: null, reason: `came for the first time, by ${identity.issuer}` };
  const where = { tenant: platformTenant, change: 'createOperatorOfIdentity' };
  const made = await changeConfiguration<Row>(domain, where, by, async (within) => {
    // Nothing is changed where they are there by now; to say so is a record too many, so it is refused.
    if (await findRow(within, externalId)) return { ok: false, rejection: 'operator_exists' };
    const operatorId = ownId(externalId);
    // An identity that was linked, and is not any more, finds its own operator as it was left: disabled.
    const { rows } = await within.database.pool.query<Omit<Row, 'isNoted'>>(
      `insert into operator as o (operator_id, name, roles, external_id) values ($1, $2, '{}', $3)
       on conflict (operator_id) do update set external_id = excluded.external_id where o.external_id is null
       returning operator_id as "operatorId", enabled, countries, merchant_ids as "merchantIds"`,
      [operatorId, identity.name, externalId],
    );
    const [row] = rows;
    if (!row) throw new Error(`${operatorId} is another identity's`);
    const value = { ...row, isNoted: false };
    const after = { name: identity.name, externalId };
    return { ok: true, value: { subject: operatorId, before: null, after, value } };
  });
  const row = made.ok ? made.value : await findRow(domain, externalId);
  if (!row) throw new Error('an operator is gone');
  return row;
}

/** Nothing that a person could choose, and so be taken for somebody else. */
function ownId(externalId: string): string {
  return `id-${createHash('sha256').update(externalId).digest('hex').slice(0, 24)}`;
}
