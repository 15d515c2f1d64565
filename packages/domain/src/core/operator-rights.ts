import type { Country } from './country.ts';

/** What an operator may do; one has any number of them, and none contains another. */
export const roles = ['viewer', 'support', 'operator', 'finance', 'admin'] as const;
export type Role = (typeof roles)[number];

/** How an operator came in: by a token of ours, or through an identity provider. */
export type SignIn = 'token' | 'oidc';

/** Who asks, and how far their rights go. */
export interface OperatorContext {
  operatorId: string;
  roles: readonly Role[];
  /** Only merchants of these countries; null: of all. */
  countries: readonly Country[] | null;
  /** Only these merchants; null: all. Where both are set, both have to allow. */
  merchantIds: readonly string[] | null;
  /** The token that let them in, by its id; null for one of an identity provider. */
  tokenId: string | null;
  signIn: SignIn;
}

/** Whose something is: a merchant's, or with null the whole platform's. */
export interface Belongs {
  merchantId: string | null;
  country: Country | null;
}

export function hasRole({ roles: own }: Pick<OperatorContext, 'roles'>, needed: readonly Role[]): boolean {
  return needed.some((role) => own.includes(role));
}

/** Whether an operator's restriction leaves them what belongs to this merchant; what is the whole platform's is for the unrestricted. */
export function mayTouch(
  { countries, merchantIds }: Pick<OperatorContext, 'countries' | 'merchantIds'>,
  { merchantId, country }: Belongs,
): boolean {
  const inCountry = countries === null || (country !== null && countries.includes(country));
  return inCountry && (merchantIds === null || (merchantId !== null && merchantIds.includes(merchantId)));
}
