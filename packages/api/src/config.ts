import { fileURLToPath } from 'node:url';
import type { ApiSettings } from '@tidegate/settings';
import { openConsoleFiles } from './console/console-files.ts';
import type { ConsoleOptions } from './console/console-options.ts';
import type { GraphiqlTokens } from './execution/graphiql.ts';
import type { OidcSettings } from './sign-in/oidc.ts';

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

/** Folder of the built console, relative to this file: in the checkout, and in the built image. */
const builtConsole = fileURLToPath(new URL('../../console/dist', import.meta.url));

/** How the operators' console is served. Reads its files. */
export function consoleOf(settings: ApiSettings): ConsoleOptions {
  const isProduction = settings.TIDEGATE_ENV === 'production';
  const tokens = {
    admin: settings.TIDEGATE_GRAPHIQL_TOKEN,
    approver: settings.TIDEGATE_GRAPHIQL_APPROVER_TOKEN,
    support: settings.TIDEGATE_CONSOLE_SUPPORT_TOKEN,
  };
  const tokenEntries = Object.entries(tokens).filter(([, token]) => token !== undefined);
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId } = settings;
  return {
    files: openConsoleFiles(settings.CONSOLE_DIR ?? builtConsole, { mayChange: !isProduction }),
    secure: isProduction,
    origin: settings.CONSOLE_URL === undefined ? null : new URL(settings.CONSOLE_URL).origin,
    sessionMs: settings.CONSOLE_SESSION_MINUTES * 60_000,
    idleMs: settings.CONSOLE_IDLE_MINUTES * 60_000,
    // Production does not start with such tokens; this holds without that.
    sandboxTokens: isProduction ? {} : Object.fromEntries(tokenEntries),
    provider:
      issuer === undefined || clientId === undefined
        ? null
        : {
            issuer,
            clientId,
            clientSecret: settings.OIDC_CLIENT_SECRET ?? null,
            scopes: settings.OIDC_SCOPES,
            rolesClaim: settings.OIDC_ROLES_CLAIM,
          },
  };
}
