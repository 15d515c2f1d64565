import { takeKeyPair } from '@tidegate/domain/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exchange } from '../test/raw-exchange.ts';
import { aRequest, dropHeader, headerOf, type RawRequest, readReply, send, setHeader } from '../test/raw-request.ts';
import { aBody, createPath, type Fixture, publicPem, queryPath, startFixture } from '../test/rest-fixture.ts';

const now = 1_790_000_000;
const neighbour = takeKeyPair();

let fixture: Fixture;
let merchantNo: string;
beforeAll(async () => {
  fixture = await startFixture({ environment: 'production', clock: () => now * 1000 + 999 });
  merchantNo = fixture.merchant().merchantId;
  const keys = [{ keyId: 'n', publicKeyPem: publicPem(neighbour.publicKey), expiresAt: null }];
  fixture.merchant({ merchantId: 'NEIGHBOUR', keys });
});
afterAll(() => fixture.close());

const aCreate = (timestamp = String(now)) => aRequest({ merchantNo, timestamp });
const aQuery = (query = 'merchantOrderNo=M-1') =>
  aRequest({ merchantNo, query, path: queryPath, timestamp: String(now) });

describe('a repeated request is refused by every server', () => {
  const replays: [name: string, code: number, bend: (request: RawRequest) => void][] = [
    ['as it was', 40103, () => undefined],
    ['to another operation', 40103, (r) => Object.assign(r, { target: r.target.replace('payin', 'payout') })],
    ['with its headers in another order', 40103, (r) => Object.assign(r, { headers: r.headers.toReversed() })],
    ['with a query in the address', 40103, (r) => Object.assign(r, { target: `${r.target}?again=1` })],
    ['with blanks added to the body', 40103, (r) => blanks(r)],
    ['under another nonce', 40101, (r) => setHeader(r, 'X-Nonce', `${headerOf(r, 'X-Nonce')}0`)],
    ['under its nonce in capitals', 40101, (r) => setHeader(r, 'X-Nonce', headerOf(r, 'X-Nonce').toUpperCase())],
    ['a second later', 40101, (r) => setHeader(r, 'X-Timestamp', String(now + 1))],
    ["under another merchant's number", 40101, (r) => setHeader(r, 'X-Merchant-No', 'NEIGHBOUR')],
    ['under an unknown number', 40101, (r) => setHeader(r, 'X-Merchant-No', 'NOBODY')],
    ['by another method', 40500, (r) => Object.assign(r, { method: 'PUT' })],
  ];
  const blanks = (request: RawRequest): void => {
    request.body = Buffer.from(request.body.toString().replaceAll(',', ' ,\n\t'));
    setHeader(request, 'Content-Length', String(request.body.length));
  };
  test.each(replays)('a repeated request %s is answered with %i', async (_, code, bend) => {
    const request = await aCreate();
    expect(await send(fixture.port, request)).toMatchObject({ code: 0 });
    bend(request);
    expect(await send(fixture.port, request)).toMatchObject({ code, data: null });
  });

  test('the signature of a POST is refused for a query, and the other way round', async () => {
    const post = await aRequest({ merchantNo, body: '{"merchantOrderNo":"M-1"}', timestamp: String(now) });
    const get = { ...structuredClone({ ...post, body: '' }), method: 'GET', body: Buffer.alloc(0) };
    Object.assign(get, { target: `${queryPath}?merchantOrderNo=M-1` });
    dropHeader(get, 'Content-Length');
    expect(await send(fixture.port, get)).toMatchObject({ code: 0 });
    expect(await send(fixture.port, post)).toMatchObject({ code: 40103 });
  });

  const queries: [name: string, code: number, query: string][] = [
    ['as it was', 40103, 'merchantOrderNo=M-1'],
    ['percent-encoded', 40103, 'merchantOrderN%6f=%4d%2D1'],
    ['with an empty parameter', 40103, '&merchantOrderNo=M-1&page='],
    ['of another order', 40101, 'merchantOrderNo=M-2'],
    ['by the other number', 40101, 'orderNo=M-1'],
    ['with a parameter more', 40101, 'merchantOrderNo=M-1&page=1'],
    ['without its parameter', 40101, ''],
  ];
  test.each(queries)('a repeated query %s is answered with %i', async (_, code, query) => {
    const request = await aQuery();
    expect(await send(fixture.port, request)).toMatchObject({ code: 0 });
    expect(await send(fixture.port, { ...request, target: `${queryPath}?${query}` })).toMatchObject({ code });
  });
});

