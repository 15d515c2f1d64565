import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { NotReady } from '@tidegate/domain';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiFixture, ask, openApiFixture, readAnswer } from '../test/api-fixture.ts';

let api: ApiFixture;
let sandboxUrl: string;
let token: string;
beforeAll(async () => {
  api = await openApiFixture();
  token = await api.letIn('viewer');
  sandboxUrl = await api.serve({ openSchema: true });
});
afterAll(() => api.close());

const json = { 'content-type': 'application/json' };
/** With this media type the HTTP status shows whether the document was valid. */
const graphqlResponse = 'application/graphql-response+json';
const query = '{ __typename }';

test.each<[string, string, RequestInit, number, string]>([
  ['GET with a query', `/graphql?query=${encodeURIComponent(query)}`, {}, 405, 'METHOD_NOT_ALLOWED'],
  ['PUT', '/graphql', { method: 'PUT', headers: json, body: JSON.stringify({ query }) }, 405, 'METHOD_NOT_ALLOWED'],
  [
    'OPTIONS, as before a request of another site',
    '/graphql',
    { method: 'OPTIONS', headers: { origin: 'https://evil.example' } },
    405,
    'METHOD_NOT_ALLOWED',
  ],
  ['a form', '/graphql', { method: 'POST', body: new URLSearchParams({ query }) }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ['a multipart form', '/graphql', { method: 'POST', body: new FormData() }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
  [
    'plain text',
    '/graphql',
    { method: 'POST', headers: { 'content-type': 'text/plain' }, body: JSON.stringify({ query }) },
    415,
    'UNSUPPORTED_MEDIA_TYPE',
  ],
  [
    'application/graphql',
    '/graphql',
    { method: 'POST', headers: { 'content-type': 'application/graphql' }, body: query },
    415,
    'UNSUPPORTED_MEDIA_TYPE',
  ],
  ['nothing at all', '/graphql', { method: 'POST' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ['an empty JSON body', '/graphql', { method: 'POST', headers: json, body: '' }, 400, 'BAD_REQUEST'],
  ['broken JSON', '/graphql', { method: 'POST', headers: json, body: '{"query":' }, 400, 'BAD_REQUEST'],
  [
    'JSON that is no object',
    '/graphql',
    { method: 'POST', headers: json, body: '"{ __typename }"' },
    400,
    'BAD_REQUEST',
  ],
  [
    'a batch',
    '/graphql',
    { method: 'POST', headers: json, body: JSON.stringify([{ query }, { query }]) },
    400,
    'BAD_REQUEST',
  ],
  [
    'a body without a query',
    '/graphql',
    { method: 'POST', headers: { ...json, accept: graphqlResponse }, body: '{}' },
    400,
    'BAD_REQUEST',
  ],
  [
    'a body that is too large',
    '/graphql',
    { method: 'POST', headers: json, body: JSON.stringify({ query: `${query}#${'x'.repeat(131_072)}` }) },
    413,
    'REQUEST_TOO_LARGE',
  ],
  ['an unknown path', '/graphq', { method: 'POST', headers: json, body: JSON.stringify({ query }) }, 404, 'NOT_FOUND'],
  ['an invalid path', '/%zz', {}, 400, 'BAD_REQUEST'],
])('%s is answered in the form of a GraphQL answer', async (_what, path, init, status, code) => {
  const headers = { ...(init.headers as Record<string, string>), authorization: `Bearer ${token}` };
  const answer = await readAnswer(await fetch(`${api.url}${path}`, { ...init, headers }));
  expect(answer.errors).toHaveLength(1);
  expect(answer).toMatchObject({ status, errors: [{ extensions: { code, requestId: answer.requestId } }] });
  expect(answer.requestId).toMatch(/^[0-9a-f-]{36}$/);
  expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  expect(answer.headers.get('allow')).toBe(status === 405 ? 'POST' : null);
});

test('JSON with a charset is accepted, and the answer has its own id', async () => {
  const init = {
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'x-request-id': 'mine',
      origin: 'https://evil.example',
      authorization: `Bearer ${token}`,
    },
  };
  const [one, two] = [await ask(api.url, query, { init }), await ask(api.url, query, { init })];
  expect(one).toMatchObject({ status: 200, data: { __typename: 'Query' }, errors: [] });
  expect(one.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(one.headers.get('cache-control')).toBe('no-store');
  expect(one.headers.get('access-control-allow-origin')).toBeNull();
  expect(one.requestId).toMatch(/^[0-9a-f-]{36}$/);
  expect(two.requestId).not.toBe(one.requestId);
});

test.each([
  ['application/json', 200, 200],
  [graphqlResponse, 200, 400],
])(
  'as the specification GraphQL over HTTP says, %s is answered with %i, and with %i if the document is wrong',
  async (accept, right, wrong) => {
    const init = { headers: { ...json, accept, authorization: `Bearer ${token}` } };
    for (const [document, status] of [
      [query, right],
      ['{ nothing }', wrong],
      ['{', wrong],
    ] as const) {
      const answer = await fetch(`${api.url}/graphql`, {
        method: 'POST',
        ...init,
        body: JSON.stringify({ query: document }),
      });
      expect([document, answer.status, answer.headers.get('content-type')]).toEqual([
        document,
        status,
        `${accept}; charset=utf-8`,
      ]);
    }
  },
);

test('a request that is not HTTP is answered with an error and an id', async () => {
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write('hello there\r\n\r\n');
  const answer = await text(socket);
  expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  const requestId = /X-Request-Id: (\S+)/.exec(answer)?.[1];
  expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
  expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toEqual({
    errors: [{ message: 'bad request', extensions: { code: 'BAD_REQUEST', requestId } }],
  });
});

test('a browser gets GraphiQL in the sandbox, from this server alone, and nothing in production', async () => {
  const init = { headers: { accept: 'text/html,application/xhtml+xml' } };
  const page = await fetch(`${sandboxUrl}/graphql`, init);
  expect(page.status).toBe(200);
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const html = await page.text();
  expect(html).toContain('Tidegate GraphiQL');
  expect(html).not.toMatch(/<(?:script|link)[^>]+(?:src|href)="?https?:/);
  expect((await fetch(`${api.url}/graphql`, init)).status).toBe(405);
});

test('healthz answers without the dependencies that readyz checks', async () => {
  let redis = async (): Promise<unknown> => 'PONG';
  const url = await api.serve({ dependencies: { database: () => api.domain.ready(), redis: () => redis() } });
  const ready = async () => {
    const response = await fetch(`${url}/readyz`);
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    return [response.status, await response.json()];
  };
  expect(await ready()).toEqual([200, { status: 'ok', checks: { database: 'ok', redis: 'ok' } }]);
  redis = () => Promise.reject(new Error('connect ECONNREFUSED'));
  expect(await ready()).toEqual([503, { status: 'unavailable', checks: { database: 'ok', redis: 'unavailable' } }]);
  redis = () => Promise.reject(new NotReady('it evicts keys'));
  expect(await ready()).toEqual([503, { status: 'unavailable', checks: { database: 'ok', redis: 'it evicts keys' } }]);
  redis = () => new Promise(() => {});
  const sentAt = performance.now();
  expect(await ready()).toEqual([503, { status: 'unavailable', checks: { database: 'ok', redis: 'unavailable' } }]);
  expect(performance.now() - sentAt).toBeLessThan(3_000);
  const health = await fetch(`${url}/healthz`);
  expect([health.status, await health.json()]).toEqual([200, { status: 'ok' }]);
});

test('requests are counted by route and status, unknown paths under one label', async () => {
  const url = await api.serve({});
  await ask(url, query, { token });
  await ask(url, query, { token });
  await fetch(`${url}/made-up-${Date.now()}`);
  const response = await fetch(`${url}/metrics`);
  expect(response.headers.get('content-type')).toContain('text/plain');
  const metrics = await response.text();
  expect(metrics).toContain(
    'tidegate_http_request_duration_seconds_count{method="POST",route="/graphql",code="200",country="none"} 2',
  );
  expect(metrics).toContain(
    'tidegate_http_request_duration_seconds_count{method="GET",route="none",code="404",country="none"} 1',
  );
  expect(metrics).toContain('process_cpu_seconds_total');
  expect(metrics).not.toContain('made-up');
});
