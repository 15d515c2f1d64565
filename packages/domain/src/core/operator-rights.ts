import type { Country } from './country.ts';

/** Roles of operators. An operator has any number of them; no role contains another. */
export const roles = ['viewer', 'support', 'operator', 'finance', 'admin'] as const;
export type Role = (typeof roles)[number];

/** Who works on orders and cases: writes notes, takes work, brings files. Everybody but viewers. */
export const workRoles: readonly Role[] = ['support', 'operator', 'finance', 'admin'];

/** How an operator signed in: by a token of ours, or through an identity provider. */
export type SignIn = 'token' | 'oidc';

/** The caller and the caller's permissions. */
export interface OperatorContext {
  operatorId: string;
  roles: readonly Role[];
  /** Only merchants of these countries; null: of all. */
  countries: readonly Country[] | null;
  /** Only these merchants; null: all. Where both are set, both have to allow. */
  merchantIds: readonly string[] | null;
  /** The id of the caller's token; null for a token of an identity provider. */
  tokenId: string | null;
  signIn: SignIn;
  /** Until when the token or session is valid, Unix ms; null: until it is revoked. */
  expiresAt?: number | null;
}

/** The owner of something: a merchant, or with null the whole platform. */
export interface Owner {
  merchantId: string | null;
  country: Country | null;
}

export function hasRole({ roles: own }: Pick<OperatorContext, 'roles'>, needed: readonly Role[]): boolean {
  return needed.some((role) => own.includes(role));
}

/**
 * Whether an operator's restriction allows this merchant. What belongs to the whole platform is for unrestricted
 * operators only.
 */
export function mayAccess(
  { countries, merchantIds }: Pick<OperatorContext, 'countries' | 'merchantIds'>,
  { merchantId, country }: Owner,
): boolean {
  const inCountry = countries === null || (country !== null && countries.includes(country));
  return inCountry && (merchantIds === null || (merchantId !== null && merchantIds.includes(merchantId)));
}
