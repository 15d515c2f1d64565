import { buildSchema, Kind, type OperationDefinitionNode, parse } from 'graphql';
import { expect, test } from 'vitest';
import { measure } from './limit-cost.ts';

const schema = buildSchema(`
  type Query { me: Person!  people(first: Int, after: String, last: Int): PersonConnection!  any: Being }
  interface Being { name: String! friends(first: Int): PersonConnection! }
  type Person implements Being { name: String! friends(first: Int): PersonConnection! pets: [Pet!]! }
  type Pet { name: String! owner: Person! }
  type PersonConnection { edges: [PersonEdge!]! pageInfo: PageInfo! }
  type PersonEdge { cursor: String! node: Person! }
  type PageInfo { hasNextPage: Boolean! }
`);

function measured(text: string, variables: Record<string, unknown> = {}) {
  const document = parse(text);
  const operation = document.definitions.find(
    (node): node is OperationDefinitionNode => node.kind === Kind.OPERATION_DEFINITION,
  );
  if (!operation) throw new Error('no operation');
  return measure(schema, document, operation, variables);
}

test.each<[string, string, number, number]>([
  ['one object', '{ me { name } }', 1, 2],
  ['a leaf costs nothing', '{ __typename }', 0, 1],
  ['a list that is no page counts as ten', '{ me { pets { name } } }', 1 + 10, 3],
  ['a page of 50: itself, an edge and a node for each', '{ people(first: 50) { edges { node { name } } } }', 50 * 3, 4],
  ['a page without a size counts as twenty', '{ people { edges { node { name } } } }', 20 * 3, 4],
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
  ['what is not there is refused elsewhere', '{ nothing { at { all } } }', 0, 3],
])('%s', (_what, text, cost, fields) => {
  expect(measured(text)).toEqual({ cost, fields, varies: false });
});

test('a size is read from a variable, given or by default', () => {
  const text = 'query q($n: Int = 7) { people(first: $n) { edges { cursor } } }';
  expect(measured(text, { n: 30 })).toEqual({ cost: 60, fields: 3, varies: true });
});

test('as many ids as are asked for count', () => {
  const nodes = buildSchema(
    'type Query { nodes(ids: [ID!]!): [Node]! } interface Node { id: ID! } type Thing implements Node { id: ID! }',
  );
  const document = parse('query q($ids: [ID!]!) { nodes(ids: $ids) { id } }');
  const [operation] = document.definitions as OperationDefinitionNode[];
  if (!operation) throw new Error('no operation');
  expect(measure(nodes, document, operation, { ids: Array.from({ length: 70 }, String) }).cost).toBe(70);
});

test('fragments that double at each step are measured at once, and told whole', () => {
  const step = (i: number) =>
    `fragment f${i} on Person { a: pets { owner { ...f${i + 1} } } b: pets { owner { ...f${i + 1} } } }`;
  const chain = Array.from({ length: 200 }, (_, i) => step(i)).join(' ');
  const began = performance.now();
  const { cost, fields } = measured(`{ me { ...f0 } } ${chain} fragment f200 on Person { name }`);
  // Walked one by one they would never end.
  expect(performance.now() - began).toBeLessThan(5_000);
  expect(cost).toBeGreaterThan(1e100);
  expect(fields).toBeGreaterThan(1e50);
});

test('a fragment that holds itself ends', () => {
  expect(measured('{ me { ...f } } fragment f on Person { pets { owner { ...f } } }').cost).toBe(1 + 10 * 2);
});
