import * as z from 'zod';
import { consoleRules, consoleVariables } from './console.ts';
import { text, webUrl } from './schemas.ts';
import {
  approvalLimit,
  approvalSignIn,
  domainRules,
  readReplica,
  serviceVariables,
  trustedProxies,
} from './services.ts';
import { defineSettings, type SettingsRule, variableFacts } from './variable.ts';

const schema = z.object({
  ...serviceVariables,
  DATABASE_READ_URL: readReplica,
  TRUSTED_PROXIES: trustedProxies,
  TIDEGATE_APPROVAL_LIMIT: approvalLimit,
  TIDEGATE_APPROVAL_SIGN_IN: approvalSignIn,
  OIDC_ISSUER: text(512).optional().register(variableFacts, {
    description: 'The exact `iss` of an identity provider whose tokens are accepted too.',
    preset: 'only tokens of this service',
  }),
  OIDC_AUDIENCE: text(512)
    .optional()
    .register(variableFacts, { description: 'The `aud` that tokens of the identity provider must have.' }),
  OIDC_JWKS_URL: webUrl().optional().register(variableFacts, {
    description: 'URL of the keys (JWKS) of the identity provider.',
  }),
  OIDC_ROLES_CLAIM: text(128).prefault('roles').register(variableFacts, {
    description: 'The claim with the roles: a path separated by dots.',
  }),
  TIDEGATE_GRAPHIQL: z.enum(['on', 'off'], 'has to be on or off').optional().register(variableFacts, {
    description: 'Introspection, and GraphiQL at `GET /graphql`: `on` or `off`.',
    preset: 'on in the sandbox, off in production',
  }),
  TIDEGATE_GRAPHIQL_TOKEN: text(64).optional().register(variableFacts, {
    description: 'Sandbox only: token of its operator `admin`, for GraphiQL and the console.',
    secret: true,
    preset: 'GraphiQL asks for a token',
  }),
  TIDEGATE_GRAPHIQL_APPROVER_TOKEN: text(64).optional().register(variableFacts, {
    description: 'Sandbox only: token of its operator `approver`.',
    secret: true,
    preset: 'GraphiQL asks for a token',
  }),
  PERSISTED_OPERATIONS_FILE: text().optional().register(variableFacts, {
    description: 'A JSON file of GraphQL documents by their SHA-256. Only these and those of the console are executed.',
    preset: 'any document',
  }),
  ...consoleVariables,
});

export type ApiSettings = z.output<typeof schema>;

const oidcNames = ['OIDC_ISSUER', 'OIDC_AUDIENCE', 'OIDC_JWKS_URL'] as const;

const oidcRules = oidcNames.map(
  (variable): SettingsRule<ApiSettings> => ({
    variable,
    reason: `is missing: ${oidcNames.join(', ')} belong together`,
    broken: (settings) => settings[variable] === undefined && oidcNames.some((name) => settings[name] !== undefined),
  }),
);

const graphiqlRules = (['TIDEGATE_GRAPHIQL_TOKEN', 'TIDEGATE_GRAPHIQL_APPROVER_TOKEN'] as const).map(
  (variable): SettingsRule<ApiSettings> => ({
    variable,
    reason: 'has to be unset in production',
    inProduction: true,
    broken: (settings) => settings[variable] !== undefined,
  }),
);

export const apiSettings = defineSettings({
  title: 'the API',
  schema,
  rules: [
    ...domainRules,
    ...oidcRules,
    ...graphiqlRules,
    ...consoleRules,
    {
      variable: 'TIDEGATE_APPROVAL_SIGN_IN',
      reason:
        'has to be token or oidc in production where OIDC_ISSUER is set: operations of two operators need one kind of sign-in',
      inProduction: true,
      broken: (settings) => settings.OIDC_ISSUER !== undefined && settings.TIDEGATE_APPROVAL_SIGN_IN === undefined,
    },
    {
      variable: 'TIDEGATE_APPROVAL_SIGN_IN',
      reason: 'is oidc, and no identity provider is named: OIDC_ISSUER is missing',
      broken: (settings) => settings.OIDC_ISSUER === undefined && settings.TIDEGATE_APPROVAL_SIGN_IN === 'oidc',
    },
    {
      variable: 'TIDEGATE_GRAPHIQL',
      reason: 'has to be off in production, as it is when unset',
      inProduction: true,
      broken: (settings) => settings.TIDEGATE_GRAPHIQL === 'on',
    },
    {
      variable: 'OIDC_JWKS_URL',
      reason: 'has to begin with https:// in production',
      inProduction: true,
      broken: (settings) => settings.OIDC_JWKS_URL?.toLowerCase().startsWith('http:') ?? false,
    },
  ],
});
