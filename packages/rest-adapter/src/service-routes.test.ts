import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask, type Ground, startGround } from '../test/rest-ground.ts';

let ground: Ground;
let database: () => Promise<void> = async () => undefined;
beforeAll(async () => {
  ground = await startGround({ domain: { ready: () => database(), jwks: async () => ({ keys: [{ kid: 'one' }] }) } });
});
afterAll(() => ground.close());

test('healthz says that the process runs', async () => {
  expect(await ask(`${ground.url}/healthz`)).toMatchObject({ code: 0, data: { status: 'ok' } });
});

test.each([
  ['is there', async () => undefined, 200, 'success'],
  ['refuses', () => Promise.reject(new Error('away')), 503, 'service unavailable: database'],
  ['hangs', () => new Promise<void>(() => undefined), 503, 'service unavailable: database'],
])('readyz when the database %s', async (_, state, status, message) => {
  database = state;
  const started = performance.now();
  const { response, msg } = await ask(`${ground.url}/readyz`);
  expect([response.status, msg]).toEqual([status, message]);
  expect(performance.now() - started).toBeLessThan(1_500);
});

test('the JWKS is a plain one, and may be kept for a while', async () => {
  const response = await fetch(`${ground.url}/.well-known/jwks.json`);
  expect(await response.json()).toEqual({ keys: [{ kid: 'one' }] });
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(response.headers.get('cache-control')).toBe('public, max-age=60');
});

test('metrics count requests by route, method and code', async () => {
  await ask(`${ground.url}/no/such/path`);
  ground.metrics.observer.batch?.({ size: 3, waitedMs: 1, tookMs: 2 });
  const response = await fetch(`${ground.url}/metrics`);
  const text = await response.text();
  expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
  expect(text).toMatch(/tidegate_http_request_seconds_count\{method="GET",route="none",code="40400"\} 1/);
  expect(text).toMatch(/tidegate_seam_batch_size_sum 3/);
});