describe('the timestamp', () => {
  test.each([
    [-301, 40102],
    [-300, 0],
    [-299, 0],
    [299, 0],
    [300, 0],
    [301, 40102],
    [-now, 40102],
    [9_999_999_999 - now, 40102],
  ])('a timestamp %i seconds from the clock is answered with %i', async (offset, code) => {
    expect(await send(fixture.port, await aCreate(String(now + offset).padStart(10, '0')))).toMatchObject({ code });
  });

  test.each([
    ['milliseconds', `${now}000`],
    ['microseconds', `${now}000000`],
    ['a fraction', `${now}.5`],
    ['nine digits', '179000000'],
    ['a zero in front', `0${now}`],
    ['a plus', '+790000000'],
    ['a minus', '-790000000'],
    ['a power of ten', '1.790e9000'],
    ['hexadecimal', '0x6AB13B80'],
    ['a separator', '1790_00000'],
    ['a date', '2026-09-21'],
    ['full-width digits', Buffer.from('１７９０００００００').toString('latin1')],
    ['two timestamps', `${now},${now}`],
    ['nothing', ''],
  ])('a text in the form of %s is not a timestamp', async (_, timestamp) => {
    const request = await aCreate();
    setHeader(request, 'X-Timestamp', timestamp);
    const reply = await send(fixture.port, request);
    expect([reply.status, reply.code]).toEqual([401, 40100]);
    expect(reply.msg).toMatch(/^missing header: X-Timestamp/);
  });
});

const four = ['X-Merchant-No', 'X-Timestamp', 'X-Nonce', 'X-Sign'] as const;

