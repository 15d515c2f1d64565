import { openAttempts } from '@tidegate/process';
import type { SentRequest } from '@tidegate/process/testing';
import { openRequestCost, routesOf } from '@tidegate/process/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPath, type Fixture, startFixture } from '../test/rest-fixture.ts';
import { worstBodies } from '../test/worst-bodies.ts';

// Before the caller is known, a request costs at most 1 ms of processor time (ADR 0031).

// Machines differ by more than a tenth, so the test fails at half as much again.
const limitMs = 1.5;

const cost = openRequestCost();
let fixture: Fixture;
let routes: string[];
beforeAll(async () => {
  // Without a budget no request waits, so the test takes no longer than the requests.
  const attempts = openAttempts({ failureMs: 0, ofSource: { burstMs: 1e9, perSecondMs: 1e9 } });
  const found = await routesOf(() => startFixture({ environment: 'production', trustedProxies: 1, attempts }));
  fixture = found.built;
  routes = found.routes;
  fixture.merchant({ merchantId: 'KNOWN' });
});
afterAll(async () => {
  cost.close();
  await fixture.close();
});

/** The headers of an unknown caller who knows a merchant number. Each request comes from another address. */
const headers = (n: number, merchantNo = 'KNOWN') => ({
  'x-merchant-no': merchantNo,
  'x-timestamp': String(Math.floor(Date.now() / 1_000)),
  'x-nonce': `nonce-${n}-${'n'.repeat(48)}`,
  'x-sign': Buffer.alloc(256, 7).toString('base64'),
  'x-forwarded-for': `198.18.${(n >> 8) & 255}.${n & 255}`,
});

const post =
  (path: string, body: string, merchantNo?: string) =>
  (n: number): SentRequest => ({
    method: 'POST',
    path,
    headers: { ...headers(n, merchantNo), 'content-type': 'application/json' },
    body,
  });

/** A query of 4 KiB, as long as one may be. */
const longestQuery = Array.from({ length: 550 }, (_, i) => `${i.toString(36)}=%25`)
  .join('&')
  .slice(0, 4_090);
const get =
  (path: string, more: Readonly<Record<string, string>> = {}) =>
  (n: number): SentRequest => ({
    method: 'GET',
    path,
    headers: { ...headers(n), ...more },
  });

/** Headers of 15 KiB that a server may be tempted to read in parts. */
const lists = {
  'accept-encoding': 'br;q=0.1,'.repeat(500),
  'accept-language': 'th;q=0.1,'.repeat(500),
  'if-none-match': '"a",'.repeat(1_200),
};

const signed = (path: string) => `/api/v1/merchant${path}`;
const worst = worstBodies['fields with names that have to be escaped'] ?? '';
const token = `PI${'0'.repeat(30)}${'a'.repeat(32)}`;

/** The most expensive request without credentials for each route that is not a file. A new route needs a row. */
const requests: Readonly<Record<string, (n: number) => SentRequest>> = {
  'POST /api/v1/merchant/payin/create': post(signed('/payin/create'), worst),
  'POST /api/v1/merchant/payout/create': post(signed('/payout/create'), worst),
  'GET /api/v1/merchant/payin/query': get(signed(`/payin/query?${longestQuery}`)),
  'GET /api/v1/merchant/payout/query': get(signed(`/payout/query?${longestQuery}`)),
  'GET /api/v1/merchant/wallet': get(signed(`/wallet?${longestQuery}`)),
  'GET /api/v1/merchant/wallet/transactions': get(signed(`/wallet/transactions?${longestQuery}`)),
  'POST /upstream/:channel/callback': post('/upstream/nobody/callback', worst),
  'GET /checkout/*': get(`/checkout/${token}`, lists),
  'HEAD /checkout/*': (n) => ({ ...get(`/checkout/${token}/events`, lists)(n), method: 'HEAD' }),
  'GET /.well-known/keys/:keyId': get(`/.well-known/keys/KNOWN.${'A'.repeat(22)}`),
  'HEAD /.well-known/keys/:keyId': (n) => ({ ...get(`/.well-known/keys/${'A'.repeat(90)}`)(n), method: 'HEAD' }),
  'GET /docs/doctor/*': get(`/docs/doctor/${'a'.repeat(8_000)}`, lists),
  'HEAD /docs/doctor/*': (n) => ({ ...get('/docs/doctor/page.js', lists)(n), method: 'HEAD' }),
};

/** Files and figures without a parameter: each is its own worst request. */
const isPlain = (route: string): boolean =>
  !/[:*]/.test(route) && /^(GET|HEAD) \/(docs|healthz|readyz|metrics|\.well)/.test(route);

function requestOf(route: string): (n: number) => SentRequest {
  const [method = '', path = ''] = route.split(' ');
  const made = requests[route] ?? (isPlain(route) ? get(path, lists) : undefined);
  if (!made) throw new Error(`${route} has no row in this test: add its most expensive request without credentials`);
  return (n) => ({ ...made(n), method });
}

test('every route has its most expensive request in this test', () => {
  const known = routes.filter((route) => !route.startsWith('other methods '));
  expect(known.length).toBeGreaterThan(50);
  for (const route of known) expect(() => requestOf(route)).not.toThrow();
  expect(Object.keys(requests).filter((route) => !known.includes(route))).toEqual([]);
});

test(`on every route an unknown caller costs at most ${limitMs} ms of processor time`, {
  timeout: 300_000,
}, async () => {
  for (const route of routes.filter((one) => !one.startsWith('other methods '))) {
    const { ms } = await cost.measure(fixture.port, requestOf(route), limitMs);
    expect.soft(ms, route).toBeLessThanOrEqual(limitMs);
  }
});

test.each(Object.entries(worstBodies))(
  `a request whose signature fails costs at most ${limitMs} ms: %s`,
  { timeout: 300_000 },
  async (_, body) => {
    for (const merchantNo of ['KNOWN', 'NOBODY']) {
      const { ms, statuses } = await cost.measure(fixture.port, post(createPath, body, merchantNo), limitMs);
      expect(ms).toBeLessThanOrEqual(limitMs);
      // 400: more elements or a longer content than allowed.
      expect([[400], [401]]).toContainEqual(statuses);
    }
  },
);
