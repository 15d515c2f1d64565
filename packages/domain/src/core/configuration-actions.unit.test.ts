import { expect, test } from 'vitest';
import { fieldChanges } from './configuration-actions.ts';

test.each<[string, object, string[]]>([
  ['a new thing', { before: null, after: { percent: '2', minimum: null } }, ['percent: null > 2']],
  ['a changed one', { before: { a: 1, b: ['x'] }, after: { a: 1, b: ['x', 'y'] } }, ['b: ["x"] > ["x","y"]']],
  ['a removed one', { before: { priority: 5 }, after: null }, ['priority: 5 > null']],
  ['a record that says more of before', { before: { a: 1, enabled: true }, after: { a: 2 } }, ['a: 1 > 2']],
  ['nothing that differs', { before: { status: 'active' }, after: { status: 'active' } }, []],
  ['a record without either', { change: 'x' }, []],
])('%s', (_, detail, expected) => {
  const changes = fieldChanges(JSON.stringify(detail));
  expect(changes.map(({ field, before, after }) => `${field}: ${before} > ${after}`)).toEqual(expected);
});
