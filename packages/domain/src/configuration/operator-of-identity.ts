import { createHash } from 'node:crypto';
import type { OperatorContext, Role } from '../core/operator-rights.ts';
import { Operator } from '../database/entities/access.ts';
import { type ChangeAccess, changeConfiguration, platformTenant, type Within } from '../ledger/index.ts';
import { noteIdentityRoles, operatorOfExternalId } from './statements.ts';

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
 * The operator of an identity. It is created at the first sign-in, with a record in the platform's chain. Roles come
 * from the provider, restrictions from this database. Null if the operator is disabled or has no role. Only issuer and
 * subject identify an operator. A user can choose a name or an e-mail address, or take over somebody else's.
 */
export async function operatorOfIdentity(domain: ChangeAccess, identity: Identity): Promise<OperatorContext | null> {
  const externalId = externalIdOf(identity);
  const known = await findRow(domain, externalId, identity.roles);
  if (!known && identity.roles.length === 0) return null;
  const found = known ?? (await make(domain, identity, externalId));
  if (!found.isNoted) await saveRoles(domain, externalId, identity.roles);
  if (!found.enabled || identity.roles.length === 0) return null;
  const { operatorId, countries, merchantIds } = found;
  return { operatorId, roles: identity.roles, countries, merchantIds, tokenId: null, signIn: 'oidc' };
}

/** How an identity is kept: its issuer and its subject there, which together are one person. */
export function externalIdOf({ issuer, subject }: Pick<Identity, 'issuer' | 'subject'>): string {
  return `${issuer} ${subject}`;
}

/** What the provider says now, for what is done while they are not there: it has no other way to say that a role was taken. */
async function saveRoles(within: Within, externalId: string, roles: readonly Role[]): Promise<void> {
  await within.database.pool.query(noteIdentityRoles, [externalId, roles]);
}

interface Row extends Pick<OperatorContext, 'operatorId' | 'countries' | 'merchantIds'> {
  enabled: boolean;
  /** The same roles were noted within a minute. */
  isNoted: boolean;
}

async function findRow(within: Within, externalId: string, roles: readonly Role[] = []): Promise<Row | null> {
  const { rows } = await within.database.pool.query<Row>(operatorOfExternalId, [externalId, roles]);
  return rows[0] ?? null;
}

/** Changes of the platform come one after the other, so that of many first requests at once one makes the operator. */
async function make(domain: ChangeAccess, identity: Identity, externalId: string): Promise<Row> {
  const by = { actor: 'identity provider', approver: null, reason: `came for the first time, by ${identity.issuer}` };
  const where = { tenant: platformTenant, change: 'createOperatorOfIdentity' };
  const made = await changeConfiguration<Row>(domain, where, by, async (within) => {
    // Nothing is changed where they are there by now; to say so is a record too many, so it is refused.
    if (await findRow(within, externalId)) return { ok: false, rejection: 'operator_exists' };
    const operatorId = makeOperatorId(externalId);
    // An identity that was linked, and is not any more, finds its own operator as it was left: disabled.
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
  const row = made.ok ? made.value : await findRow(domain, externalId);
  if (!row) throw new Error('an operator is gone');
  return row;
}

/** Nothing that a person could choose, and so be taken for somebody else. */
function makeOperatorId(externalId: string): string {
  return `id-${createHash('sha256').update(externalId).digest('hex').slice(0, 24)}`;
}
