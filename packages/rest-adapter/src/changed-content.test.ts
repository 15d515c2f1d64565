import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aRequest, headerOf, send, setBody, setHeader } from '../test/raw-request.ts';
import { type Fixture, queryPath, startFixture } from '../test/rest-fixture.ts';

let fixture: Fixture;
let merchantNo: string;
beforeAll(async () => {
  fixture = await startFixture({ environment: 'production' });
  merchantNo = fixture.merchant().merchantId;
});
afterAll(() => fixture.close());

const fields = '"merchantOrderNo":"M-1","countryCode":"CN","currency":"CNY","amount":"100.50"';
/** A signed body with `more` in it. */
const body = (more = ''): string => `{${fields}${more === '' ? '' : `,${more}`}}`;

/** The expected code, and the text that is sent instead of the signed one. */
type Change = [name: string, code: number, signed: string, sent: string | Buffer];

const sameContent: Change[] = [
  ['white space around and between', 0, body(), ` \r\n${body().replaceAll(/[:,]/g, '\t $&\n')} `],
  ['its keys in another order', 0, body(), `{${fields.split(',').toReversed().join(',')}}`],
  ['a letter of a value as an escape', 0, body('"remark":"A\u00e9"'), body('"remark":"\\u0041\\u00E9"')],
  ['a letter of a key as an escape', 0, body('"remark":"x"'), body('"r\\u0065mark":"x"')],
  ['an escaped slash', 0, body('"remark":"a/b"'), body('"remark":"a\\/b"')],
  ['a pair of surrogates for one character', 0, body('"remark":"\u{1f600}"'), body('"remark":"\\ud83d\\ude00"')],
  ['a number as text', 0, body('"tip":1.50'), body('"tip":"1.50"')],
  ['true as text', 0, body('"vip":true'), body('"vip":"true"')],
  ['null, empty text, objects and arrays added', 0, body(), body('"a":null,"b":"","c":{"d":null},"e":[[],""]')],
];

const otherContent: Change[] = [
  ['another amount', 40101, body(), body().replace('100.50', '900.50')],
  ['a number spelled shorter', 40101, body('"tip":1.50'), body('"tip":1.5')],
  ['a number spelled with an exponent', 40101, body('"tip":100'), body('"tip":1e2')],
  ['a number with a sign', 40101, body('"tip":0'), body('"tip":-0')],
  [
    'a number of many digits, changed in the last',
    40101,
    body(`"tip":${'9'.repeat(30)}`),
    body(`"tip":${'9'.repeat(29)}8`),
  ],
  ['white space inside a value', 40101, body('"remark":"a b"'), body('"remark":"a  b"')],
  ['white space around a value', 40101, body('"remark":"a"'), body('"remark":"a "')],
  ['white space around a key', 40101, body('"remark":"a"'), body('"remark ":"a"')],
  ['another case', 40101, body('"remark":"a"'), body('"Remark":"a"')],
  ['NFD for NFC', 40101, body('"remark":"\u00e9"'), body('"remark":"e\u0301"')],
  ['NFC for NFD', 40101, body('"remark":"e\u0301"'), body('"remark":"\u00e9"')],
  ['a look-alike letter', 40101, body('"remark":"a"'), body('"remark":"\u0430"')],
  ['an invisible character', 40101, body('"remark":"a"'), body('"remark":"a\u200b"')],
  ['a byte order mark in a value', 40101, body('"remark":"a"'), body('"remark":"\ufeffa"')],
  ['NUL in a value', 40101, body('"remark":"a"'), body('"remark":"a\\u0000"')],
  ['a field added', 40101, body(), body('"notifyUrl":"https://evil.example/"')],
  ['a field left out', 40101, body('"remark":"a"'), body()],
  ['a field set to null', 40101, body('"remark":"a"'), body('"remark":null')],
  ['a value moved into the next field', 40101, body('"a":"x&b=y"'), body('"a":"x","b":"y"')],
  ['a value moved into its key', 40101, body('"a=x":"y"'), body('"a":"x=y"')],
  ['an escape of the content in a value', 40101, body('"a":"x&y"'), body('"a":"x%26y"')],
  ['an array for an object', 40101, body('"a":{"0":"x"}'), body('"a":["x"]')],
  ['an array in another order', 40101, body('"a":["x","y"]'), body('"a":["y","x"]')],
  ['an array with a hole', 40101, body('"a":["x","y"]'), body('"a":["x",null,"y"]')],
  ['the name of a method', 40101, body('"toString":"x"'), body('"valueOf":"x"')],
  ['the constructor as an object', 40101, body(), body('"constructor":{"prototype":{"admin":"true"}}')],
];

