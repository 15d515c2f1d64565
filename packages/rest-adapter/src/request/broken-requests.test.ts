import { signedHeaders } from '@tidegate/signature';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exchange } from '../../test/raw-exchange.ts';
import { aBody, createPath, type Fixture, merchantKeys, queryPath, startFixture } from '../../test/rest-fixture.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture({ requestTimeoutMs: 400 });
});
afterAll(() => fixture.close());

const request = (line: string, headers: string[], body = '') =>
  [`${line} HTTP/1.1`, 'Host: a', ...headers, '', body].join('\r\n');
const post = (headers: string[], body = '') => request(`POST ${createPath}`, headers, body);
const json = 'Content-Type: application/json';

/** The headers of a signed request, as lines. The signature covers `body`, whatever is sent. */
async function signed(body = aBody()): Promise<string[]> {
  const { merchantId } = fixture.merchant();
  const headers = await signedHeaders({ merchantNo: merchantId, body, key: merchantKeys.privateKey });
  return [json, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)];
}

const chunk = (size: number) => `${size.toString(16)}\r\n${'x'.repeat(size)}\r\n`;
const manyHeaders = Array.from({ length: 400 }, (_, i) => `X-Filler-${i}: ${'y'.repeat(60)}`);

const cases: [what: string, steps: string[], code: number, msg: RegExp][] = [
  ['no HTTP at all', ['GIBBERISH\r\n\r\n'], 40000, /not an HTTP request/],
  ['an unknown method', ['FROB / HTTP/1.1\r\nHost: a\r\n\r\n'], 40000, /not an HTTP request/],
  ['CONNECT', ['CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n'], 40500, /method not allowed/],
  ['two Hosts', [request('GET /healthz', ['Host: b'])], 40000, /Host/],
  ['no Host', [`GET ${queryPath} HTTP/1.1\r\n\r\n`], 40000, /Host/],
  [
    'a length and chunks at once',
    [post([json, 'Content-Length: 5', 'Transfer-Encoding: chunked'], '0\r\n\r\n')],
    40000,
    /not an HTTP request/,
  ],
  ['two lengths', [post([json, 'Content-Length: 5', 'Content-Length: 6'], 'hello!')], 40000, /not an HTTP request/],
  ['a bad chunk size', [post([json, 'Transfer-Encoding: chunked'], 'zz\r\n')], 40000, /not an HTTP request/],
  ['headers over 16 KiB', [request('GET /healthz', manyHeaders)], 41300, /headers/],
  ['a query over 4 KiB', [request(`GET ${queryPath}?a=${'b'.repeat(5_000)}`, [])], 41300, /query/],
  ['a body that is said to be too large', [post([json, 'Content-Length: 65537'])], 41300, /64 KiB/],
  [
    'chunks that become too large',
    [post([json, 'Transfer-Encoding: chunked'], chunk(40_000) + chunk(40_000))],
    41300,
    /64 KiB/,
  ],
  ['a compressed body', [post([json, 'Content-Encoding: gzip', 'Content-Length: 2'], '{}')], 41500, /Content-Encoding/],
  ['two content types', [post([json, json, 'Content-Length: 2'], '{}')], 41500, /Content-Type/],
  ['a POST with nothing', [post([])], 41500, /Content-Type/],
  ['headers that come too slowly', [`POST ${createPath} HTTP/1.1\r\nHost: a\r\n`], 40000, /in time/],
  ['a body that comes too slowly', [post([json, 'Content-Length: 50'], '{"a"')], 40000, /in time/],
];

test.each(cases)('%s', async (_, steps, code, msg) => {
  const { envelopes, text, closed } = await exchange(fixture.port, steps, { end: 'when answered' });
  expect(envelopes).toEqual([{ code, msg: expect.stringMatching(msg), data: null }]);
  expect(text).toMatch(/content-type: application\/json; charset=utf-8\r\n/i);
  expect(text).toMatch(/x-request-id: [A-Za-z0-9-]{8,64}\r\n/i);
  expect(closed).toBe(true);
});

test('an idle connection is closed without an answer, so a browser opens another one', async () => {
  const { text, closed } = await exchange(fixture.port, [], { end: 'when answered' });
  expect({ text, closed }).toEqual({ text: '', closed: true });
});

test('an incomplete body is refused as malformed', async () => {
  const { envelopes } = await exchange(fixture.port, [post([...(await signed()), 'Content-Length: 500'], aBody())], {
    end: 'at once',
  });
  expect(envelopes).toMatchObject([{ code: 40000 }]);
});

