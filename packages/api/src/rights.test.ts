import { type Role, roles } from '@tidegate/domain/operators';
import {
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
import { rootFields, scopesOf } from '../test/root-fields.ts';

// Every role with every operation and query. An allowed one passes the permission checks, whatever its result is.

let api: ApiFixture;
const tokens = new Map<Role | 'unknown', string>();
beforeAll(async () => {
  api = await openApiFixture();
  for (const role of roles) tokens.set(role, await api.letIn(role));
});
afterAll(() => api.close());

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