const duplicate = `${body().slice(0, -1)},"amount":"100.50"}`;
const malformed: Change[] = [
  ['a key twice', 40000, body(), duplicate],
  [
    'a key twice, once as an escape',
    40000,
    body(),
    duplicate.replace('"amount":"100.50"}', '"\\u0061mount":"100.50"}'),
  ],
  ['a key twice, once absent', 40000, body(), body('"amount":null')],
  ['a key twice, far below', 40000, body('"a":[{"b":"c"}]'), body('"a":[{"b":"c","b":"c"}]')],
  ['a byte order mark in front', 40000, body(), `\ufeff${body()}`],
  ['NUL behind', 40000, body(), `${body()}\0`],
  ['a raw NUL in a value', 40000, body('"remark":"a"'), body('"remark":"a\0"')],
  ['a raw line break in a value', 40000, body('"remark":"a"'), body('"remark":"a\n"')],
  ['a lone surrogate', 40000, body('"remark":"a"'), body('"remark":"a\\ud800"')],
  ['a lone surrogate as a key', 40000, body(), body('"\\udfff":"a"')],
  ['a surrogate in UTF-8', 40000, body('"remark":"a"'), Buffer.from(body('"remark":"\xed\xa0\x80"'), 'latin1')],
  ['an overlong slash', 40000, body('"remark":"/"'), Buffer.from(body('"remark":"\xc0\xaf"'), 'latin1')],
  ['latin1', 40000, body('"remark":"\u00e9"'), Buffer.from(body('"remark":"\u00e9"'), 'latin1')],
  ['UTF-16', 40000, body(), Buffer.from(body(), 'utf16le')],
  ['UTF-16 with its mark', 40000, body(), Buffer.from(`\ufeff${body()}`, 'utf16le')],
  ['a prototype', 40000, body(), body('"__proto__":{"admin":true}')],
  ['a prototype as an escape', 40000, body(), body('"\\u005f_proto__":null')],
  ['a prototype below', 40000, body(), body('"a":{"__proto__":"x"}')],
  ['a timestamp', 40000, body(), body('"timestamp":"1790000000"')],
  ['a nonce of its own', 40000, body(), body('"nonce":"abcdefgh"')],
  ['a sign', 40000, body(), body('"sign":null')],
  ['a path for a key', 40000, body('"a":{"b":"c"}'), body('"a.b":"c"')],
  ['an index for a key', 40000, body('"a":["c"]'), body('"a[0]":"c"')],
  ['an empty key', 40000, body(), body('"":"c"')],
  ['an object after it', 40000, body(), `${body()}{}`],
  ['an array around it', 40000, body(), `[${body()}]`],
  ['text around it', 40000, body(), JSON.stringify(body())],
  ['a comma too many', 40000, body(), `${body().slice(0, -1)},}`],
  ['a comment', 40000, body(), `${body()}//`],
  ['single quotes', 40000, body(), body().replaceAll('"', "'")],
  ['a number that JSON does not know', 40000, body('"tip":1'), body('"tip":0x1')],
  ['33 levels', 40000, body(), body(`"a":${'['.repeat(32)}1${']'.repeat(32)}`)],
  ['60,000 levels', 40000, body(), body(`"a":${'['.repeat(60_000)}`)],
  ['a form', 40000, body(), 'merchantOrderNo=M-1&amount=100.50'],
  ['nothing', 40000, body(), ''],
  ['null', 40000, body(), 'null'],
  ['gzip that is not said to be', 40000, body(), gzipSync(body())],
];

