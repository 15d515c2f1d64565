import { getIntrospectionQuery } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiFixture, ask, openApiFixture } from '../../test/api-fixture.ts';

let api: ApiFixture;
let sandboxUrl: string;
let token: string;
beforeAll(async () => {
  api = await openApiFixture();
  sandboxUrl = await api.serve({ openSchema: true });
  token = await api.letIn('admin');
});
afterAll(() => api.close());

test('in the sandbox introspection is allowed, as GraphiQL needs', async () => {
  const { status, data, errors } = await ask(sandboxUrl, getIntrospectionQuery(), { token });
  expect(errors).toEqual([]);
  expect(status).toBe(200);
  expect(data).toHaveProperty('__schema.queryType.name', 'Query');
});

test.each([
  getIntrospectionQuery(),
  '{ __schema { types { name } } }',
  '{ __type(name: "Order") { name } }',
  '{ ... { t: __type(name: "Order") { name } } }',
])('in production introspection is refused, also for an admin (%#)', async (query) => {
  const { data, errors } = await ask(api.url, query, { token });
  expect(data).toBeUndefined();
  expect(errors[0]).toMatchObject({
    message: expect.stringContaining('introspection'),
    extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
  });
});

test('in production an error does not suggest similar field names', async () => {
  const misspelt = '{ ordr(orderNo: "PI1") { orderNo } }';
  expect((await ask(sandboxUrl, misspelt, { token })).errors[0]?.message).toMatch(/Did you mean "order"/);
  const { errors } = await ask(api.url, misspelt, { token });
  expect(errors[0]).toMatchObject({
    message: 'Cannot query field "ordr" on type "Query".',
    extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
  });
});

const times = (count: number, text: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => text(i)).join(' ');

const inOrder = (fields: string) => `{ order(orderNo: "PI1") { ${fields} } }`;

test.each([
  ['tokens', inOrder(times(300, () => 'orderNo')), inOrder(times(2_000, () => 'orderNo')), 'tokens'],
  [
    'aliases',
    inOrder(times(60, (i) => `a${i}: __typename`)),
    inOrder(times(61, (i) => `a${i}: __typename`)),
    '60 aliases',
  ],
  [
    'directives',
    inOrder(times(30, () => 'orderNo @skip(if: false)')),
    inOrder(times(31, () => 'orderNo @include(if: true)')),
    '30 directives',
  ],
  [
    'operations',
    times(10, (i) => `query q${i} { __typename }`),
    times(11, (i) => `query q${i} { __typename }`),
    '10 operations',
  ],
  [
    'fields at the root',
    `{ ${times(20, () => '__typename')} }`,
    `{ ${times(21, () => '__typename')} }`,
    '21 fields at the root',
  ],
  [
    'fields at the root, by fragments',
    `{ ...f } fragment f on Query { ${times(20, () => '__typename')} }`,
    `{ ...f ...g } fragment f on Query { ...g ...g } fragment g on Query { ...h ...h } fragment h on Query { ${times(6, () => '__typename')} }`,
    'at the root',
  ],
])('too many %s are refused', async (what, few, many, why) => {
  const operationName = what === 'operations' ? 'q1' : undefined;
  const body = (query: string) => ({ token, init: { body: JSON.stringify({ query, operationName }) } });
  const accepted = await ask(api.url, few, body(few));
  expect(accepted.errors.filter(({ extensions }) => /PARSE|VALIDATION/.test(extensions.code))).toEqual([]);
  const { data, errors } = await ask(api.url, many, body(many));
  expect(data).toBeUndefined();
  expect(errors.map(({ message }) => message).join()).toContain(why);
  expect(JSON.stringify(errors).length).toBeLessThan(8_000);
});

test.each([
  ['that do not exist', '...Missing'],
  ['that contain themselves', '...f0'],
  ['that contain one field', '__typename'],
])('fragments that double at each step are refused at once: %s', async (_what, last) => {
  const steps = times(39, (i) => `fragment f${i} on Query { ...f${i + 1} ...f${i + 1} }`);
  const began = performance.now();
  const { data, errors } = await ask(api.url, `{ ...f0 } ${steps} fragment f39 on Query { ${last} }`, { token });
  expect(performance.now() - began).toBeLessThan(5_000);
  expect(data).toBeUndefined();
  expect(errors.length).toBeGreaterThan(0);
});

test.each<[string, string, string]>([
  ['a field that is repeated', inOrder(times(1_900, () => 'orderNo')), 'the same fields too often'],
  [
    'fields with fields',
    inOrder(times(20, () => `merchant { ${times(6, () => `wallet { ${times(10, () => 'balance')} }`)} }`)),
    'the same fields too often',
  ],
  ['lists in lists', `{ order(orderNo: ${'['.repeat(1_990)}`, 'too deep'],
  ['a long text', `{ order(orderNo: "${'x'.repeat(16_384)}") { orderNo } }`, 'characters, at most 16384'],
  ['comments', `{ __typename } ${'#\n'.repeat(8_192)}`, 'characters, at most 16384'],
])('documents that are expensive to validate are refused at once: %s', async (_what, query, why) => {
  const began = performance.now();
  const { status, data, errors } = await ask(api.url, query, { token });
  expect(performance.now() - began).toBeLessThan(5_000);
  expect([status, data, errors.length]).toEqual([200, undefined, 1]);
  expect(errors[0]?.message).toContain(why);
});

/** Cases within their orders' timelines: five levels for each round. */
const nested = (rounds: number, innermost: string): string =>
  `{ moneyCases(first: 1) { edges { node { ${'order { timeline(first: 1) { edges { node { ... on CaseOpened { case { '.repeat(rounds)}
    ${innermost} ${'} } } } } } '.repeat(rounds)} } } } }`;

test('fields that are nested too deeply are refused, at any depth', async () => {
  const isDeep = async (query: string) => (await ask(api.url, query, { token })).errors.map(({ message }) => message);
  expect(await isDeep(nested(1, 'order { timeline(first: 1) { edges { cursor } } }'))).toEqual([]);
  const refused = (depth: number) => [`fields nest ${depth} deep, at most 12 are allowed`];
  expect(await isDeep(nested(1, 'order { timeline(first: 1) { edges { node { __typename } } } }'))).toEqual(
    refused(13),
  );
  const began = performance.now();
  expect(await isDeep(nested(70, '__typename'))).toEqual(refused(3 + 5 * 70 + 1));
  expect(performance.now() - began).toBeLessThan(5_000);
});
