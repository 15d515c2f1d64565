import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exchange } from '../test/raw-exchange.ts';
import { aRequest, dropHeader, headerOf, type RawRequest, send, setHeader } from '../test/raw-request.ts';
import { anOrder, createPath, type Fixture, queryPath, startFixture } from '../test/rest-fixture.ts';

let fixture: Fixture;
let merchantNo: string;
/** The number of created payins. */
let count = 0;
beforeAll(async () => {
  const createPayin = async () => {
    count += 1;
    return { ok: true as const, value: anOrder };
  };
  fixture = await startFixture({ environment: 'production', requestTimeoutMs: 600, domain: { createPayin } });
  merchantNo = fixture.merchant().merchantId;
});
afterAll(() => fixture.close());

const aCreate = () => aRequest({ merchantNo });

/** A request that an attacker hides in another one. */
const hidden = 'GET /healthz HTTP/1.1\r\nHost: pay.test\r\n\r\n';

/** Removes Content-Length, and sends the body as one chunk after these headers. */
function inChunks(request: RawRequest, headers: [string, string][], start = '', end = '0\r\n\r\n'): void {
  dropHeader(request, 'Content-Length');
  request.headers.push(...headers);
  const size = start === '' ? request.body.length.toString(16) : start;
  request.body = Buffer.from(`${size}\r\n${request.body}\r\n${end}`);
}
const te = (value: string): [string, string] => ['Transfer-Encoding', value];
const cl = (value: string): [string, string] => ['Content-Length', value];

describe('a body with an ambiguous end has no effect, and nothing after it is served', () => {
  const framings: [name: string, bend: (request: RawRequest) => void][] = [
    ['a length beside chunks', (r) => inChunks(r, [te('chunked'), cl('5')])],
    ['chunks beside a length', (r) => inChunks(r, [cl('5'), te('chunked')])],
    ['a length that fits beside chunks', (r) => inChunks(r, [te('chunked'), cl(String(r.body.length))])],
    ['chunks that are not the last coding', (r) => inChunks(r, [te('chunked, identity')])],
    ['chunks within chunks', (r) => inChunks(r, [te('chunked, chunked')])],
    ['chunks said in two headers', (r) => inChunks(r, [te('chunked'), te('identity')])],
    ['a coding that is almost chunks', (r) => inChunks(r, [te('xchunked')])],
    ['chunks in quotes', (r) => inChunks(r, [te('"chunked"')])],
    ['chunks behind a vertical tab', (r) => inChunks(r, [te('\x0bchunked')])],
    ['chunks with a parameter', (r) => inChunks(r, [te('chunked;q=1')])],
    ['chunks under a name with a blank', (r) => inChunks(r, [['Transfer-Encoding ', 'chunked']])],
    ['the coding identity', (r) => inChunks(r, [te('identity')])],
    ['two lengths', (r) => r.headers.push(cl('5'))],
    ['one length twice', (r) => r.headers.push(cl(headerOf(r, 'Content-Length')))],
    ['two lengths in one', (r) => setHeader(r, 'Content-Length', `${r.body.length}, ${r.body.length}`)],
    ['a length with a sign', (r) => setHeader(r, 'Content-Length', `+${r.body.length}`)],
    ['a length below zero', (r) => setHeader(r, 'Content-Length', '-1')],
    ['a length in hexadecimal', (r) => setHeader(r, 'Content-Length', `0x${r.body.length.toString(16)}`)],
    ['a length with an exponent', (r) => setHeader(r, 'Content-Length', '1e2')],
    ['a length with a fraction', (r) => setHeader(r, 'Content-Length', `${r.body.length}.0`)],
    ['a length of 2^64 and more', (r) => setHeader(r, 'Content-Length', String(2n ** 64n + BigInt(r.body.length)))],
    ['an empty length', (r) => setHeader(r, 'Content-Length', '')],
    ['a chunk whose size has a sign', (r) => inChunks(r, [te('chunked')], `+${r.body.length.toString(16)}`)],
    ['a chunk whose size begins with 0x', (r) => inChunks(r, [te('chunked')], `0x${r.body.length.toString(16)}`)],
    ['a chunk whose size has a blank', (r) => inChunks(r, [te('chunked')], ` ${r.body.length.toString(16)}`)],
    ['a chunk of 2^64', (r) => inChunks(r, [te('chunked')], `1${'0'.repeat(16)}`)],
    ['a chunk larger than its size', (r) => inChunks(r, [te('chunked')], (r.body.length - 1).toString(16))],
  ];
  test.each(framings)('%s', async (_, bend) => {
    const request = await aCreate();
    bend(request);
    request.body = Buffer.concat([request.body, Buffer.from(hidden)]);
    const before = count;
    const reply = await send(fixture.port, request);
    expect([reply.status, reply.code, reply.answers, count - before]).toEqual([400, 40000, 1, 0]);
  });

  test.each([
    ['chunk sizes in upper-case digits', (r: RawRequest) => inChunks(r, [te('CHUNKED')])],
    ['a chunk with an extension', (r: RawRequest) => inChunks(r, [te('chunked')], `${r.body.length.toString(16)};a=b`)],
    [
      'a chunk whose size has zeros in front',
      (r: RawRequest) => inChunks(r, [te('chunked')], `00${r.body.length.toString(16)}`),
    ],
    ['chunks with a trailer', (r: RawRequest) => inChunks(r, [te('chunked')], '', '0\r\nX-Sign: AAAA\r\n\r\n')],
    ['an expectation', (r: RawRequest) => r.headers.push(['Expect', '100-continue'])],
    ['an upgrade to HTTP/2', (r: RawRequest) => r.headers.push(['Upgrade', 'h2c'], ['HTTP2-Settings', 'AAMAAABk'])],
    ['an upgrade to a web socket', (r: RawRequest) => r.headers.push(['Upgrade', 'websocket'])],
  ])('a valid request is served once with %s', async (_, bend) => {
    const request = await aCreate();
    bend(request);
    const before = count;
    const { text } = await send(fixture.port, request);
    expect(text.match(/"code":0,/g)).toHaveLength(1);
    expect(count - before).toBe(1);
  });

  test('a request inside of a body is not served', async () => {
    const request = await aRequest({ merchantNo, query: 'merchantOrderNo=M-1', path: queryPath });
    request.headers.push(cl(String(hidden.length)));
    expect(await send(fixture.port, { ...request, body: Buffer.from(hidden) })).toMatchObject({ code: 0, answers: 1 });
  });
});