test('a signature header sent twice is refused', async () => {
  const lines = await signed();
  const sign = lines.find((line) => line.startsWith('X-Sign')) ?? '';
  const headers = [...lines, sign, `Content-Length: ${Buffer.byteLength(aBody())}`, 'Connection: close'];
  const { envelopes } = await exchange(fixture.port, [post(headers, aBody())]);
  expect(envelopes).toMatchObject([{ code: 40100, msg: expect.stringContaining('X-Sign') }]);
});

test.each([
  ['invalid UTF-8', Buffer.from('{"a":"\xff"}', 'latin1')],
  ['a duplicate key', Buffer.from('{"a":1,"a":1}')],
  ['a duplicate key below', Buffer.from('{"a":{"b":1,"b":1}}')],
  ['a byte order mark', Buffer.from('\ufeff{}')],
  ['JSON that is not an object', Buffer.from('[]')],
  ['nothing', Buffer.from('')],
  ['a reserved key', Buffer.from('{"sign":"a"}')],
  ['a lone surrogate', Buffer.from('{"a":"\\ud800"}')],
  ['fewer bytes than Content-Length', Buffer.from('{"a":1')],
])('a body with %s is malformed', async (_, body) => {
  const head = post([...(await signed('{}')), `Content-Length: ${body.length}`, 'Connection: close']);
  const { envelopes } = await exchange(fixture.port, [head, body]);
  expect(envelopes).toMatchObject([{ code: 40000, msg: expect.stringMatching(/^malformed request: ./), data: null }]);
});

test('a body in one-byte chunks is read completely', async () => {
  const body = aBody();
  const chunks = [...body].map((c) => `1\r\n${c}\r\n`).join('');
  const headers = [...(await signed(body)), 'Transfer-Encoding: chunked', 'Connection: close'];
  const { envelopes } = await exchange(fixture.port, [post(headers, `${chunks}0\r\n\r\n`)]);
  expect(envelopes).toMatchObject([{ code: 0 }]);
});

test('bytes beyond Content-Length are read as another, malformed request', async () => {
  const body = aBody();
  const headers = [...(await signed(body)), `Content-Length: ${body.length}`];
  const { envelopes, closed } = await exchange(fixture.port, [post(headers, body), 100, 'left over\r\n\r\n']);
  expect(envelopes).toMatchObject([{ code: 0 }, { code: 40000 }]);
  expect(closed).toBe(true);
});

test('invalid bytes after an open request close the connection without an answer', async () => {
  const { promise: decided, resolve: decide } = Promise.withResolvers<null>();
  const slow = await startFixture({ domain: { merchant: () => decided } });
  const headers = [...(await signed()), `Content-Length: ${aBody().length}`];
  const { text, closed } = await exchange(slow.port, [post(headers, aBody()), 100, 'rubbish\r\n\r\n']);
  expect([text, closed]).toEqual(['', true]);
  decide(null);
  await slow.close();
});

test('a request is answered once, although the rest of its body never comes', async () => {
  const { envelopes, closed } = await exchange(fixture.port, [post([json, 'Content-Length: 70000'], 'x')]);
  expect(envelopes).toMatchObject([{ code: 41300 }]);
  expect(closed).toBe(true);
});

test('after a body that was too large the connection still serves requests', async () => {
  const tooLarge = post([json, 'Content-Length: 70000'], 'x'.repeat(70_000));
  const next = request('GET /healthz', ['Connection: close']);
  const { envelopes } = await exchange(fixture.port, [tooLarge, next]);
  expect(envelopes).toMatchObject([{ code: 41300 }, { code: 0 }]);
});

test('a body without an end is not read forever', async () => {
  const steps = Array.from({ length: 40 }, () => chunk(50_000));
  const { envelopes, closed } = await exchange(fixture.port, [post([json, 'Transfer-Encoding: chunked']), ...steps]);
  expect(closed).toBe(true);
  expect(envelopes.length).toBeLessThanOrEqual(1);
});

test('the body of a GET is neither read nor refused', async () => {
  const { merchantId } = fixture.merchant();
  const query = 'merchantOrderNo=M-1';
  const headers = await signedHeaders({ merchantNo: merchantId, query, key: merchantKeys.privateKey });
  const lines = [...Object.entries(headers).map(([name, value]) => `${name}: ${value}`), 'Content-Length: 3'];
  const first = request(`GET ${queryPath}?${query}`, lines, 'abc');
  const { envelopes } = await exchange(fixture.port, [first, request('GET /healthz', ['Connection: close'])]);
  expect(envelopes).toMatchObject([{ code: 0 }, { code: 0, data: { status: 'ok' } }]);
});

test('a request with an Expect header is not refused', async () => {
  const { envelopes } = await exchange(fixture.port, [
    request('GET /healthz', ['Expect: miracles', 'Connection: close']),
  ]);
  expect(envelopes).toMatchObject([{ code: 0 }]);
});
