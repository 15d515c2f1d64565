import { GraphQLError } from 'graphql';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ApiFixture, ask, openApiFixture } from '../../test/api-fixture.ts';

let api: ApiFixture;
let token: string;
beforeAll(async () => {
  api = await openApiFixture();
  token = await api.letIn('viewer');
});
beforeEach(() => {
  api.logged.length = 0;
});
afterAll(() => api.close());

const anOrder = '{ order(orderNo: "PI1") { orderNo } }';

/** An API whose database fails in this way when an order is read. */
function apiThatFailsWith(error: unknown): Promise<string> {
  const { domain } = api;
  return api.serve({
    domain: { ...domain, directory: { ...domain.directory, merchantsOfOrderNo: () => Promise.reject(error) } },
  });
}

const errorsLogged = () => api.logged.filter(({ level }) => level === 'error');

test.each([
  ['an error', new Error('column "secret_thing" does not exist')],
  ['a string', 'secret_thing'],
  ['an error within a GraphQLError', new GraphQLError('secret_thing', { originalError: new Error('secret_thing') })],
])('%s is hidden from the client and logged under the request id', async (_what, cause) => {
  const { status, requestId, data, errors } = await ask(await apiThatFailsWith(cause), anOrder, { token });
  expect(status).toBe(500);
  expect(data).toEqual({ order: null });
  expect(errors).toEqual([
    {
      message: 'internal error',
      path: ['order'],
      locations: expect.anything(),
      extensions: { code: 'INTERNAL', requestId },
    },
  ]);
  expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
  expect(errorsLogged()).toMatchObject([
    { fields: { requestId, path: ['order'], err: { message: expect.stringContaining('secret_thing') } } },
  ]);
});

test('a database that is unavailable is reported as SERVICE_UNAVAILABLE', async () => {
  const away = Object.assign(new Error('connect ECONNREFUSED 10.1.2.3:5432'), { code: 'ECONNREFUSED' });
  const { status, headers, requestId, errors } = await ask(await apiThatFailsWith(away), anOrder, { token });
  expect(status).toBe(503);
  expect(headers.get('retry-after')).toBe('1');
  expect(errors).toMatchObject([
    { message: 'service unavailable', extensions: { code: 'SERVICE_UNAVAILABLE', requestId } },
  ]);
  expect(JSON.stringify(errors)).not.toContain('10.1.2.3');
  expect(errorsLogged()).toHaveLength(1);
});

test('a database that is unavailable during the look-up of the token is reported in the same way', async () => {
  const { domain } = api;
  const ofToken = () => Promise.reject(Object.assign(new Error('terminating connection'), { code: '57P01' }));
  const url = await api.serve({ domain: { ...domain, operators: { ...domain.operators, ofToken } } });
  const { status, requestId, data, errors } = await ask(url, anOrder, { token });
  expect(status).toBe(503);
  expect(data).toBeUndefined();
  expect(errors).toMatchObject([{ extensions: { code: 'SERVICE_UNAVAILABLE', requestId } }]);
  expect(errorsLogged()).toMatchObject([{ fields: { requestId } }]);
});

test('errors of the client are not logged as errors of the service, and each answer has its request id', async () => {
  const [one, two] = await Promise.all([ask(api.url, '{ orders', { token }), ask(api.url, '{ orders', { token })]);
  expect(one.errors[0]?.extensions).toEqual({ code: 'GRAPHQL_PARSE_FAILED', requestId: one.requestId });
  expect(two.errors[0]?.extensions).toEqual({ code: 'GRAPHQL_PARSE_FAILED', requestId: two.requestId });
  expect(one.requestId).not.toBe(two.requestId);
  expect(errorsLogged()).toEqual([]);
});