describe('a valid signature with another request line', () => {
  const lines: [name: string, status: number, code: number, bend: (request: RawRequest) => void][] = [
    ['a small method', 400, 40000, (r) => Object.assign(r, { method: 'post' })],
    ['no method', 400, 40000, (r) => Object.assign(r, { method: '' })],
    ['HTTP/0.9', 400, 40000, (r) => Object.assign(r, { version: '0.9' })],
    ['HTTP/1.2', 400, 40000, (r) => Object.assign(r, { version: '1.2' })],
    ['HTTP/2.0', 400, 40000, (r) => Object.assign(r, { version: '2.0' })],
    ['HTTP/1.0 and chunks', 400, 40000, (r) => inChunks(Object.assign(r, { version: '1.0' }), [te('chunked')])],
    ['a blank in the path', 400, 40000, (r) => Object.assign(r, { target: `${createPath} x` })],
    ['no path', 400, 40000, (r) => Object.assign(r, { target: '' })],
    ['a star', 404, 40400, (r) => Object.assign(r, { target: '*' })],
    ['a host and port', 400, 40000, (r) => Object.assign(r, { target: 'pay.test:80' })],
    ['two slashes at the start', 404, 40400, (r) => Object.assign(r, { target: `/${createPath}` })],
    ['two slashes inside', 404, 40400, (r) => Object.assign(r, { target: createPath.replace('/v1', '//v1') })],
    ['a slash at the end', 404, 40400, (r) => Object.assign(r, { target: `${createPath}/` })],
    ['a dot', 404, 40400, (r) => Object.assign(r, { target: createPath.replace('/v1', '/./v1') })],
    ['two dots', 404, 40400, (r) => Object.assign(r, { target: `/x/..${createPath}` })],
    ['two escaped dots', 404, 40400, (r) => Object.assign(r, { target: `/x/%2e%2e${createPath}` })],
    ['an escaped slash', 404, 40400, (r) => Object.assign(r, { target: createPath.replace('/create', '%2fcreate') })],
    ['an escape escaped', 404, 40400, (r) => Object.assign(r, { target: createPath.replace('create', '%2563reate') })],
    ['a backslash', 400, 40000, (r) => Object.assign(r, { target: createPath.replaceAll('/', '\\') })],
    ['another case', 404, 40400, (r) => Object.assign(r, { target: createPath.toUpperCase() })],
    ['NUL at the end', 404, 40400, (r) => Object.assign(r, { target: `${createPath}%00` })],
    ['a parameter of the path', 404, 40400, (r) => Object.assign(r, { target: `${createPath};a=b` })],
    ['an escaped question mark', 404, 40400, (r) => Object.assign(r, { target: `${createPath}%3fa=b` })],
    ['half an escape', 404, 40400, (r) => Object.assign(r, { target: `${createPath}%` })],
    ['an escape of bad UTF-8', 404, 40400, (r) => Object.assign(r, { target: `${createPath}%ff` })],
    ['a path of 15 KiB', 404, 40400, (r) => Object.assign(r, { target: `/${'x'.repeat(15_000)}` })],
    ['a path of 17 KiB', 413, 41300, (r) => Object.assign(r, { target: `/${'x'.repeat(17_000)}` })],
    ['another version', 404, 40400, (r) => Object.assign(r, { target: createPath.replace('v1', 'v2') })],
    ['a whole address', 200, 0, (r) => Object.assign(r, { target: `http://pay.test${createPath}` })],
    ['a letter of the path escaped', 200, 0, (r) => Object.assign(r, { target: createPath.replace('c', '%63') })],
    ['a query that a POST does not have', 200, 0, (r) => Object.assign(r, { target: `${createPath}?amount=1.00` })],
    ['HTTP/1.0', 200, 0, (r) => Object.assign(r, { version: '1.0' })],
  ];
  test.each(lines)('%s: %i', async (_, status, code, bend) => {
    const request = await aCreate();
    bend(request);
    const reply = await send(fixture.port, request);
    expect([reply.status, reply.code, reply.answers]).toEqual([status, code, 1]);
  });

  test.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY', 'PURGE'])(
    'the method %s is not accepted as POST, and its content is not repeated in the answer',
    async (method) => {
      const request = { ...(await aCreate()), method };
      const reply = await send(fixture.port, request);
      expect([reply.status, reply.code, reply.headers.get('allow')]).toEqual([405, 40500, 'POST']);
      expect(reply.text).not.toContain(headerOf(request, 'X-Sign').slice(0, 40));
    },
  );

  test('HEAD is answered without a body, and bypasses no check', async () => {
    const reply = await send(fixture.port, { ...(await aCreate()), method: 'HEAD', body: Buffer.alloc(0) });
    expect([reply.status, reply.code]).toEqual([405, -1]);
    expect(reply.text.endsWith('\r\n\r\n')).toBe(true);
  });
});

