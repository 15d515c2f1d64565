import type { ApiSettings } from '@tidegate/settings';
import type { GraphiqlTokens } from './graphiql.ts';
import type { OidcSettings } from './oidc.ts';

/** Whether introspection is allowed and browsers get GraphiQL: by default in the sandbox only. */
export function hasOpenSchema(settings: Pick<ApiSettings, 'TIDEGATE_ENV' | 'TIDEGATE_GRAPHIQL'>): boolean {
  return settings.TIDEGATE_ENV === 'sandbox' && settings.TIDEGATE_GRAPHIQL !== 'off';
}

/** The identity provider, if configured. */
export function oidcOf(settings: ApiSettings): OidcSettings | null {
  const { OIDC_ISSUER: issuer, OIDC_AUDIENCE: audience, OIDC_JWKS_URL: jwksUrl } = settings;
  if (issuer === undefined || audience === undefined || jwksUrl === undefined) return null;
  return { issuer, audience, jwksUrl, rolesClaim: settings.OIDC_ROLES_CLAIM };
}

/** The tokens that GraphiQL starts with, if any. */
export function graphiqlTokensOf(settings: ApiSettings): GraphiqlTokens | undefined {
  const { TIDEGATE_GRAPHIQL_TOKEN: token, TIDEGATE_GRAPHIQL_APPROVER_TOKEN: approverToken } = settings;
  return token === undefined ? undefined : { token, approverToken };
}
