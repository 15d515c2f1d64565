import { buildSchema, parse, validate } from 'graphql';
import { expect, test } from 'vitest';
import { limitDepth } from './limit-depth.ts';

const schema = buildSchema('type Query { a: Query, b: Query, leaf: Int }');

/** What the rule says of the document with at most three levels. */
function judge(document: string): string[] {
  return validate(schema, parse(document), [limitDepth(3)]).map(({ message }) => message);
}

test.each([
  ['three levels', '{ a { b { leaf } } }'],
  ['wide, but flat', '{ a { leaf } b { leaf } c: a { leaf } d: b { leaf } }'],
  ['inline fragments count nothing', '{ ... { a { ... on Query { b { ... { leaf } } } } } }'],
  [
    'introspection counts nothing',
    '{ a { b { __typename } } __schema { types { fields { type { ofType { name } } } } } }',
  ],
  ['a circle of fragments ends', '{ ...F } fragment F on Query { a { ...F } }'],
  ['a fragment that is not there', '{ ...Missing }'],
])('taken: %s', (_what, document) => {
  expect(judge(document)).toEqual([]);
});

test.each([
  ['four levels', '{ a { b { a { leaf } } } }'],
  ['through an inline fragment', '{ a { ... on Query { b { a { leaf } } } } }'],
  ['through fragments', '{ a { ...F } } fragment F on Query { b { ...G } } fragment G on Query { a { leaf } }'],
  ['in the second operation', 'query One { leaf } query Two { a { b { a { leaf } } } }'],
  ['in a fragment used twice', '{ ...F a { ...F } } fragment F on Query { b { a { leaf } } }'],
])('refused: %s', (_what, document) => {
  expect(judge(document)).toEqual(['fields nest 4 deep, at most 3 are allowed']);
});
