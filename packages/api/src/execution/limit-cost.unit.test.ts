import { buildSchema, parse } from 'graphql';
import { expect, test } from 'vitest';
import { measureBy } from './limit-cost.ts';

const schema = buildSchema(`
  type Query { me: Person!  figures: Figures!  people(first: Int, after: String, last: Int): PersonConnection!  any: Being }
  interface Being { name: String! friends(first: Int): PersonConnection! }
  type Person implements Being { name: String! approvalsToDecide: Int! age: Int friends(first: Int): PersonConnection! pets: [Pet!]! }
  type Figures { groups(first: Int): [Pet!]! }
  type Pet { name: String! owner: Person! }
  type PersonConnection { edges: [PersonEdge!]! pageInfo: PageInfo! }
  type PersonEdge { cursor: String! node: Person! }
  type PageInfo { hasNextPage: Boolean! }
`);

const measure = measureBy(schema);
const measured = (text: string, variables = {}, name?: string) => measure(parse(text), name, variables);

test.each<[string, string, number, number]>([
  ['one object', '{ me { name } }', 1, 2],
  ['a leaf costs nothing', '{ me { name age } }', 1, 3],
  ['a number that is counted costs like a total', '{ me { a: approvalsToDecide b: approvalsToDecide } }', 1 + 20, 3],
  ['__typename counts as one', '{ me { __typename } }', 2, 2],
  ['a list that is no page counts as ten', '{ me { pets { name } } }', 1 + 10, 3],
  ['a page of 50: itself, an edge and a node for each', '{ people(first: 50) { edges { node { name } } } }', 50 * 3, 4],
  ['a page without a size counts as twenty', '{ people { edges { node { name } } } }', 20 * 3, 4],
  ['a list with a known bound counts as its bound', '{ figures { groups { name } } }', 1 + 2_000, 3],
  ['a list with a known bound of which few are asked for', '{ figures { groups(first: 5) { name } } }', 1 + 5, 3],
  ['a list of which more than its bound are asked for', '{ figures { groups(first: 9000) { name } } }', 1 + 2_000, 3],
  ['a page from the end', '{ people(last: 5) { edges { node { name } } } }', 5 * 3, 4],
  [
    'pages within pages',
    '{ people(first: 10) { edges { node { friends(first: 10) { edges { cursor } } } } } }',
    10 * (1 + 1 + 1 + 10 * 2),
    6,
  ],
  ['an alias is another field', '{ a: me { name } b: me { name } }', 2, 4],
  ['fields of a fragment', '{ me { ...f } } fragment f on Person { pets { name } }', 11, 3],
  ['fields of an inline fragment of another type', '{ any { ... on Person { pets { name } } } }', 11, 3],
  ['a size of zero or less is one', '{ people(first: -5) { edges { cursor } } }', 2, 3],
])('%s', (_what, text, cost, fields) => {
  expect(measured(text)).toMatchObject({ cost, fields });
});

test.each<[string, string, number]>([
  ['one level', '{ __typename }', 1],
  ['levels of fields', '{ me { pets { owner { name } } } }', 4],
  ['wide, but flat', '{ a: me { name } b: me { name } c: me { name } }', 2],
  ['inline fragments count nothing', '{ ... { any { ... on Person { pets { ... { name } } } } } }', 3],
  ['through an inline fragment', '{ any { ... on Person { pets { owner { name } } } } }', 4],
  [
    'through fragments',
    '{ me { ...f } } fragment f on Person { pets { ...g } } fragment g on Pet { owner { name } }',
    4,
  ],
  ['a fragment used twice', '{ me { ...f pets { owner { ...f } } } } fragment f on Person { pets { name } }', 5],
  ['introspection counts as one level', '{ __schema { types { fields { type { ofType { name } } } } } }', 1],
])('depth of a document: %s', (_what, text, depth) => {
  expect(measured(text)?.depth).toBe(depth);
});

test('of several operations only the requested one is measured', () => {
  const text = 'query One { me { name } } query Two { me { pets { name } } }';
  expect([measured(text, {}, 'One'), measured(text, {}, 'Two'), measured(text, {}, 'None'), measured(text)]).toEqual([
    { cost: 1, fields: 2, depth: 2 },
    { cost: 11, fields: 3, depth: 3 },
    null,
    null,
  ]);
});

test('wrong variables are reported by the executor, and other operations that cannot be measured are refused', () => {
  expect(measured('query q($n: Int!) { people(first: $n) { edges { cursor } } }')).toBeNull();
  expect(() => measured('{ nothing { at { all } } }')).toThrow('Unknown field selected (Query.nothing)');
  expect(() => measured('{ me { ...f } } fragment f on Person { pets { owner { ...f } } }')).toThrow('cyclic');
});

test('the size of a page is read from a variable or from its default value', () => {
  const text = 'query q($n: Int = 7) { people(first: $n) { edges { cursor } } }';
  expect(measured(text, { n: 30 })).toEqual({ cost: 60, fields: 3, depth: 3 });
  expect(measured(text)?.cost).toBe(14);
});

test('the same document is measured again if a variable decides about the size of a page', () => {
  const sizes = (text: string, variables: object[]) => {
    const document = parse(text);
    return variables.map((one) => measure(document, undefined, { ...one })?.cost);
  };
  const page = 'people(first: $n) { edges { node { name } } }';
  expect(sizes(`query ($n: Int) { ${page} }`, [{ n: 5 }, { n: 50 }])).toEqual([15, 150]);
  expect(sizes(`query ($n: Int) { ...f } fragment f on Query { ${page} }`, [{ n: 5 }, { n: 50 }])).toEqual([15, 150]);
  const cursor = 'query ($after: String) { people(first: 5, after: $after) { edges { node { name } } } }';
  expect(sizes(cursor, [{ after: 'a' }, { after: 'b' }])).toEqual([15, 15]);
});

test('each operation of a document has its own cost', () => {
  const document = parse('query A { me { name } } query B { figures { groups { name } } }');
  const cost = (name: string) => measure(document, name, {})?.cost;
  expect([cost('A'), cost('B'), cost('A'), cost('B')]).toEqual([1, 2_001, 1, 2_001]);
});

test('the number of requested ids counts towards the cost', () => {
  const nodes = buildSchema(
    'type Query { nodes(ids: [ID!]!): [Node]! } interface Node { id: ID! } type Thing implements Node { id: ID! }',
  );
  const document = parse('query q($ids: [ID!]!) { nodes(ids: $ids) { id } }');
  expect(measureBy(nodes)(document, 'q', { ids: Array.from({ length: 70 }, String) })?.cost).toBe(70);
});

test('fragments that double at each step are measured at once, with their full cost', () => {
  const step = (i: number) =>
    `fragment f${i} on Person { a: pets { owner { ...f${i + 1} } } b: pets { owner { ...f${i + 1} } } }`;
  const chain = Array.from({ length: 200 }, (_, i) => step(i)).join(' ');
  const began = performance.now();
  const { cost = 0, fields = 0 } = measured(`{ me { ...f0 } } ${chain} fragment f200 on Person { name }`) ?? {};
  // A visit of each use of a fragment would never end.
  expect(performance.now() - began).toBeLessThan(5_000);
  expect(cost).toBeGreaterThan(1e100);
  expect(fields).toBeGreaterThan(1e50);
});
