import { expect, test } from 'vitest';
import { fieldChanges } from './configuration-actions.ts';

test.each<[string, object, string[]]>([
  ['a new entity', { before: null, after: { percent: '2', minimum: null } }, ['percent: null > 2']],
  ['a changed entity', { before: { a: 1, b: ['x'] }, after: { a: 1, b: ['x', 'y'] } }, ['b: ["x"] > ["x","y"]']],
  ['a removed entity', { before: { priority: 5 }, after: null }, ['priority: 5 > null']],
  ['a record with more fields before than after', { before: { a: 1, enabled: true }, after: { a: 2 } }, ['a: 1 > 2']],
  ['a record without a difference', { before: { status: 'active' }, after: { status: 'active' } }, []],
  ['a record without before and after', { change: 'x' }, []],
])('%s', (_, detail, expected) => {
  const changes = fieldChanges(detail);
  expect(changes.map(({ field, before, after }) => `${field}: ${before} > ${after}`)).toEqual(expected);
});
