import { createHash } from 'node:crypto';
import type { OperatorContext, Role } from '../core/operator-rights.ts';
import { Operator } from '../database/entities/access.ts';
import { type ChangeAccess, type ChangeTransaction, changeConfiguration, platformTenant } from '../ledger/index.ts';
import { noteIdentityRoles, operatorOfExternalId } from './queries.ts';

/** An identity that an identity provider has confirmed. */
export interface Identity {
  /** The provider's identifier, and the provider's identifier of the person. Together they identify one person. */
  issuer: string;
  /** At most 255 characters. */
  subject: string;
  name: string;
  /** The roles that the provider reports. */
  roles: readonly Role[];
  /** Until when the provider's token is valid, Unix ms. */
  expiresAt?: number;
}

/**
 * The operator of an identity. It is created at the first sign-in, with an audit record of the platform. Roles come
 * from the provider, restrictions from this database. Null if the operator is disabled or has no role. Only issuer and
 * subject identify an operator, because a user can choose a name or an e-mail address, or take over another user's.
 */
export async function operatorOfIdentity(domain: ChangeAccess, identity: Identity): Promise<OperatorContext | null> {
  const externalId = externalIdOf(identity);
  const known = await findRow(domain, externalId, identity.roles);
  if (!known && identity.roles.length === 0) return null;
  const found = known ?? (await make(domain, identity, externalId));
  if (!found.isNoted) await saveRoles(domain, externalId, identity.roles);
  if (!found.enabled || identity.roles.length === 0) return null;
  const { operatorId, countries, merchantIds } = found;
  const { roles, expiresAt = null } = identity;
  return { operatorId, roles, countries, merchantIds, tokenId: null, signIn: 'oidc', expiresAt };
}

/** An identity as stored: the issuer, and the subject at that issuer. */
export function externalIdOf({ issuer, subject }: Pick<Identity, 'issuer' | 'subject'>): string {
  return `${issuer} ${subject}`;
}

/**
 * Stores the roles that the provider reports now. They are checked later when the person is not signed in: the provider
 * cannot report the loss of a role by itself.
 */
async function saveRoles({ database }: ChangeAccess, externalId: string, roles: readonly Role[]): Promise<void> {
  await database.ledgerPool.query(noteIdentityRoles, [externalId, roles]);
}

interface Row extends Pick<OperatorContext, 'operatorId' | 'countries' | 'merchantIds'> {
  enabled: boolean;
  /** The same roles were stored within the last minute. */
  isNoted: boolean;
}

async function findRow(
  within: ChangeTransaction,
  externalId: string,
  roles: readonly Role[] = [],
): Promise<Row | null> {
  const { rows } = await within.database.pool.query<Row>(operatorOfExternalId, [externalId, roles]);
  return rows[0] ?? null;
}

/**
 * Changes of the platform run one after the other, so that one of many concurrent first requests creates the operator.
 */
async function make(domain: ChangeAccess, identity: Identity, externalId: string): Promise<Row> {
  const by = { actor: 'identity provider', approver: null, reason: `came for the first time, by ${identity.issuer}` };
  const where = { tenant: platformTenant, change: 'createOperatorOfIdentity' };
  const created = await changeConfiguration<Row>(domain, where, by, async (within) => {
    // If the operator exists by now, the change is refused, so that no second record is written.
    if (await findRow(within, externalId)) return { ok: false, rejection: 'operator_exists' };
    const operatorId = makeOperatorId(externalId);
    // An identity that is no longer linked finds its own operator again, still disabled.
    const em = within.database.unitOfWork();
    const found = await em.findOne(Operator, operatorId);
    if (found && found.externalId != null) throw new Error(`${operatorId} is another identity's`);
    const entity = found ?? em.create(Operator, { operatorId, name: identity.name, roles: [] });
    entity.externalId = externalId;
    await em.persist(entity).flush();
    const { enabled, countries = null, merchantIds = null } = entity;
    const value = { operatorId, enabled, countries, merchantIds, isNoted: false };
    return { ok: true, value: { subject: operatorId, entity, value } };
  });
  const row = created.ok ? created.value : await findRow(domain, externalId);
  if (!row) throw new Error('the operator no longer exists');
  return row;
}

/** Not derived from anything that a person can choose, so an operator cannot take the id of another one. */
function makeOperatorId(externalId: string): string {
  return `id-${createHash('sha256').update(externalId).digest('hex').slice(0, 24)}`;
}
