import { describe, expect, test } from 'vitest';
import { apiSettings } from './api.ts';
import { readSettings } from './read-settings.ts';
import { restAdapterSettings } from './rest-adapter.ts';
import { workerSettings } from './worker.ts';

// Each setting that production refuses, one by one (decisions 9). tests/nightly/production.test.ts shows that the processes do
// not start.

const right = {
  PORT: '8080',
  DATABASE_URL: 'postgres://h/d',
  REDIS_URL: 'redis://h',
  PUBLIC_BASE_URL: 'https://pay.test',
  TIDEGATE_KEYS: `payin current open 00000000 ${Buffer.from('8b1f0c5e9a3d7264f1e2d3c4b5a69788796a5b4c3d2e1f00917e6d5c4b3a2918', 'hex').toString('base64url')}`,
};
const oidc = { OIDC_ISSUER: 'i', OIDC_AUDIENCE: 'a', OIDC_JWKS_URL: 'https://id.test/keys' };
const forEvery: [string, string][] = [
  ['TIDEGATE_KEYS', `payin current open 00000000 ${'A'.repeat(43)}`],
  ['NOTIFY_ALLOW_CIDRS', '10.0.0.0/8'],
  ['CHANNEL_ALLOW_CIDRS', '127.0.0.0/8'],
  ['TIDEGATE_SCHEDULE_SCALE', '0.5'],
];

describe.each([
  ['the REST adapter', (given: Record<string, string>) => readSettings(restAdapterSettings, given)],
  ['the API', (given: Record<string, string>) => readSettings(apiSettings, given)],
  ['the worker', (given: Record<string, string>) => readSettings(workerSettings, given)],
] as const)('%s', (_, readFrom) => {
  test.each(forEvery)('%s=%s is refused in production, and accepted in a sandbox', (name, value) => {
    expect(readFrom({ ...right, TIDEGATE_ENV: 'sandbox', [name]: value })).toMatchObject({ ok: true });
    expect(readFrom({ ...right, TIDEGATE_ENV: 'production', [name]: value })).toEqual({
      ok: false,
      problems: [expect.stringMatching(new RegExp(`^${name} .*in production`))],
    });
  });

  test('a private network of channels is accepted in production', () => {
    const network = { ...right, TIDEGATE_ENV: 'production', CHANNEL_ALLOW_CIDRS: '10.1.2.0/24' };
    expect(readFrom(network)).toMatchObject({ ok: true });
  });
});

test.each<[string, Record<string, string>]>([
  ['TIDEGATE_GRAPHIQL', { TIDEGATE_GRAPHIQL: 'on' }],
  ['TIDEGATE_GRAPHIQL_TOKEN', { TIDEGATE_GRAPHIQL_TOKEN: 't' }],
  ['TIDEGATE_GRAPHIQL_APPROVER_TOKEN', { TIDEGATE_GRAPHIQL_APPROVER_TOKEN: 't' }],
  ['TIDEGATE_CONSOLE_SUPPORT_TOKEN', { TIDEGATE_CONSOLE_SUPPORT_TOKEN: 't' }],
  ['CONSOLE_URL', { CONSOLE_URL: 'http://ops.test' }],
  [
    'OIDC_ISSUER',
    {
      ...oidc,
      OIDC_ISSUER: 'http://id.test',
      TIDEGATE_APPROVAL_SIGN_IN: 'oidc',
      OIDC_CLIENT_ID: 'console',
      CONSOLE_URL: 'https://ops.test',
    },
  ],
  ['TIDEGATE_APPROVAL_SIGN_IN', oidc],
  ['OIDC_JWKS_URL', { ...oidc, TIDEGATE_APPROVAL_SIGN_IN: 'oidc', OIDC_JWKS_URL: 'http://id.test/keys' }],
])('the API refuses %s in production with %j, and accepts it in a sandbox', (name, given) => {
  expect(readSettings(apiSettings, { ...right, TIDEGATE_ENV: 'sandbox', ...given })).toMatchObject({ ok: true });
  expect(readSettings(apiSettings, { ...right, TIDEGATE_ENV: 'production', ...given })).toEqual({
    ok: false,
    problems: [expect.stringMatching(new RegExp(`^${name} .*in production`))],
  });
});