describe('each of the four headers', () => {
  const bends: [name: string, code: number, msg: RegExp, bend: (request: RawRequest, name: string) => void][] = [
    ['twice, the same', 40100, /^missing header: NAME must be/, (r, name) => r.headers.push([name, headerOf(r, name)])],
    [
      'twice, the second in lower-case letters',
      40100,
      /NAME/,
      (r, n) => r.headers.push([n.toLowerCase(), headerOf(r, n)]),
    ],
    ['with an empty one before it', 40100, /NAME/, (r, name) => r.headers.unshift([name, ''])],
    ['with another one before it', 40100, /NAME/, (r, name) => r.headers.unshift([name, 'AAAAAAAAAA'])],
    ['absent', 40100, /^missing header: NAME$/, dropHeader],
    ['empty', 40100, /^missing header: NAME$/, (r, name) => setHeader(r, name, '')],
    ['blank', 40100, /^missing header: NAME$/, (r, name) => setHeader(r, name, ' \t ')],
    ['with underscores', 40100, /^missing header: NAME$/, (r, name) => rename(r, name, name.replaceAll('-', '_'))],
    ['in the query only', 40100, /^missing header: NAME$/, (r, name) => intoQuery(r, name)],
    ['with a blank before its colon', 40000, /not an HTTP request/, (r, name) => rename(r, name, `${name} `)],
    ['with a NUL in it', 40000, /not an HTTP request/, (r, name) => setHeader(r, name, `${headerOf(r, name)}\0`)],
    ['with a line feed in it', 40000, /not an HTTP request/, (r, name) => setHeader(r, name, `\n${headerOf(r, name)}`)],
    ['in capitals', 0, /^success$/, (r, name) => rename(r, name, name.toUpperCase())],
    ['in lower-case letters', 0, /^success$/, (r, name) => rename(r, name, name.toLowerCase())],
    ['between blanks and tabs', 0, /^success$/, (r, name) => setHeader(r, name, `\t  ${headerOf(r, name)} \t`)],
  ];
  const rename = (request: RawRequest, name: string, other: string): void => {
    for (const header of request.headers) if (header[0] === name) header[0] = other;
  };
  const intoQuery = (request: RawRequest, name: string): void => {
    request.target = `${createPath}?${name}=${encodeURIComponent(headerOf(request, name))}`;
    dropHeader(request, name);
  };
  test.each(bends.flatMap(([what, ...bend]) => four.map((name) => [what, name, ...bend] as const)))(
    '%s is refused: %s',
    async (_, name, code, msg, bend) => {
      const request = await aCreate();
      bend(request, name);
      const reply = await send(fixture.port, request);
      expect(reply.code).toBe(code);
      expect(reply.msg).toMatch(new RegExp(msg.source.replace('NAME', name)));
      expect(reply.answers).toBe(1);
    },
  );

  test.each(four)('the header %s is ignored as a trailer after the body', async (name) => {
    const request = await aCreate();
    const trailer = `${name}: ${headerOf(request, name)}`;
    dropHeader(request, name);
    dropHeader(request, 'Content-Length');
    request.headers.push(['Transfer-Encoding', 'chunked'], ['Trailer', name]);
    const size = request.body.length.toString(16);
    request.body = Buffer.from(`${size}\r\n${request.body}\r\n0\r\n${trailer}\r\n\r\n`);
    expect(await send(fixture.port, request)).toMatchObject({ code: 40100, msg: `missing header: ${name}` });
  });

  test.each(four)('the header %s that is continued in the next line is not read as two headers', async (name) => {
    const request = await aCreate();
    const value = headerOf(request, name);
    setHeader(request, name, `${value.slice(0, 4)}\r\n ${value.slice(4)}`);
    expect([40000, 40100]).toContain((await send(fixture.port, request)).code);
  });
});

test.each([
  ['in lower-case letters', (number: string) => number.toLowerCase()],
  ['with a letter of another alphabet that looks alike', (number: string) => `\xd0\xa1${number.slice(1)}`],
  ['with a blank inside', (number: string) => number.replace('-', ' ')],
  ['with an escape', (number: string) => number.replace('-', '%2D')],
  ['with a wildcard', (number: string) => `${number.slice(0, -1)}*`],
  ['with a quote', (number: string) => `${number}'--`],
  ['33 characters long', () => 'A'.repeat(33)],
  ['with itself twice in one header', (number: string) => `${number},${number}`],
])('a merchant number %s is refused as malformed, without a look-up', async (_, spell) => {
  const request = await aCreate();
  setHeader(request, 'X-Merchant-No', spell(merchantNo));
  expect(await send(fixture.port, request)).toMatchObject({ status: 401, code: 40100 });
});

test.each([
  ['7 characters', 'abcdefg'],
  ['65 characters', 'a'.repeat(65)],
  ['a dot', 'nonce.0001'],
  ['an asterisk', 'nonce*0001'],
  ['a colon', 'nonce:0001'],
  ['a blank', 'nonce 0001'],
  ['a letter of another alphabet', 'nonc\xe9-0001'],
])('a nonce with %s is refused as malformed', async (_, nonce) => {
  const request = await aCreate();
  setHeader(request, 'X-Nonce', nonce);
  const reply = await send(fixture.port, request);
  expect([reply.status, reply.code]).toEqual([401, 40100]);
  expect(reply.msg).toMatch(/^missing header: X-Nonce must be/);
});

test('an incomplete request does not change the meaning of another request', async () => {
  const request = await aCreate();
  const lines = request.headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const head = `POST ${createPath} HTTP/1.1\r\n${lines}Connection: close\r\n\r\n`;
  const steps = [head.slice(0, 60), 20, head.slice(60), 20, aBody().slice(0, 10), 20, aBody().slice(10)];
  expect(readReply(await exchange(fixture.port, steps))).toMatchObject({ code: 0, answers: 1 });
});
