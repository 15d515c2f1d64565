import { takeKeyPair } from '@tidegate/domain/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aBody, ask, createPath, type Fixture, signedPost, startFixture } from '../test/rest-fixture.ts';

const own = `IN10001.${'aB3_-'.repeat(4)}aB`;
const key = (kid: string) => ({ kty: 'RSA', n: 'n', e: 'AQAB', kid, alg: 'RS256', use: 'sig' }) as const;
let fixture: Fixture;
let database: () => Promise<void> = async () => undefined;
beforeAll(async () => {
  const serviceKey = async (keyId: string) => (keyId === own ? key(own) : null);
  fixture = await startFixture({ domain: { ready: () => database(), serviceKey } });
});
afterAll(() => fixture.close());

test('healthz answers while the process runs', async () => {
  expect(await ask(`${fixture.url}/healthz`)).toMatchObject({ code: 0, data: { status: 'ok' } });
});

test.each([
  ['is available', async () => undefined, 200, 'success'],
  ['refuses', () => Promise.reject(new Error('unavailable')), 503, 'service unavailable: database'],
  ['hangs', () => new Promise<void>(() => undefined), 503, 'service unavailable: database'],
])('readyz when the database %s', async (_, state, status, message) => {
  database = state;
  const started = performance.now();
  const { response, msg } = await ask(`${fixture.url}/readyz`);
  expect([response.status, msg]).toEqual([status, message]);
  expect(performance.now() - started).toBeLessThan(1_500);
});

test('a service key is published as a JWK, and may be cached', async () => {
  const response = await fetch(`${fixture.url}/.well-known/keys/${own}`);
  expect([response.status, await response.json()]).toEqual([200, key(own)]);
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(response.headers.get('cache-control')).toBe('public, max-age=60');
});

test.each([own.replace('IN', 'PK'), 'nothing', '%00', 'a'.repeat(99), 'a'.repeat(300)])(
  'an unknown key id is not found, and that is not cached: %s',
  async (keyId) => {
    const { response, code } = await ask(`${fixture.url}/.well-known/keys/${keyId}`);
    expect([response.status, code]).toEqual([404, 40400]);
    expect(response.headers.get('cache-control') ?? 'no-store').toBe('no-store');
  },
);

test('metrics count requests by route, method, code, and the country of a merchant whose signature verified', async () => {
  const { merchantId } = fixture.merchant({ country: 'CN' });
  const create = `${fixture.url}${createPath}`;
  await ask(create, await signedPost(merchantId, aBody()));
  await ask(create, await signedPost(merchantId, aBody(), { key: takeKeyPair().privateKey }));
  await ask(`${fixture.url}/no/such/path`, { method: 'PROPFIND' });
  await ask(`${fixture.url}/no/such/path`);
  const response = await fetch(`${fixture.url}/metrics`);
  const text = await response.text();
  expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
  const counted = (labels: string) => `tidegate_http_request_duration_seconds_count{${labels}} 1`;
  expect(text).toContain(counted('method="GET",route="none",code="40400",country="none"'));
  // Callers can send any method that exists.
  expect(text).toContain(counted('method="other",route="none",code="40400",country="none"'));
  expect(text).toContain(counted(`method="POST",route="${createPath}",code="0",country="CN"`));
  expect(text).toContain(counted(`method="POST",route="${createPath}",code="40101",country="none"`));
  expect(text).not.toContain(merchantId);
});
