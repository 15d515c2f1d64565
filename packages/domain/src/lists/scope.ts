import type { OperatorContext } from '../core/operator-rights.ts';
import type { Add } from './values.ts';

/** What the caller may see. Null is no restriction. If both are set, both have to allow (`mayAccess`). */
export type Scope = Pick<OperatorContext, 'countries' | 'merchantIds'>;

export const unrestricted: Scope = { countries: null, merchantIds: null };

/**
 * Conditions for rows within `scope`. `merchant` is the SQL of their merchant's number. Rows of the platform are for
 * unrestricted operators only.
 */
export function withinScope({ countries, merchantIds }: Scope, merchant: string, add: Add): string[] {
  const conditions: string[] = [];
  if (merchantIds !== null) conditions.push(`${merchant} = any(${add(merchantIds)}::text[])`);
  if (countries !== null)
    conditions.push(
      `exists (select from merchant s where s.merchant_id = ${merchant} and s.country = any(${add(countries)}::text[]) and s.merchant_id <> 'PLATFORM')`,
    );
  return conditions;
}

/** More merchants than these are not looked up one by one. */
const maxLookedUp = 100;

/**
 * The merchants to look up one by one: those that are both wanted and within scope. Null if all are wanted, or too
 * many. Then another index finds the rows, and conditions on scope and merchants select among them.
 */
export function merchantsToLookUp(wanted: readonly string[] | null, { merchantIds }: Scope): string[] | null {
  const both = wanted && merchantIds ? wanted.filter((id) => merchantIds.includes(id)) : (wanted ?? merchantIds);
  return both === null || both.length > maxLookedUp ? null : [...new Set(both)];
}

/** Conditions that limit rows `t` to wanted merchants (null: any) within scope. */
export function amongMerchants(wanted: readonly string[] | null, scope: Scope, add: Add): string[] {
  const conditions = withinScope(scope, 't.merchant_id', add);
  return wanted === null ? conditions : [...conditions, `t.merchant_id = any(${add(wanted)}::text[])`];
}

/** The same, for rows found by `merchantsToLookUp`: the conditions that are left for each row. */
export function ofMerchants(wanted: readonly string[] | null, scope: Scope, add: Add): string[] {
  const isLookedUp = merchantsToLookUp(wanted, scope) !== null;
  return isLookedUp
    ? withinScope({ ...scope, merchantIds: null }, 't.merchant_id', add)
    : amongMerchants(wanted, scope, add);
}
