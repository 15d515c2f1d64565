import { getNamedType, isInterfaceType, isNonNullType, isObjectType } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiFixture, ask, openApiFixture } from '../test/api-fixture.ts';
import { schema } from './schema/schema.ts';

let api: ApiFixture;
let token: string;
beforeAll(async () => {
  api = await openApiFixture();
  token = await api.letIn('viewer');
});
afterAll(() => api.close());

test('a refused field at the root is null and has an error, and the other fields are answered', async () => {
  const query = `{
    me { roles }
    operators(first: 1) { edges { node { operatorId } } }
    bad: orders(first: 1000) { edges { node { orderNo } } }
    orders(first: 1) { edges { node { orderNo } } }
  }`;
  // The third time the query is compiled.
  for (let i = 0; i < 3; i += 1) {
    const { status, data, errors } = await ask(api.url, query, { token });
    expect(status).toBe(200);
    expect(data).toEqual({ me: { roles: ['VIEWER'] }, operators: null, bad: null, orders: { edges: [] } });
    const refused = errors.map(({ path, extensions }) => [path?.join('.'), extensions.code]);
    expect(refused.toSorted()).toEqual([
      ['bad', 'BAD_USER_INPUT'],
      ['operators', 'FORBIDDEN'],
    ]);
  }
});

test('mutations next to a refused one are answered', async () => {
  const query = `mutation {
    createOperator(input: { operatorId: "zoe", name: "Zoe", roles: [VIEWER] }, reason: "a test") { __typename }
    approve(approvalId: "AP1") { __typename }
  }`;
  const admin = await api.letIn('admin');
  expect(await ask(api.url, query, { token })).toMatchObject({ data: { createOperator: null, approve: null } });
  expect((await ask(api.url, query, { token: admin })).data).toMatchObject({
    createOperator: { __typename: expect.any(String) },
    approve: { __typename: 'NotFound' },
  });
});

/** Only reachable through fields that need the same roles. */
const behindTheSameRoles = [
  'DisableOperatorPayload.operator',
  'OperatorTokensConnectionEdge.node',
  'QueryOperatorsConnectionEdge.node',
  'RevokeOperatorTokensPayload.operator',
];
const roots = ['Query', 'Mutation', 'Subscription'];
const hasScopes = ({ extensions }: { extensions: object }): boolean =>
  ((extensions as { pothosOptions?: { authScopes?: unknown } }).pothosOptions?.authScopes ?? null) !== null;

test('the type of every query, mutation and subscription is nullable', () => {
  const fields = roots.flatMap((root) => {
    const type = schema.getType(root);
    if (!isObjectType(type)) throw new Error(`there is no ${root}`);
    return Object.values(type.getFields()).map((field) => ({ path: `${root}.${field.name}`, type: field.type }));
  });
  expect(fields.length).toBeGreaterThan(60);
  expect(fields.filter(({ type }) => isNonNullType(type)).map(({ path }) => path)).toEqual([]);
});

test('a field that can be refused is nullable, so that a refusal leaves the other fields', () => {
  const owners = Object.values(schema.getTypeMap()).filter((type) => isObjectType(type) || isInterfaceType(type));
  const refusable = owners.flatMap((owner) =>
    Object.values(owner.getFields())
      .filter((field) => hasScopes(field) || (!roots.includes(owner.name) && hasScopes(getNamedType(field.type))))
      .map((field) => ({ path: `${owner.name}.${field.name}`, isNullable: !isNonNullType(field.type) })),
  );
  expect(refusable.length).toBeGreaterThan(60);
  // The fields of a type that is refused as a whole are null with it.
  const whole = owners.filter((owner) => hasScopes(owner)).map(({ name }) => name);
  const mustBe = refusable.filter(({ path }) => !whole.includes(path.split('.')[0] ?? ''));
  expect(mustBe.filter(({ isNullable }) => !isNullable).map(({ path }) => path)).toEqual(behindTheSameRoles);
});
