import { expect, test } from 'vitest';
import { JsonNumber, readBody } from './index.ts';

const parse = (body: string) => readBody(Buffer.from(body)).value;

test('absent values are dropped, numbers keep their text, elements keep their index', () => {
  const body = '{"a":100.50,"b":null,"c":{"d":"","e":[{}]},"f":[null,"x",""],"g":true,"h":{"i":"j"}}';
  const value = parse(body);
  expect(Object.keys(value)).toEqual(['a', 'f', 'g', 'h']);
  expect(value).toEqual({ a: new JsonNumber('100.50'), f: ['', 'x'], g: true, h: { i: 'j' } });
  expect(Object.getPrototypeOf(value)).toBeNull();
  expect(Object.getPrototypeOf(value.h)).toBeNull();
});

test.each(['0', '-0', '-0.0', '1e2', '1E+2', '1e-400', '100.50', '12345678901234567890.12', '0.1'])(
  'the number %s keeps its text',
  (text) => {
    expect(parse(`{"a":${text}}`)).toEqual({ a: new JsonNumber(text) });
    expect(`${new JsonNumber(text)}`).toBe(text);
    expect(JSON.stringify(new JsonNumber(text))).toBe(`"${text}"`);
  },
);

test.each([
  ['every escape', '"\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83d\\ude00"', '"\\/\b\f\n\r\té😀'],
  ['text around escapes', '"a\\nb\\u0063d"', 'a\nbcd'],
  ['NUL through an escape', '"\\u0000"', '\0'],
  ['a byte order mark inside a string', '"\ufeff"', '\ufeff'],
])('a string is read: %s', (_, json, expected) => {
  expect(parse(`{"a":${json}}`)).toEqual({ a: expected });
});

test.each([
  ['', 'body is not a JSON object'],
  [' \n', 'body is not a JSON object'],
  ['"a"', 'body is not a JSON object'],
  ['null', 'body is not a JSON object'],
  ['[{"a":1}]', 'body is not a JSON object'],
  ['\ufeff{}', 'body is not a JSON object'],
  ['{', 'body is not valid JSON at character 1'],
  ['{"a":1,}', 'body is not valid JSON at character 7'],
  ['{,}', 'body is not valid JSON at character 1'],
  ['{"a" 1}', 'body is not valid JSON at character 5'],
  ['{"a":}', 'body is not valid JSON at character 5'],
  ['{"a":1 "b":2}', 'body is not valid JSON at character 7'],
  ["{'a':1}", 'body is not valid JSON at character 1'],
  ['{a:1}', 'body is not valid JSON at character 1'],
  ['{"a":[1,]}', 'body is not valid JSON at character 8'],
  ['{"a":[1}', 'body is not valid JSON at character 7'],
  ['{"a":01}', 'body is not valid JSON at character 6'],
  ['{"a":1.}', 'body is not valid JSON at character 6'],
  ['{"a":.5}', 'body is not valid JSON at character 5'],
  ['{"a":+1}', 'body is not valid JSON at character 5'],
  ['{"a":-}', 'body is not valid JSON at character 5'],
  ['{"a":1e}', 'body is not valid JSON at character 6'],
  ['{"a":NaN}', 'body is not valid JSON at character 5'],
  ['{"a":tru}', 'body is not valid JSON at character 5'],
  ['{"a":truex}', 'body is not valid JSON at character 9'],
  ['{"a":"x', 'body is not valid JSON at character 7'],
  ['{"a":"\n"}', 'body is not valid JSON at character 6'],
  ['{"a":"\x1f"}', 'body is not valid JSON at character 6'],
  ['{"a":"\\x41"}', 'body is not valid JSON at character 6'],
  ['{"a":"\\u12g4"}', 'body is not valid JSON at character 6'],
  ['{"a":"\\u+123"}', 'body is not valid JSON at character 6'],
  ['{"a":"\\', 'body is not valid JSON at character 6'],
  ['{}{}', 'body is not valid JSON at character 2'],
  ['{"a":1}\u00a0', 'body is not valid JSON at character 7'],
  ['{"a":"\\udc00\\ud800"}', 'a string holds a lone surrogate'],
  ['{"\\ud800":1}', 'a string holds a lone surrogate'],
  ['{"a":1,"a":1}', 'key "a" appears twice'],
  ['{"a":null,"a":1}', 'key "a" appears twice'],
  ['{"a":"","\\u0061":null}', 'key "a" appears twice'],
  ['{"x":[{"a":1,"a":[]}]}', 'key "a" appears twice'],
  ['{"":null}', 'a key is empty'],
  ['{"x":{"a.b":1}}', 'key "a.b" is not allowed'],
  ['{"x]":1}', 'key "x]" is not allowed'],
  ['{"x\\n":1}', 'key "x?" is not allowed'],
  ['{"x\u0085":1}', 'key "x?" is not allowed'],
  ['{"x":{"__proto__":null}}', 'key "__proto__" is not allowed'],
  ['{"sign":null}', 'key "sign" is reserved'],
  ['{"times\\u0074amp":1}', 'key "timestamp" is reserved'],
])('%j is refused: %s', (body, reason) => {
  expect(() => parse(body)).toThrow(expect.objectContaining({ name: 'MalformedRequest', message: reason }));
});

test.each([
  ['a byte that cannot begin a character', [0xff]],
  ['an overlong form', [0xc0, 0xaf]],
  ['an encoded surrogate', [0xed, 0xa0, 0x80]],
  ['a sequence cut short', [0xe0, 0xb8]],
])('invalid UTF-8 is refused: %s', (_, bytes) => {
  const body = Buffer.concat([Buffer.from('{"a":"'), Buffer.from(bytes), Buffer.from('"}')]);
  expect(() => readBody(body)).toThrow('body is not valid UTF-8');
});

test('a body in UTF-16 is refused', () => {
  expect(() => readBody(Buffer.from('{"a":"b"}', 'utf16le'))).toThrow('body is not valid JSON');
});

test('32 levels are accepted, and 33 are refused', () => {
  const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
  expect(JSON.stringify(parse(nested(32)))).toBe(nested(32).replace('1', '"1"'));
  expect(() => parse(nested(33))).toThrow('body is nested deeper than 32 levels');
  expect(() => parse(`{"a":${'['.repeat(60_000)}`)).toThrow('body is nested deeper than 32 levels');
});

test('a reason of a refusal never repeats a long input', () => {
  const key = `${'ส'.repeat(500)}.`;
  expect(() => parse(`{"${key}":1}`)).toThrow(`key "${'?'.repeat(48)}..." is not allowed`);
});
