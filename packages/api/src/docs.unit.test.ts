import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type AnyOperation, operationNames, operations, secondOperatorRule } from '@tidegate/domain/operators';
import { expect, test } from 'vitest';
import { schema } from './schema/schema.ts';

const folder = fileURLToPath(new URL('../../../docs/', import.meta.url));

/** Words of the REST interface and of tracing. They appear in lines about GraphQL too. */
const notGraphql = new Set(['notifyUrl', 'traceparent', 'adminToken']);

test('the docs name only GraphQL fields of the schema', () => {
  const known = new Set<string>();
  for (const type of Object.values(schema.getTypeMap())) {
    known.add(type.name);
    const parts = 'getFields' in type ? Object.values(type.getFields()) : 'getValues' in type ? type.getValues() : [];
    for (const part of parts) {
      known.add(part.name);
      if ('args' in part) for (const { name } of part.args) known.add(name);
    }
  }
  const pages = globSync('{merchants,operators,running,developers,guides}/*.md', { cwd: folder });
  const named = pages.flatMap((file) =>
    readFileSync(`${folder}${file}`, 'utf8')
      .split('\n')
      .filter((line) => line.includes('GraphQL'))
      .flatMap((line) => [...line.matchAll(/`([a-z]+[A-Z][A-Za-z]*)`/g)].map(([, word = '']) => `${file}: ${word}`)),
  );
  expect(named.length).toBeGreaterThan(3);
  expect(
    named.filter((one) => !known.has(one.split(': ')[1] ?? '') && !notGraphql.has(one.split(': ')[1] ?? '')),
  ).toEqual([]);
});

test('the page of who may do what has a row for each operation, with its roles and when two are needed', () => {
  const page = readFileSync(`${folder}operators/who-may-do-what.md`, 'utf8');
  const rows = [...page.matchAll(/^\| `(\w+)` \| ([^|]+) \| ([^|]+) \|$/gm)].map(([, ...cells]) => cells);
  const expected = operationNames.map((name) => {
    const operation: AnyOperation = operations[name];
    const who = [...operation.roles, ...(operation.isPlatform ? ['whole platform'] : [])].join(', ');
    return [name, who, secondOperatorRule(operation).replace('_', ' ')];
  });
  expect(rows).toEqual(expected);
});
