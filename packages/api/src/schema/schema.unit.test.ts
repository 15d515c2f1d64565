import { readFileSync } from 'node:fs';
import { isObjectType, isSpecifiedScalarType } from 'graphql';
import { expect, test } from 'vitest';
import { printApiSchema, schema, schemaFile } from './schema.ts';

test('schema.graphql is the current schema (npx --yes pnpm --filter @tidegate/api schema writes it again)', () => {
  expect(readFileSync(schemaFile, 'utf8')).toBe(printApiSchema());
});

const ours = Object.values(schema.getTypeMap()).filter(
  (type) => !type.name.startsWith('__') && !isSpecifiedScalarType(type),
);

test('every amount has its currency', () => {
  const amounts = ours
    .flatMap((type) => (isObjectType(type) ? Object.values(type.getFields()) : []))
    .filter(({ type }) => String(type).startsWith('Decimal'));
  expect(amounts.length).toBeGreaterThan(0);
  for (const { description } of amounts) expect(description).toMatch(/currency/i);
});
