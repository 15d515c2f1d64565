import { text, webUrl, wholeNumberOr } from './schemas.ts';
import type { EnvironmentName } from './services.ts';
import { type SettingsRule, variableFacts } from './variable.ts';

/** The operators' console, which the API serves at `/console`. */
export const consoleVariables = {
  CONSOLE_DIR: text().min(1).optional().register(variableFacts, {
    description: 'The folder with the built console.',
    preset: 'where the build of the console leaves it',
  }),
  CONSOLE_URL: webUrl()
    .refine((url) => new URL(url).pathname === '/', 'has to be an address without a path')
    .optional()
    .register(variableFacts, {
      description:
        'Where browsers reach the console, e.g. `https://ops.example.com`. Requests of other origins are refused.',
      preset: 'the host of the request',
    }),
  CONSOLE_SESSION_MINUTES: wholeNumberOr(480, 1, 480).register(variableFacts, {
    description: 'The longest session of the console.',
  }),
  CONSOLE_IDLE_MINUTES: wholeNumberOr(30, 1, 480).register(variableFacts, {
    description: 'A session ends after this time without a request. Streams do not count.',
  }),
  OIDC_CLIENT_ID: text(512).optional().register(variableFacts, {
    description:
      'Client id of the console. Its redirect address is `CONSOLE_URL` with `/console/sign-in/oidc/callback`.',
    preset: 'sign-in by token',
  }),
  OIDC_CLIENT_SECRET: text(512).optional().register(variableFacts, {
    description: 'Client secret of the console.',
    secret: true,
    preset: 'none: a public client with PKCE',
  }),
  OIDC_SCOPES: text(512).prefault('openid profile email').register(variableFacts, {
    description: 'Scopes that the console requests, separated by spaces. The ID token must hold the roles.',
  }),
  TIDEGATE_CONSOLE_SUPPORT_TOKEN: text(64).optional().register(variableFacts, {
    description: 'Sandbox only: token of its operator `support`, for sign-in by one click.',
    secret: true,
    preset: 'not offered',
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
