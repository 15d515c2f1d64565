import { getIntrospectionQuery } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiGround, ask, openApiGround } from '../test/api-ground.ts';

let api: ApiGround;
let sandboxUrl: string;
let token: string;
beforeAll(async () => {
  api = await openApiGround();
  sandboxUrl = await api.serve({ environment: 'sandbox' });
  token = await api.letIn('admin');
});
afterAll(() => api.close());

test('in the sandbox the schema can be asked for, as GraphiQL does', async () => {
  const { status, data, errors } = await ask(sandboxUrl, getIntrospectionQuery());
  expect(errors).toEqual([]);
  expect(status).toBe(200);
  expect(data).toHaveProperty('__schema.queryType.name', 'Query');
});

test.each([
  getIntrospectionQuery(),
  '{ __schema { types { name } } }',
  '{ __type(name: "Order") { name } }',
  '{ ... { t: __type(name: "Order") { name } } }',
])('in production it cannot, not even by an admin (%#)', async (query) => {
  const { data, errors } = await ask(api.url, query, { token });
  expect(data).toBeUndefined();
  expect(errors[0]).toMatchObject({
    message: expect.stringContaining('introspection'),
    extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
  });
});

test('production gives no hint at names that are nearly right', async () => {
  const misspelt = '{ ordr(orderNo: "PI1") { orderNo } }';
  expect((await ask(sandboxUrl, misspelt)).errors[0]?.message).toMatch(/Did you mean "order"/);
  const { errors } = await ask(api.url, misspelt);
  expect(errors[0]).toMatchObject({
    message: 'Cannot query field "ordr" on type "Query".',
    extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
  });
});

test('a flood of aliases is refused by the parser', async () => {
  const flood = (count: number) => `{ ${Array.from({ length: count }, (_, i) => `a${i}: __typename`).join(' ')} }`;
  expect((await ask(api.url, flood(500), { token })).errors).toEqual([]);
  const { data, errors } = await ask(api.url, flood(5_000), { token });
  expect(data).toBeUndefined();
  expect(errors).toMatchObject([
    { message: expect.stringContaining('tokens'), extensions: { code: 'GRAPHQL_PARSE_FAILED' } },
  ]);
});

test('fields that nest too deep are refused', async () => {
  const { data, errors } = await ask(api.url, `${'{ order '.repeat(11)}${'}'.repeat(11)}`, { token });
  expect(data).toBeUndefined();
  expect(errors.map(({ message }) => message)).toContain('fields nest 11 deep, at most 10 are allowed');
});
