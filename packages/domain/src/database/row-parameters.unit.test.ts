import { expect, test } from 'vitest';
import { arrayText } from './row-parameters.ts';

test.each([
  ['texts and nulls', ['a', null, 'null', ''], false, '{"a",null,"null",""}'],
  ['numbers and booleans', [1, 0.5, true], false, '{1,0.5,true}'],
  ['a missing value is null', ['a', undefined], false, '{"a",null}'],
  ['quotes and backslashes', ['a"b', 'c\\d'], false, '{"a\\"b","c\\\\d"}'],
  ['line breaks stay what they are', ['a\nb', 'c\\n', 'd"e'], false, '{"a\nb","c\\\\n","d\\"e"}'],
  ['JSON values', [{ a: 'b"c' }, null], true, '{"{\\"a\\":\\"b\\\\\\"c\\"}",null}'],
])('%s', (_, values, isJson, text) => {
  expect(arrayText(values, isJson)).toBe(text);
});

test('a column without values is null', () => {
  expect(arrayText([null, undefined], false)).toBeNull();
});

test('half a surrogate pair is refused', () => {
  expect(() => arrayText(['\ud800'], false)).toThrow('well-formed');
});
