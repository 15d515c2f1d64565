import { openRequestCost, routesOf, type SentRequest } from '@tidegate/process/testing';
import { createTestRedis } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ConsoleFixture, openConsoleFixture } from '../test/console-fixture.ts';
import { openBoardQueues } from './board/open-board-queues.ts';

// Before the caller is known, a request costs at most 1 ms of processor time (ADR 0031).

const limitMs = 1;
const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

let api: ConsoleFixture;
let url: string;
let routes: string[];
const cost = openRequestCost();
beforeAll(async () => {
  api = await openConsoleFixture();
  const queues = openBoardQueues({ redisUrl: (await createTestRedis()).url, log: silent });
  const provider = {
    issuer: 'https://issuer.test',
    clientId: 'console',
    clientSecret: null,
    scopes: 'openid',
    rolesClaim: 'roles',
  };
  const found = await routesOf(() =>
    api.serveConsole(
      { provider, origin: 'https://ops.test', secure: true },
      { board: { queues, secure: true }, trustedProxies: 1 },
    ),
  );
  url = found.built;
  routes = found.routes;
  await queues.close();
});
afterAll(async () => {
  cost.close();
  await api.close();
});

/** With the cookies, headers near the limit of 16 KiB. */
const headers = (n: number) => ({
  'x-forwarded-for': `198.18.${(n >> 8) & 255}.${n & 255}`,
  'x-tidegate-console': '1',
  accept: 'text/html',
  'accept-encoding': 'br;q=0.1,'.repeat(200),
  'if-none-match': '"a",'.repeat(200),
});
const cookie = `__Host-tidegate-console=${'A'.repeat(4_000)}; __Host-tidegate-board=${'A'.repeat(3_000)}; __Host-tidegate-console-oidc=${'A'.repeat(3_000)}`;
const json = { 'content-type': 'application/json' };
const bearer = (n: number) => ({ authorization: `Bearer tgo_${String(n).padStart(43, '0')}` });

type Make = (n: number) => Omit<SentRequest, 'method'>;

/** The most expensive request without credentials of routes whose worst is more than a long cookie. */
const requests: Readonly<Record<string, Make>> = {
  'POST /graphql': (n) => ({
    path: '/graphql',
    headers: { ...json, ...bearer(n) },
    body: JSON.stringify({ query: `{ ${'me { operatorId } '.repeat(3_000)} }` }),
  }),
  'POST /redeem-invitation': (n) => ({
    path: '/redeem-invitation',
    headers: { authorization: `Bearer tgi_${String(n).padStart(43, '0')}` },
  }),
  'POST /console/session': (n) => ({
    path: '/console/session',
    headers: json,
    body: JSON.stringify({ token: `tgo_${String(n).padStart(43, '0')}` }),
  }),
  'POST /board/sign-in': (n) => ({
    path: '/board/sign-in',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
    body: `token=tgo_${String(n).padStart(43, '0')}&${'a=%41&'.repeat(2_600)}`,
  }),
  'POST /files': (n) => ({ path: '/files?on=x&name=y', headers: bearer(n), body: 'x'.repeat(60_000) }),
  'POST /statements': (n) => ({ path: '/statements?country=PK', headers: bearer(n), body: 'x'.repeat(60_000) }),
};

function requestOf(route: string): (n: number) => SentRequest {
  const [method = '', pattern = ''] = route.split(' ');
  const path = pattern.replace(/:\w+/g, 'a'.repeat(64)).replace('*', 'a'.repeat(200));
  const make: Make = requests[route] ?? (() => ({ path, headers: { cookie } }));
  return (n) => {
    const made = make(n);
    return { ...made, method, headers: { ...headers(n), ...made.headers } };
  };
}

test('every route that reads a body or a token has a row in this test', () => {
  const own = routes.filter((route) => route.startsWith('POST ') && !/^POST \/board\/(watch|manage)/.test(route));
  expect(own.length).toBeGreaterThan(4);
  expect(own.filter((route) => !(route in requests))).toEqual([]);
});

test(`on every route an unknown caller costs at most ${limitMs} ms of processor time`, {
  timeout: 300_000,
}, async () => {
  const { port } = new URL(url);
  for (const route of routes.filter((one) => /^(GET|HEAD|POST|DELETE) /.test(one))) {
    const { ms } = await cost.measure(Number(port), requestOf(route), limitMs);
    expect.soft(ms, route).toBeLessThanOrEqual(limitMs);
  }
});
