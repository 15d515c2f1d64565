import { testKeysOf } from '@tidegate/domain/testing';
import { apiSettings, readSettings } from '@tidegate/settings';
import { expect, test } from 'vitest';
import { consoleOf, hasOpenSchema, oidcOf } from './config.ts';

const right = {
  PORT: '8081',
  DATABASE_URL: 'postgres://localhost/tidegate',
  REDIS_URL: 'redis://localhost',
  TIDEGATE_KEYS: testKeysOf('api'),
  TIDEGATE_ENV: 'production',
  PUBLIC_BASE_URL: 'https://pay.example',
};
const provider = {
  OIDC_ISSUER: 'https://id.example',
  OIDC_AUDIENCE: 'tidegate',
  OIDC_JWKS_URL: 'https://id.example/keys',
};

function settingsOf(more: Record<string, string>) {
  const read = readSettings(apiSettings, { ...right, ...more });
  if (!read.ok) throw new Error(read.problems.join('\n'));
  return read.settings;
}

test('without its variables no identity provider is configured', () => {
  expect(oidcOf(settingsOf({}))).toBeNull();
});

test('three variables configure an identity provider, a fourth the claim of roles', () => {
  const chosen = { ...provider, TIDEGATE_APPROVAL_SIGN_IN: 'oidc' };
  expect(oidcOf(settingsOf({ ...chosen, OIDC_ROLES_CLAIM: 'realm_access.roles' }))).toEqual({
    issuer: 'https://id.example',
    audience: 'tidegate',
    jwksUrl: 'https://id.example/keys',
    rolesClaim: 'realm_access.roles',
  });
});

test.each<[string, Record<string, string>, RegExp]>([
  [
    'only a part of the variables',
    { OIDC_ISSUER: 'https://id.example' },
    /OIDC_AUDIENCE is missing.*\n.*OIDC_JWKS_URL is missing/,
  ],
  ['an address of the keys without https', { ...provider, OIDC_JWKS_URL: 'http://id.example/keys' }, /https/],
  [
    'an address of the keys that is no URL',
    { ...provider, OIDC_JWKS_URL: 'id.example' },
    /OIDC_JWKS_URL has to be a URL/,
  ],
  ['a provider without TIDEGATE_APPROVAL_SIGN_IN', provider, /TIDEGATE_APPROVAL_SIGN_IN has to be token or oidc/],
  ['approvals by identities without a provider', { TIDEGATE_APPROVAL_SIGN_IN: 'oidc' }, /OIDC_ISSUER is missing/],
  [
    'another kind of sign-in',
    { TIDEGATE_APPROVAL_SIGN_IN: 'mail' },
    /TIDEGATE_APPROVAL_SIGN_IN has to be token or oidc/,
  ],
  ['a limit that is no amount', { TIDEGATE_APPROVAL_LIMIT: '1e4' }, /TIDEGATE_APPROVAL_LIMIT has to be an amount/],
])('the settings are refused: %s', (_what, more, why) => {
  expect(() => settingsOf(more)).toThrow(why);
});

const console = {
  CONSOLE_URL: 'https://ops.example/',
  OIDC_CLIENT_ID: 'console',
  OIDC_CLIENT_SECRET: 'hush',
  CONSOLE_IDLE_MINUTES: '5',
};

test('without settings a console session lasts 8 hours, or 30 minutes idle, and sign-in is by token only', () => {
  const hour = 60 * 60_000;
  const common = { secure: true, sandboxTokens: {}, sessionMs: 8 * hour };
  expect(consoleOf(settingsOf({}))).toMatchObject({ ...common, idleMs: hour / 2, origin: null, provider: null });
  const chosen = { ...provider, ...console, TIDEGATE_APPROVAL_SIGN_IN: 'oidc' };
  expect(consoleOf(settingsOf(chosen))).toMatchObject({
    ...common,
    idleMs: hour / 12,
    origin: 'https://ops.example',
    provider: { issuer: 'https://id.example', clientId: 'console', clientSecret: 'hush', rolesClaim: 'roles' },
  });
});

test('the console offers the ready-made operators in a sandbox only, never in production', () => {
  const tokens = { TIDEGATE_GRAPHIQL_TOKEN: 'a', TIDEGATE_CONSOLE_SUPPORT_TOKEN: 's' };
  const sandbox = settingsOf({ TIDEGATE_ENV: 'sandbox', ...tokens });
  expect(consoleOf(sandbox).sandboxTokens).toEqual({ admin: 'a', support: 's' });
  expect(() => settingsOf(tokens)).toThrow('TIDEGATE_CONSOLE_SUPPORT_TOKEN has to be unset in production');
  expect(consoleOf({ ...sandbox, TIDEGATE_ENV: 'production' }).sandboxTokens).toEqual({});
});

test.each<[string, Record<string, string>, RegExp]>([
  ['a client without CONSOLE_URL', { OIDC_CLIENT_ID: 'c', ...provider }, /OIDC_CLIENT_ID needs CONSOLE_URL/],
  [
    'a client without an identity provider',
    { OIDC_CLIENT_ID: 'c', CONSOLE_URL: 'https://ops.example' },
    /and OIDC_ISSUER as a URL/,
  ],
  [
    'an address with a path',
    { CONSOLE_URL: 'https://ops.example/console' },
    /CONSOLE_URL has to be an address without/,
  ],
  ['more than eight hours', { CONSOLE_SESSION_MINUTES: '481' }, /CONSOLE_SESSION_MINUTES has to be a whole number/],
])('the console refuses %s', (_what, more, why) => {
  expect(() => settingsOf(more)).toThrow(why);
});

test.each<[string, string, boolean]>([
  ['sandbox', '', true],
  ['sandbox', 'off', false],
  ['production', '', false],
  ['production', 'off', false],
])('in %s with TIDEGATE_GRAPHIQL=%s introspection is allowed: %s', (environment, graphiql, open) => {
  expect(hasOpenSchema(settingsOf({ TIDEGATE_ENV: environment, TIDEGATE_GRAPHIQL: graphiql }))).toBe(open);
});

test('production refuses GraphiQL', () => {
  expect(() => settingsOf({ TIDEGATE_GRAPHIQL: 'on' })).toThrow('TIDEGATE_GRAPHIQL has to be off in production');
});
