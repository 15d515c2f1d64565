import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MalformedRequest, parsePublicKey, readBody, readQuery, verify } from './index.ts';

interface Case {
  name: string;
  method: 'GET' | 'POST';
  body?: string;
  query?: string;
  timestamp: string;
  nonce: string;
  signedContent?: string;
  sign?: string;
  refused?: number;
}

const COPY = join(import.meta.dirname, '../vectors/signing.json');
const ORIGINAL = join(import.meta.dirname, '../../../../shared/vectors/signing.json');

const { cases, publicKeyPem }: { cases: Case[]; publicKeyPem: string } = JSON.parse(readFileSync(COPY, 'utf8'));
const read = ({ method, body = '', query = '' }: Case) =>
  method === 'POST' ? readBody(Buffer.from(body)) : readQuery(query);

test.each(cases.filter((c) => c.refused === undefined))('the vector has its signed content: $name', (c) => {
  const content = read(c).content(c.timestamp, c.nonce);
  expect(content).toBe(c.signedContent);
  expect(verify(content, c.sign ?? '', parsePublicKey(publicKeyPem))).toBe(true);
  expect(verify(`${content} `, c.sign ?? '', parsePublicKey(publicKeyPem))).toBe(false);
});

test.each(cases.filter((c) => c.refused !== undefined))('the vector is refused: $name', (c) => {
  expect(c.refused).toBe(40000);
  expect(() => read(c)).toThrow(MalformedRequest);
});

test('the vectors have both kinds: accepted and refused', () => {
  expect(cases.filter((c) => c.sign !== undefined).length).toBeGreaterThanOrEqual(20);
  expect(cases.filter((c) => c.refused !== undefined).length).toBeGreaterThanOrEqual(10);
});

test.runIf(existsSync(ORIGINAL))('the vectors equal the published ones', () => {
  expect(JSON.parse(readFileSync(COPY, 'utf8'))).toEqual(JSON.parse(readFileSync(ORIGINAL, 'utf8')));
});

const content = (body: string) => readBody(Buffer.from(body)).content('T', 'N');

test.each([
  [
    'an absent element does not change the index of others',
    '{"a":[null,"x",[],{"b":null}]}',
    'a[1]=x&nonce=N&timestamp=T',
  ],
  ['an array of absent elements is absent', '{"a":[null,[""],{"b":{}}],"c":1}', 'c=1&nonce=N&timestamp=T'],
  ['arrays in arrays', '{"a":[["x"],["","y"]]}', 'a[0][0]=x&a[1][1]=y&nonce=N&timestamp=T'],
  [
    'the index ten comes before two, because paths are compared as text',
    '{"a":[1,1,2,1,1,1,1,1,1,1,10]}',
    /^a\[0\]=1&a\[10\]=10&a\[1\]=1&a\[2\]=2/,
  ],
  ['a key that looks like an index is a key', '{"a":{"0":"x"}}', 'a.0=x&nonce=N&timestamp=T'],
  ['names of Object.prototype are plain keys', '{"constructor":"x"}', 'constructor=x&nonce=N&timestamp=T'],
])('%s', (_, body, expected) => {
  expect(content(body)).toEqual(typeof expected === 'string' ? expected : expect.stringMatching(expected));
});

test('paths are sorted by their unescaped form', () => {
  expect(content('{"a&":1,"a&b":2,"a%":3,"a+":4}')).toBe('a%25=3&a%26=1&a%26b=2&a+=4&nonce=N&timestamp=T');
});

test('a header value cannot imitate a field of the body', () => {
  expect(readBody(Buffer.from('{}')).content('1', 'n&x=1')).toBe('nonce=n%26x%3D1&timestamp=1');
});

const list = (count: number, element: string) => Array(count).fill(element).join(',');

test.each([
  [
    '2,048 values',
    `{"a":[${list(2_047, '1')}]}`,
    `{"a":[${list(2_048, '1')}]}`,
    'the request has more than 2048 values',
  ],
  ['absent values count', `{"a":[${list(2_047, 'null')}]}`, `{"a":[${list(2_048, '""')}]}`, 'more than 2048 values'],
  [
    '560 fields',
    `{"a":[${list(279, '{"b":1,"c":[]}')}],"d":1}`,
    `{"a":[${list(280, '{"b":1,"c":[]}')}]}`,
    'the request has more than 560 fields',
  ],
  [
    '128 KiB to sign, without timestamp and nonce',
    `{"a":"${'x'.repeat(131_069)}"}`,
    `{"a":"${'x'.repeat(131_070)}"}`,
    'the content to sign has more than 128 KiB',
  ],
  [
    'characters of several bytes count as such',
    `{"a":"${'ก'.repeat(43_689)}"}`,
    `{"a":"${'ก'.repeat(43_690)}"}`,
    'the content to sign has more than 128 KiB',
  ],
])('limit of a request: %s', (_, within, over, reason) => {
  expect(() => content(within)).not.toThrow();
  expect(() => content(over)).toThrow(reason);
});

test('a query over the limit of fields is refused', () => {
  const query = (count: number) => Array.from({ length: count }, (_, i) => `p${i}=1`).join('&');
  expect(readQuery(query(560)).content('T', 'N').split('&')).toHaveLength(562);
  expect(() => readQuery(query(561))).toThrow('the request has more than 560 fields');
});

test('the own object of a request may fill its 4 KiB with fields or elements', () => {
  const members = (count: number) =>
    Array.from({ length: count }, (_, i) => `"${String.fromCharCode(0x61 + (i % 26))}${i}":1`);
  const fields = `{${members(500).join(',')}}`;
  const elements = `{"a":[${list(2_020, '1')}]}`;
  for (const metadata of [fields, elements]) {
    expect(metadata.length).toBeGreaterThan(4_000);
    expect(() => content(`{"merchantOrderNo":"M-1","metadata":${metadata}}`)).not.toThrow();
  }
});

test('the bytes of the content are those of its text', () => {
  const body = Buffer.from(`{"ก😀":["%é","${'x'.repeat(100)}=","${'ก'.repeat(100)}"],"\\ud83d\\ude00":true}`);
  const fields = readBody(body);
  expect(Buffer.from(fields.contentBytes('T', 'N')).toString()).toBe(fields.content('T', 'N'));
});
