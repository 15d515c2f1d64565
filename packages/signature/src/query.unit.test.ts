import { expect, test } from 'vitest';
import { readQuery } from './index.ts';

test.each([
  ['a=1&b=2', { a: '1', b: '2' }],
  ['a=1&&b=2&', { a: '1', b: '2' }],
  ['a=b=c', { a: 'b=c' }],
  ['a', {}],
  ['a=&b=+', { b: ' ' }],
  ['a=%2B+%2b', { a: '+ +' }],
  ['%61=%F0%9F%98%80', { a: '😀' }],
  ['toString=x', { toString: 'x' }],
  ['', {}],
])('the query %j is read', (query, expected) => {
  const { value } = readQuery(query);
  expect({ ...value }).toEqual(expected);
});

test.each([
  ['a=%', 'the query holds a bad percent-encoding: "%"'],
  ['a=%2', 'the query holds a bad percent-encoding: "%2"'],
  ['a=%zz', 'the query holds a bad percent-encoding: "%zz"'],
  ['a=%ff', 'the query holds a bad percent-encoding: "%ff"'],
  ['a=%c0%af', 'the query holds a bad percent-encoding: "%c0%af"'],
  ['a=%ed%a0%80', 'the query holds a bad percent-encoding: "%ed%a0%80"'],
  [`a=%${'f'.repeat(99)}`, `the query holds a bad percent-encoding: "%${'f'.repeat(47)}..."`],
  ['a=é', 'the query holds a character that must be percent-encoded'],
  ['a=b c', 'the query holds a character that must be percent-encoded'],
  ['a=1\n', 'the query holds a character that must be percent-encoded'],
  ['a=1&%61=1', 'query parameter "a" appears twice'],
  ['a&a=1', 'query parameter "a" appears twice'],
  ['=1', 'a key is empty'],
  ['a.b=1', 'key "a.b" is not allowed'],
  ['a%5B0%5D=1', 'key "a[0]" is not allowed'],
  ['a%00=1', 'key "a?" is not allowed'],
  ['__proto__=1', 'key "__proto__" is not allowed'],
  ['sign=', 'key "sign" is reserved'],
  ['%6Eonce=1', 'key "nonce" is reserved'],
])('the query %j is refused: %s', (query, reason) => {
  expect(() => readQuery(query)).toThrow(expect.objectContaining({ name: 'MalformedRequest', message: reason }));
});
