import type { OperatorContext } from '../core/operator-rights.ts';
import type { Add } from './values.ts';

/** What the caller may see. Null is no restriction. If both are set, both have to allow (`mayAccess`). */
export type Scope = Pick<OperatorContext, 'countries' | 'merchantIds'>;

export const unrestricted: Scope = { countries: null, merchantIds: null };

/** Conditions that keep rows within `scope`; `merchant` is the SQL of their merchant's number. What is the whole platform's is for the unrestricted. */
export function withinScope({ countries, merchantIds }: Scope, merchant: string, add: Add): string[] {
  const conditions: string[] = [];
  if (merchantIds !== null) conditions.push(`${merchant} = any(${add(merchantIds)}::text[])`);
  if (countries !== null)
    conditions.push(
      `exists (select from merchant s where s.merchant_id = ${merchant} and s.country = any(${add(countries)}::text[]) and s.merchant_id <> 'PLATFORM')`,
    );
  return conditions;
}

/** More than these are not looked up one by one. */
const mostLookedUp = 100;

/**
 * The merchants whose rows are asked for, to be looked up one by one: those that are both wanted and within scope. Null where all are
 * wanted, or too many: then rows are found otherwise, and held against `withinScope` and the wanted ones.
 */
export function merchantsToLookUp(wanted: readonly string[] | null, { merchantIds }: Scope): string[] | null {
  const both = wanted && merchantIds ? wanted.filter((id) => merchantIds.includes(id)) : (wanted ?? merchantIds);
  return both === null || both.length > mostLookedUp ? null : [...new Set(both)];
}

/** Conditions that keep rows `t` to those of wanted merchants (null: any) within scope. */
export function amongMerchants(wanted: readonly string[] | null, scope: Scope, add: Add): string[] {
  const conditions = withinScope(scope, 't.merchant_id', add);
  return wanted === null ? conditions : [...conditions, `t.merchant_id = any(${add(wanted)}::text[])`];
}

/** The same, for rows found as `merchantsToLookUp` says: what that leaves to be asked of each. */
export function ofMerchants(wanted: readonly string[] | null, scope: Scope, add: Add): string[] {
  const isLookedUp = merchantsToLookUp(wanted, scope) !== null;
  return isLookedUp
    ? withinScope({ ...scope, merchantIds: null }, 't.merchant_id', add)
    : amongMerchants(wanted, scope, add);
}
