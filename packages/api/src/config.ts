import { commonVariables } from '@tidegate/process';
import * as z from 'zod';
import type { GraphiqlTokens } from './graphiql.ts';
import type { OidcSettings } from './oidc.ts';

const decimal = z
  .string()
  .regex(/^(0|[1-9][0-9]{0,11})(\.[0-9]{1,2})?$/, 'has to be an amount such as 10000.00')
  .optional();

/** Tokens are believed by what is found there. */
const jwksUrl = z
  .string()
  .refine(
    (text) => URL.canParse(text) && /^https:$|^http:$/.test(new URL(text).protocol),
    'has to be a URL that begins with https://',
  )
  .optional();

const oidcNames = ['OIDC_ISSUER', 'OIDC_AUDIENCE', 'OIDC_JWKS_URL'] as const;

const fields = z.object({
  ...commonVariables,
  /** A streaming replica, for what is only read (docs/postgresql.md). */
  DATABASE_READ_URL: commonVariables.DATABASE_URL.optional(),
  /** Settlements and adjustments above it need two operators; decimal text, in whatever currency. */
  TIDEGATE_APPROVAL_LIMIT: decimal,
  /** An identity provider whose tokens are taken beside ours: `iss` and `aud` as it writes them, and where its keys are. */
  OIDC_ISSUER: z.string().max(512).optional(),
  OIDC_AUDIENCE: z.string().max(512).optional(),
  OIDC_JWKS_URL: jwksUrl,
  /** Where the roles stand in its tokens, with dots between names. */
  OIDC_ROLES_CLAIM: z.string().max(128).default('roles'),
  /** A sandbox's own: tokens of an operator, and of one who agrees, that GraphiQL is opened with on this machine. */
  TIDEGATE_GRAPHIQL_TOKEN: z.string().max(64).optional(),
  TIDEGATE_GRAPHIQL_APPROVER_TOKEN: z.string().max(64).optional(),
  /** A JSON file of documents by their SHA-256: no others are answered. */
  PERSISTED_OPERATIONS_FILE: z.string().min(1).optional(),
});

const graphiqlNames = ['TIDEGATE_GRAPHIQL_TOKEN', 'TIDEGATE_GRAPHIQL_APPROVER_TOKEN'] as const;

/** What the API is told by its environment. */
export const variables = fields.superRefine((settings, context) => {
  const given = oidcNames.filter((name) => settings[name] !== undefined);
  if (given.length > 0 && given.length < oidcNames.length)
    for (const name of oidcNames.filter((one) => !given.includes(one)))
      context.addIssue({ code: 'custom', path: [name], message: `is missing: it belongs to ${given.join(' and ')}` });
  for (const name of graphiqlNames)
    if (settings.TIDEGATE_ENV === 'production' && settings[name] !== undefined)
      context.addIssue({ code: 'custom', path: [name], message: 'has to be unset in production' });
  if (settings.TIDEGATE_ENV === 'production' && settings.OIDC_JWKS_URL?.startsWith('http:'))
    context.addIssue({ code: 'custom', path: ['OIDC_JWKS_URL'], message: 'has to begin with https:// in production' });
});

type Settings = z.output<typeof variables>;

/** The identity provider, if one is named. */
export function oidcOf(settings: Settings): OidcSettings | null {
  const { OIDC_ISSUER: issuer, OIDC_AUDIENCE: audience, OIDC_JWKS_URL: jwksUrl } = settings;
  if (issuer === undefined || audience === undefined || jwksUrl === undefined) return null;
  return { issuer, audience, jwksUrl, rolesClaim: settings.OIDC_ROLES_CLAIM };
}

/** What GraphiQL is opened with, if anything. */
export function graphiqlTokensOf(settings: Settings): GraphiqlTokens | undefined {
  const { TIDEGATE_GRAPHIQL_TOKEN: token, TIDEGATE_GRAPHIQL_APPROVER_TOKEN: approverToken } = settings;
  return token === undefined ? undefined : { token, approverToken };
}
