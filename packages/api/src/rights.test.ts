import { operations, type Role, roles } from '@tidegate/domain/operators';
import {
  type GraphQLField,
  type GraphQLInputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
} from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Answer, type ApiFixture, ask, openApiFixture } from '../test/api-fixture.ts';
import { schema } from './schema.ts';

// Every role with every operation and query. An allowed one passes the permission checks, whatever its result is.

let api: ApiFixture;
const tokens = new Map<Role | 'stranger', string>();
beforeAll(async () => {
  api = await openApiFixture();
  for (const role of roles) tokens.set(role, await api.letIn(role));
});
afterAll(() => api.close());

const rootFields = (['Query', 'Mutation', 'Subscription'] as const).flatMap((root) => {
  const type = schema.getRootType(root.toLowerCase() as never);
  return Object.values(type?.getFields() ?? {}).map((field) => ({ root, field }));
});

interface Scopes {
  operator?: boolean;
  roles?: readonly Role[];
}

/** The scopes that a field itself declares. */
function scopesOf(field: GraphQLField<unknown, unknown>): Scopes | undefined {
  const { pothosOptions } = field.extensions as { pothosOptions?: { authScopes?: Scopes } };
  return pothosOptions?.authScopes;
}

test('every field at the root declares its scopes', () => {
  expect(rootFields.length).toBeGreaterThan(50);
  const undeclared = rootFields.filter(({ field }) => {
    const scopes = scopesOf(field);
    return scopes?.operator !== true && !(scopes?.roles && scopes.roles.length > 0);
  });
  expect(undeclared.map(({ root, field }) => `${root}.${field.name}`)).toEqual([]);
});

test('every operation of the domain is a mutation with the same roles', () => {
  const mutations = new Map(
    rootFields.filter(({ root }) => root === 'Mutation').map(({ field }) => [field.name, field]),
  );
  for (const [name, { roles }] of Object.entries(operations)) {
    const field = mutations.get(name);
    expect(field, name).toBeDefined();
    expect([name, field && scopesOf(field)?.roles]).toEqual([name, roles]);
  }
  expect([...mutations.keys()].filter((name) => !(name in operations)).sort()).toEqual([
    'addNote',
    'approve',
    'assignWork',
    'deleteView',
    'reject',
    'releaseWork',
    'saveView',
    'setPreferences',
    'takeWork',
    'withdraw',
  ]);
});

/** A document with one field and arguments of the right types but no sense. Also a query for `me`. */
function documentOf({ root, field }: (typeof rootFields)[number]): string {
  const required = field.args.filter(({ type, defaultValue }) => isNonNullType(type) && defaultValue === undefined);
  const args = required.map(({ name, type }) => `${name}: ${sampleOf(type)}`).join(', ');
  const other = root === 'Query' ? 'other: me { __typename }' : '';
  const fields = isLeafType(getNamedType(field.type)) ? '' : '{ __typename }';
  return `${root.toLowerCase()} { ${field.name}${args === '' ? '' : `(${args})`} ${fields} ${other} }`;
}

function sampleOf(type: GraphQLInputType): string {
  if (isNonNullType(type)) return sampleOf(type.ofType);
  if (isListType(type)) return `[${sampleOf(type.ofType)}]`;
  if (isEnumType(type)) return type.getValues()[0]?.name ?? '';
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields()).filter((field) => isNonNullType(field.type));
    return `{ ${fields.map((field) => `${field.name}: ${sampleOf(field.type)}`).join(', ')} }`;
  }
  const scalars: Record<string, string> = {
    DateTime: '"2026-01-01T00:00:00Z"',
    Decimal: '"1.00"',
    Percentage: '"1"',
    Int: '1',
    Boolean: 'true',
    ID: '"TWVyY2hhbnQ6Tk9ORQ=="',
    String: '"none"',
  };
  return scalars[type.name] ?? '""';
}

const questions = rootFields.filter(({ root }) => root !== 'Subscription');

/** Whether an answer says that the field is not allowed at all. */
const isRefused = ({ errors }: Answer, code: string) => errors.some(({ extensions }) => extensions.code === code);

test.each(questions.map((question) => [`${question.root}.${question.field.name}`, question] as const))(
  '%s: each role is allowed or refused as declared',
  async (_name, question) => {
    const { roles: allowed } = scopesOf(question.field) ?? {};
    const query = documentOf(question);
    for (const role of roles) {
      const answer = await ask(api.url, query, { token: tokens.get(role) ?? '' });
      expect([role, isRefused(answer, 'FORBIDDEN')]).toEqual([role, allowed !== undefined && !allowed.includes(role)]);
      expect(answer.errors.filter(({ extensions }) => extensions.code === 'GRAPHQL_VALIDATION_FAILED')).toEqual([]);
      // Only the refused field is null. The others are answered.
      if (question.root === 'Query') expect(answer.data).toMatchObject({ other: { __typename: 'Me' } });
      expect([role, Object.keys(answer.data ?? {})]).toEqual([role, expect.arrayContaining([question.field.name])]);
    }
    expect(isRefused(await ask(api.url, query), 'UNAUTHENTICATED')).toBe(true);
  },
);
