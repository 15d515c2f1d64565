import { request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { testKeysOf } from '@tidegate/domain/testing';
import { apiSettings, readSettings } from '@tidegate/settings';
import { getOperationAST, getVariableValues, parse, validate } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiFixture, ask, openApiFixture } from '../../test/api-fixture.ts';
import { graphiqlTokensOf } from '../config.ts';
import { schema } from '../schema/schema.ts';
import { graphiqlExamples } from './graphiql-examples.ts';

const now = Date.parse('2026-11-21T09:10:11Z');
const graphiqlTokens = { token: 'tgo_first', approverToken: 'tgo_second' };

let api: ApiFixture;
let url: string;
beforeAll(async () => {
  api = await openApiFixture();
  url = await api.serve({ openSchema: true, graphiqlTokens });
});
afterAll(() => api.close());

const named = graphiqlExamples(now).map((example) => [nameOf(example.query), example] as const);

function nameOf(query: string): string {
  return getOperationAST(parse(query))?.name?.value ?? '';
}

test('there are examples of queries, mutations and a subscription', () => {
  expect(named.map(([name]) => name)).toEqual([
    'NewestOrder',
    'OrdersOfToday',
    'Dashboard',
    'TopUpWallet',
    'AdjustWallet',
    'PendingApprovals',
    'Approve',
    'LiveOrders',
    'Queues',
  ]);
});

test.each(named)('%s fits the schema, and its variables fit it', (_name, { query, variables = {} }) => {
  const document = parse(query);
  expect(validate(schema, document)).toEqual([]);
  const definitions = getOperationAST(document)?.variableDefinitions ?? [];
  expect(getVariableValues(schema, definitions, { ...variables }).errors).toBeUndefined();
  expect(Object.keys(variables).filter((name) => !query.includes(`$${name}`))).toEqual([]);
});

test.each(named.filter(([, { query }]) => query.includes('query ')))(
  'the example is answered: %s',
  async (_name, { query, variables }) => {
    const token = await api.letIn('viewer');
    const { errors } = await ask(url, query, { token, variables: variables ?? {} });
    // There is no Redis here, so the queues are left out.
    expect(errors.filter(({ message }) => message !== 'no queues here')).toEqual([]);
  },
);

const page = async (headers: Record<string, string> = {}, at = url) => {
  const response = await fetch(`${at}/graphql`, { headers: { accept: 'text/html', ...headers } });
  return { status: response.status, headers: response.headers, html: await response.text() };
};

test('in a sandbox on this machine the page contains the tokens and cannot be framed', async () => {
  const { status, headers, html } = await page();
  expect(status).toBe(200);
  expect(html).toContain('Bearer tgo_first');
  expect(html).toContain('Bearer tgo_second');
  const policy = headers.get('content-security-policy') ?? '';
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).toContain("default-src 'none'");
  expect(policy).toMatch(/script-src( 'sha256-[\w+/]{43}='){2};/);
  expect(headers.get('cache-control')).toBe('no-store');
  expect((await page({}, url.replace('127.0.0.1', 'localhost'))).html).toContain('Bearer tgo_first');
});

test.each([
  { 'x-forwarded-for': '203.0.113.9' },
  { 'x-forwarded-host': 'localhost' },
  { 'x-forwarded-proto': 'https' },
  { forwarded: 'for=203.0.113.9' },
  { 'x-real-ip': '127.0.0.1' },
  { via: '1.1 proxy' },
  { 'cf-connecting-ip': '203.0.113.9' },
])('behind a proxy on this machine the page has no token: %j', async (headers) => {
  const { html } = await page(headers);
  expect(html).toContain('Bearer <operator token>');
  expect(html).not.toContain('tgo_');
});

test.each(['1.0', '1.1'])(
  'behind a proxy that adds no header but speaks HTTP/1.0 or closes the connection, the page has no token (%s)',
  async (version) => {
    const { port } = new URL(url);
    const socket = connect(Number(port), '127.0.0.1');
    const head = [`GET /graphql HTTP/${version}`, `Host: 127.0.0.1:${port}`, 'Accept: text/html', 'Connection: close'];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    const html = await text(socket);
    expect([html.includes('Bearer <operator token>'), html.includes('tgo_')]).toEqual([true, false]);
  },
);

test('many requests for the page at the same time share one copy in memory', async () => {
  const [one, two] = await Promise.all([page(), page()]);
  expect(one.html).toBe(two.html);
});

test('under another host name the page has no token, because a site with that name could read it', async () => {
  const answer = Promise.withResolvers<string>();
  const { port } = new URL(url);
  const headers = { host: `evil.example:${port}`, accept: 'text/html' };
  request({ port, host: '127.0.0.1', path: '/graphql', headers }, async (response) => {
    answer.resolve(await text(response));
  }).end();
  const html = await answer.promise;
  expect(html).toContain('Bearer <operator token>');
  expect(html).not.toContain('tgo_');
});

test('without tokens the page has an empty field for one', async () => {
  const { html } = await page({}, await api.serve({ openSchema: true }));
  expect(html).toContain('Bearer <operator token>');
});

test('in production a process with tokens in its settings does not start', () => {
  const settings = {
    PORT: '8081',
    DATABASE_URL: 'postgres://h/d',
    REDIS_URL: 'redis://h',
    PUBLIC_BASE_URL: 'https://pay.test',
    TIDEGATE_KEYS: testKeysOf('api'),
    TIDEGATE_GRAPHIQL_TOKEN: 'tgo_hush',
    TIDEGATE_GRAPHIQL_APPROVER_TOKEN: 'tgo_hush',
  };
  expect(readSettings(apiSettings, { ...settings, TIDEGATE_ENV: 'production' })).toEqual({
    ok: false,
    problems: [
      'TIDEGATE_GRAPHIQL_TOKEN has to be unset in production',
      'TIDEGATE_GRAPHIQL_APPROVER_TOKEN has to be unset in production',
    ],
  });
  const read = readSettings(apiSettings, { ...settings, TIDEGATE_ENV: 'sandbox' });
  expect(read.ok && graphiqlTokensOf(read.settings)).toEqual({ token: 'tgo_hush', approverToken: 'tgo_hush' });
});

test('production does not serve GraphiQL, with any settings', async () => {
  const { status, html } = await page({}, await api.serve({ openSchema: false, graphiqlTokens }));
  expect(status).toBe(405);
  expect(html).not.toContain('tgo_');
});
