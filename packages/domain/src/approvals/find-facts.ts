import type { DirectoryAccess } from '../configuration/index.ts';
import type { Country } from '../core/country.ts';
import { mayAccess, type OperatorContext, type Owner } from '../core/operator-rights.ts';
import type { Outcome, Refused } from '../core/rejection.ts';
import type { DatabaseAccess } from '../database/database.ts';
import { type LedgerReadAccess, platformTenant } from '../ledger/index.ts';
import { findOrderByNumber } from '../orders/index.ts';
import type { About, AnyOperation, Facts, ReadInput } from './operation.ts';
import { countryOfMerchantSql } from './queries.ts';

/**
 * Looks up the subject of an operation. Refusals: merchant_not_found, order_not_found, case_not_found,
 * finding_not_found.
 */
export async function findFacts(domain: LedgerReadAccess & DirectoryAccess, about: About): Promise<Outcome<Facts>> {
  switch (about.kind) {
    case 'platform':
      return found(platformTenant, null);
    case 'new_merchant':
      return found(about.merchantId, about.country);
    case 'merchant': {
      const country = isPlatform(about.merchantId) ? null : await countryOf(domain, about.merchantId);
      return country ? found(about.merchantId, country) : { ok: false, rejection: 'merchant_not_found' };
    }
    case 'tenant': {
      const country = about.merchantId === platformTenant ? null : await countryOf(domain, about.merchantId);
      return country ? found(about.merchantId, country) : { ok: false, rejection: about.absent };
    }
    case 'order': {
      const order = await findOrderByNumber(domain, about.orderNo);
      if (!order) return { ok: false, rejection: 'order_not_found' };
      return { ok: true, value: { tenant: order.merchantId, country: order.country, order } };
    }
    default:
      return about satisfies never;
  }
}

/**
 * The refusal if the operator may not see what the operation also affects; null if they may, or if it affects nothing
 * else.
 */
export async function problemOfAffected(
  domain: LedgerReadAccess & DirectoryAccess,
  operator: Pick<OperatorContext, 'countries' | 'merchantIds'>,
  operation: AnyOperation,
  input: ReadInput,
): Promise<Refused | null> {
  const lead = operation.alsoAffects?.(input) ?? null;
  if (!lead) return null;
  const facts = await findFacts(domain, lead);
  if (!facts.ok) return facts;
  if (mayAccess(operator, ownerOf(facts.value))) return null;
  return { ok: false, rejection: lead.kind === 'order' ? 'order_not_found' : 'merchant_not_found' };
}

/** The owner of a subject, for checks of operators' restrictions. */
export function ownerOf({ tenant, country }: Facts): Owner {
  return { merchantId: tenant === platformTenant ? null : tenant, country };
}

/** Whether this is one of the platform's own tenants, which are not merchants. */
export function isPlatform(merchantId: string): boolean {
  return merchantId === platformTenant || merchantId.startsWith(`${platformTenant}-`);
}

function found(tenant: string, country: Country | null): Outcome<Facts> {
  return { ok: true, value: { tenant, country, order: null } };
}

/** Reads the primary database, so that a merchant created a moment ago is found. */
async function countryOf(domain: DatabaseAccess, merchantId: string): Promise<Country | null> {
  const { rows } = await domain.database.pool.query<{ country: Country }>(countryOfMerchantSql, [merchantId]);
  return rows[0]?.country ?? null;
}
