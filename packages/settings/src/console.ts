import { text, webUrl, wholeNumberOr } from './schemas.ts';
import type { EnvironmentName } from './services.ts';
import { type SettingsRule, variableFacts } from './variable.ts';

/** The operators' console, which the API serves at `/console`. */
export const consoleVariables = {
  CONSOLE_DIR: text().min(1).optional().register(variableFacts, {
    description: 'The folder with the built console. Without one, `/console` says how to build it.',
    preset: 'where the build of the console leaves it',
  }),
  CONSOLE_URL: webUrl()
    .refine((url) => new URL(url).pathname === '/', 'has to be an address without a path')
    .optional()
    .register(variableFacts, {
      description:
        'Where the browsers of operators reach the API, for example `https://ops.example.com`. Requests of other origins are refused.',
      preset: 'the host of the request',
    }),
  CONSOLE_SESSION_MINUTES: wholeNumberOr(480, 1, 480).register(variableFacts, {
    description: 'How long a session of the console lasts at most.',
    unit: 'minutes',
  }),
  CONSOLE_IDLE_MINUTES: wholeNumberOr(30, 1, 480).register(variableFacts, {
    description:
      'A session of the console ends after this time without a request. Open streams do not count as requests.',
    unit: 'minutes',
  }),
  OIDC_CLIENT_ID: text(512).optional().register(variableFacts, {
    description:
      'Client id of the console at the identity provider. Its redirect address is `CONSOLE_URL` with `/console/sign-in/oidc/callback`.',
    preset: 'operators sign in to the console by token',
  }),
  OIDC_CLIENT_SECRET: text(512).optional().register(variableFacts, {
    description: "The console's secret at the identity provider.",
    secret: true,
    preset: 'none: a public client that uses only PKCE',
  }),
  OIDC_SCOPES: text(512).prefault('openid profile email').register(variableFacts, {
    description:
      'Scopes that the console requests from the identity provider, with spaces between them. The ID token has to hold the roles.',
  }),
  TIDEGATE_CONSOLE_SUPPORT_TOKEN: text(64).optional().register(variableFacts, {
    description: 'Sandbox only: the token of its operator `support`, who signs in to the console by one click.',
    secret: true,
    preset: 'the console does not offer it',
  }),
};

interface Checked {
  TIDEGATE_ENV: EnvironmentName;
  CONSOLE_URL?: string | undefined;
  OIDC_ISSUER?: string | undefined;
  OIDC_CLIENT_ID?: string | undefined;
  TIDEGATE_CONSOLE_SUPPORT_TOKEN?: string | undefined;
}

export const consoleRules: readonly SettingsRule<Checked>[] = [
  {
    variable: 'OIDC_CLIENT_ID',
    reason: 'needs CONSOLE_URL, and OIDC_ISSUER as a URL',
    broken: ({ OIDC_CLIENT_ID: clientId, OIDC_ISSUER: issuer, CONSOLE_URL: url }) =>
      clientId !== undefined && (url === undefined || issuer === undefined || !/^https?:\/\//i.test(issuer)),
  },
  {
    variable: 'OIDC_ISSUER',
    reason: 'has to begin with https:// in production where OIDC_CLIENT_ID is set',
    inProduction: true,
    broken: ({ OIDC_CLIENT_ID: clientId, OIDC_ISSUER: issuer }) =>
      clientId !== undefined && (issuer?.toLowerCase().startsWith('http:') ?? false),
  },
  {
    variable: 'CONSOLE_URL',
    reason: 'has to begin with https:// in production',
    inProduction: true,
    broken: (settings) => settings.CONSOLE_URL?.toLowerCase().startsWith('http:') ?? false,
  },
  {
    variable: 'TIDEGATE_CONSOLE_SUPPORT_TOKEN',
    reason: 'has to be unset in production',
    inProduction: true,
    broken: (settings) => settings.TIDEGATE_CONSOLE_SUPPORT_TOKEN !== undefined,
  },
];