describe('headers that try to replace a part of the request', () => {
  const overrides = ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override', 'X-Original-Method'];
  test.each(overrides)('the header %s does not change the method', async (name) => {
    const asGet = { ...(await aCreate()), method: 'GET' };
    asGet.headers.push([name, 'POST']);
    expect(await send(fixture.port, asGet)).toMatchObject({ code: 40500 });
    const asPost = await aCreate();
    asPost.headers.push([name, 'DELETE']);
    expect(await send(fixture.port, asPost)).toMatchObject({ code: 0 });
  });

  test.each(['X-Original-URL', 'X-Rewrite-URL', 'X-Forwarded-Prefix', 'X-Forwarded-Path'])(
    'the header %s does not change the path',
    async (name) => {
      const request = { ...(await aCreate()), target: '/nowhere' };
      request.headers.push([name, createPath]);
      expect(await send(fixture.port, request)).toMatchObject({ code: 40400 });
    },
  );

  test.each(['X-Forwarded-For', 'X-Real-IP', 'Forwarded', 'Client-IP', 'True-Client-IP', 'CF-Connecting-IP'])(
    'the header %s does not change the address of the client',
    async (name) => {
      const { merchantId } = fixture.merchant({ ipAllowList: ['203.0.113.7'] });
      const request = await aRequest({ merchantNo: merchantId });
      request.headers.push([name, name === 'Forwarded' ? 'for=203.0.113.7' : '203.0.113.7']);
      expect(await send(fixture.port, request)).toMatchObject({ code: 40302 });
    },
  );
});

test('pipelined requests are answered in order, each separately', async () => {
  const [first, second] = [await aCreate(), await aCreate()];
  setHeader(second, 'X-Nonce', headerOf(first, 'X-Nonce'));
  const bytes = [first, second].map(({ headers, body }) => {
    const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    return `POST ${createPath} HTTP/1.1\r\n${lines}\r\n${body}`;
  });
  const { envelopes } = await exchange(fixture.port, [
    bytes.join('') + hidden.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'),
  ]);
  expect(envelopes.map(({ code }) => code)).toEqual([0, 40101, 0]);
});