async function answerTo([, , signed, sent]: Change) {
  const request = await aRequest({ merchantNo, body: signed });
  setBody(request, sent);
  return send(fixture.port, request);
}

describe('a body changed after it was signed', () => {
  test.each(sameContent)('with %s the content is the same, and the signature is valid', async (...change) => {
    expect(await answerTo(change)).toMatchObject({ status: 200, code: 0 });
  });

  test.each(otherContent)('with %s the signature is invalid', async (...change) => {
    expect(await answerTo(['', 0, change[2], change[2]])).toMatchObject({ code: 0 });
    expect(await answerTo(change)).toMatchObject({ status: 401, code: 40101, msg: 'signature invalid', data: null });
  });

  test.each(malformed)('with %s the body is malformed', async (...change) => {
    const { status, code, msg, data } = await answerTo(change);
    expect({ status, code, data }).toEqual({ status: 400, code: 40000, data: null });
    expect(msg).toMatch(/^malformed request: [ -~]{1,120}$/);
  });

  test('keys of Object.prototype are ordinary fields, and change no other field', async () => {
    const more = '"constructor":{"prototype":{"polluted":"1"}},"toString":"x","hasOwnProperty":"y"';
    expect(await answerTo(['', 0, body(more), body(more)])).toMatchObject({ code: 0 });
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });
});

describe('the limit of 64 KiB for a body', () => {
  const limit = 64 * 1024;
  const bodyOf = (size: number): string => `${' '.repeat(size - body().length)}${body()}`;
  test.each([
    [limit - 1, 0],
    [limit, 0],
    [limit + 1, 41300],
  ])('a body of %i bytes is answered with %i, with Content-Length and in chunks', async (size, code) => {
    const request = await aRequest({ merchantNo, body: bodyOf(size) });
    expect(await send(fixture.port, request)).toMatchObject({ code, answers: 1 });
    const chunked = await aRequest({ merchantNo, body: bodyOf(size) });
    const half = bodyOf(size).slice(0, 40_000);
    const rest = bodyOf(size).slice(40_000);
    const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;
    chunked.body = Buffer.from(`${chunk(half)}${chunk(rest)}0\r\n\r\n`);
    chunked.headers = chunked.headers.filter(([name]) => name !== 'Content-Length');
    chunked.headers.push(['Transfer-Encoding', 'chunked']);
    expect(await send(fixture.port, chunked)).toMatchObject({ code, answers: 1 });
  });

  test('the limit counts bytes, not characters', async () => {
    const remark = '\u0e01'.repeat(Math.floor((limit - body('"remark":""').length) / 3));
    const fits = body(`"remark":"${remark}"`);
    expect(await send(fixture.port, await aRequest({ merchantNo, body: fits }))).toMatchObject({ code: 0 });
    const over = body(`"remark":"${remark}\u0e01"`);
    expect(await send(fixture.port, await aRequest({ merchantNo, body: over }))).toMatchObject({ code: 41300 });
  });
});

