import { createHash } from 'node:crypto';
import type { OperatorContext, Role } from '../core/operator-rights.ts';
import { changeConfiguration, platformTenant, type Within } from './change-configuration.ts';
import type { Domain } from './domain.ts';

/** Somebody whom an identity provider has vouched for. */
export interface Identity {
  /** The provider's name of itself, and its own name of them: together they are one person. */
  issuer: string;
  /** At most 255 characters. */
  subject: string;
  name: string;
  /** What they would be called here, e.g. their e-mail address; only if it is free, since it proves nothing. */
  suggestedId: string | null;
  /** What the provider says they may do. */
  roles: readonly Role[];
}

/**
 * The operator that somebody is here, made when they first come, with a record in the platform's chain. Their roles are what the provider says,
 * their restrictions what is kept here. Null for one who is disabled, or has no role. One whom an admin has made by hand is never
 * matched by a name: what a provider's user can choose would let them be somebody else.
 */
export async function operatorOfIdentity(domain: Domain, identity: Identity): Promise<OperatorContext | null> {
  if (identity.roles.length === 0) return null;
  const externalId = `${identity.issuer} ${identity.subject}`;
  const found = (await findRow(domain, externalId)) ?? (await make(domain, identity, externalId));
  if (!found.enabled) return null;
  const { operatorId, countries, merchantIds } = found;
  return { operatorId, roles: identity.roles, countries, merchantIds, tokenId: null };
}

interface Row extends Pick<OperatorContext, 'operatorId' | 'countries' | 'merchantIds'> {
  enabled: boolean;
}

async function findRow(within: Within, externalId: string): Promise<Row | null> {
  const { rows } = await within.database.pool.query<Row>(
    `select operator_id as "operatorId", enabled, countries, merchant_ids as "merchantIds" from operator where external_id = $1`,
    [externalId],
  );
  return rows[0] ?? null;
}

/** Changes of the platform come one after the other, so that of many first requests at once one makes the operator. */
async function make(domain: Domain, identity: Identity, externalId: string): Promise<Row> {
  const by = { actor: 'identity provider', approver: null, reason: `came for the first time, by ${identity.issuer}` };
  const where = { tenant: platformTenant, change: 'createOperatorOfIdentity' };
  const made = await changeConfiguration<Row>(domain, where, by, async (within) => {
    // Nothing is changed where they are there by now; to say so is a record too many, so it is refused.
    if (await findRow(within, externalId)) return { ok: false, rejection: 'operator_exists' };
    const operatorId = await freeId(within, identity, externalId);
    await within.database.pool.query(
      "insert into operator (operator_id, name, roles, external_id) values ($1, $2, '{}', $3)",
      [operatorId, identity.name, externalId],
    );
    const value = { operatorId, enabled: true, countries: null, merchantIds: null };
    const after = { name: identity.name, externalId };
    return { ok: true, value: { subject: operatorId, before: null, after, value } };
  });
  const row = made.ok ? made.value : await findRow(domain, externalId);
  if (!row) throw new Error('an operator is gone');
  return row;
}

async function freeId(within: Within, { suggestedId }: Identity, externalId: string): Promise<string> {
  const own = `id-${createHash('sha256').update(externalId).digest('hex').slice(0, 24)}`;
  if (suggestedId === null || !/^[a-z0-9._@-]{2,64}$/.test(suggestedId)) return own;
  const { rows } = await within.database.pool.query('select from operator where operator_id = $1', [suggestedId]);
  return rows.length === 0 ? suggestedId : own;
}
