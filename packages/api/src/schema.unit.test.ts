import { readFileSync } from 'node:fs';
import {
  type GraphQLNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isSpecifiedScalarType,
} from 'graphql';
import { expect, test } from 'vitest';
import { printApiSchema, schema, schemaFile } from './schema.ts';

test('schema.graphql is the schema as it is (npx pnpm --filter @tidegate/api schema writes it anew)', () => {
  expect(readFileSync(schemaFile, 'utf8')).toBe(printApiSchema());
});

const ours = Object.values(schema.getTypeMap()).filter(
  (type) => !type.name.startsWith('__') && !isSpecifiedScalarType(type),
);

test('every type, field, argument and enum value has a description', () => {
  const described = ours.flatMap(descriptionsOf);
  expect(described.length).toBeGreaterThan(40);
  expect(described.filter(({ description }) => !description?.trim()).map(({ path }) => path)).toEqual([]);
});

test('every amount says in which currency it is', () => {
  const amounts = ours
    .flatMap((type) => (isObjectType(type) ? Object.values(type.getFields()) : []))
    .filter(({ type }) => String(type).startsWith('Decimal'));
  expect(amounts.length).toBeGreaterThan(0);
  for (const { description } of amounts) expect(description).toMatch(/currency/i);
});

interface Described {
  path: string;
  description: string | null | undefined;
}

function descriptionsOf(type: GraphQLNamedType): Described[] {
  const parts: Described[] = [{ path: type.name, description: type.description }];
  if (isEnumType(type))
    parts.push(...type.getValues().map(({ name, description }) => ({ path: `${type.name}.${name}`, description })));
  if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) return parts;
  for (const field of Object.values(type.getFields())) {
    parts.push({ path: `${type.name}.${field.name}`, description: field.description });
    if (!('args' in field)) continue;
    for (const { name, description } of field.args)
      parts.push({ path: `${type.name}.${field.name}(${name})`, description });
  }
  return parts;
}