const signedQuery = 'merchantOrderNo=M-1';
const queries: [name: string, code: number, query: string][] = [
  ['a parameter twice', 40000, `${signedQuery}&${signedQuery}`],
  ['a parameter twice, once empty', 40000, `merchantOrderNo=&${signedQuery}`],
  ['a parameter twice, once escaped', 40000, `${signedQuery}&merchant%4frderNo=M-2`],
  ['the parameter as an array', 40000, 'merchantOrderNo[]=M-1'],
  ['the parameter with an index', 40000, 'merchantOrderNo%5B0%5D=M-1'],
  ['the parameter below another', 40000, 'a.merchantOrderNo=M-1'],
  ['a semicolon for a separator', 40101, `${signedQuery};orderNo=PI1`],
  ['an escaped separator', 40101, 'merchantOrderNo=M-1%26a=b'],
  ['a blank as plus', 40101, 'merchantOrderNo=M-1+'],
  ['a blank as escape', 40101, 'merchantOrderNo=M-1%20'],
  ['NUL in the value', 40101, 'merchantOrderNo=M-1%00'],
  ['NUL in a name', 40000, `${signedQuery}&a%00=1`],
  ['half an escape', 40000, 'merchantOrderNo=M-1%'],
  ['an escape of no digits', 40000, 'merchantOrderNo=M-1%zz'],
  ['an escape of bad UTF-8', 40000, 'merchantOrderNo=M-1%ff'],
  ['an escaped surrogate', 40000, 'merchantOrderNo=M-1%ED%A0%80'],
  ['an old kind of escape', 40000, 'merchantOrderNo=M-1%u0041'],
  ['raw bytes', 40000, 'merchantOrderNo=M-1\xe9'],
  ['a prototype', 40000, `${signedQuery}&__proto__=1`],
  ['a prototype in brackets', 40000, `${signedQuery}&__proto__[admin]=1`],
  ['a sign of its own', 40000, `${signedQuery}&sign=abc`],
  ['a timestamp of its own', 40000, `${signedQuery}&timestamp=1`],
  ['a nameless value', 40000, `${signedQuery}&=1`],
  ['another question mark', 40101, `?${signedQuery}`],
  ['a fragment', 40101, `${signedQuery}#M-2`],
  ['another case', 40101, 'merchantorderno=M-1'],
  ['4 KiB', 41300, `${signedQuery}&a=${'b'.repeat(4_096)}`],
];
test.each(queries)('a signed query that is changed to have %s is answered with %i', async (_, code, query) => {
  const request = await aRequest({ merchantNo, query: signedQuery, path: queryPath });
  const reply = await send(fixture.port, { ...request, target: `${queryPath}?${query}` });
  expect([reply.code, reply.data, reply.answers]).toEqual([code, null, 1]);
});

test.each([
  ['gzip', gzipSync(body()), 41500],
  ['GZIP', gzipSync(body()), 41500],
  ['deflate', Buffer.from(body()), 41500],
  ['br, identity', Buffer.from(body()), 41500],
  ['identity, gzip', gzipSync(body()), 41500],
  ['x-nothing', Buffer.from(body()), 41500],
  ['Identity', Buffer.from(body()), 0],
])('a body with Content-Encoding %s is refused, and one with identity accepted', async (encoding, sent, code) => {
  const request = await aRequest({ merchantNo, body: body() });
  setBody(request, sent);
  request.headers.push(['Content-Encoding', encoding]);
  expect(await send(fixture.port, request)).toMatchObject({ code });
});

test.each([
  ['application/json; charset=utf-16', 41500],
  ['application/json; charset=UTF-7', 41500],
  ['application/json; charset=utf-8; charset=utf-16', 41500],
  ['application/json, text/plain', 41500],
  ['application/x-www-form-urlencoded', 41500],
  ['multipart/form-data; boundary=x', 41500],
  ['text/json', 41500],
  ['application/merge-patch+json', 41500],
  ['', 41500],
  ['application/json;charset=utf-8', 0],
])('a body with Content-Type %j is refused unless it is JSON in UTF-8', async (type, code) => {
  const request = await aRequest({ merchantNo, body: body() });
  setHeader(request, 'Content-Type', type);
  expect(headerOf(request, 'Content-Type')).toBe(type);
  expect(await send(fixture.port, request)).toMatchObject({ code });
});
