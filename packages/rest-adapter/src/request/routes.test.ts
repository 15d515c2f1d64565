import { LedgerUnavailable } from '@tidegate/domain';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aBody, ask, createPath, type Fixture, queryPath, signedPost, startFixture } from '../../test/rest-fixture.ts';

let fixture: Fixture;
let crash: unknown;
beforeAll(async () => {
  fixture = await startFixture({
    domain: {
      createPayin: async () => {
        throw crash;
      },
    },
  });
});
afterAll(() => fixture.close());

test.each([
  ['GET', '/'],
  ['POST', '/nowhere'],
  ['GET', `${queryPath}/`],
  ['GET', '/API/v1/merchant/payin/query'],
  ['GET', '/%zz'],
  ['GET', `/upstream/${'x'.repeat(200)}/callback`],
  ['PURGE', '/nowhere'],
])('%s %s is not found', async (method, path) => {
  const { response, code, msg } = await ask(`${fixture.url}${path}`, { method });
  expect([response.status, code, msg]).toEqual([404, 40400, 'not found']);
});

test.each([
  ['GET', createPath, 'POST'],
  ['OPTIONS', createPath, 'POST'],
  ['PROPFIND', createPath, 'POST'],
  ['POST', queryPath, 'GET'],
  ['DELETE', '/checkout/abc', 'GET, HEAD'],
  ['GET', '/upstream/sandbox/callback', 'POST'],
  ['POST', '/.well-known/keys/IN10001.abc', 'GET, HEAD'],
  ['PUT', '/healthz', 'GET, HEAD'],
])('%s %s is not allowed, and the answer lists the allowed methods', async (method, path, allow) => {
  const { response, code, msg } = await ask(`${fixture.url}${path}`, { method });
  expect([response.status, code, msg]).toEqual([405, 40500, 'method not allowed']);
  expect(response.headers.get('allow')).toBe(allow);
});

test.each([
  [queryPath, 405],
  ['/healthz', 200],
  ['/metrics', 200],
  ['/checkout/no-such-token-at-all', 404],
])('HEAD %s gives %i and no body', async (path, status) => {
  const response = await fetch(`${fixture.url}${path}`, { method: 'HEAD' });
  expect([response.status, await response.text()]).toEqual([status, '']);
  expect(response.headers.get('x-request-id')).toBeTruthy();
});

test('a harmless X-Request-Id is returned, another one is replaced', async () => {
  const idFor = async (id: string) =>
    (await ask(`${fixture.url}/nowhere`, { headers: { 'X-Request-Id': id } })).response.headers.get('x-request-id');
  expect(await idFor('abcd-1234_XYZ')).toBe('abcd-1234_XYZ');
  for (const id of ['short', 'a b c d e f g h', 'x'.repeat(65), 'abcdefgh<script>']) {
    expect(await idFor(id)).toMatch(/^[0-9a-f-]{36}$/);
  }
});

test.each([
  ['a bug', new TypeError('secret detail'), 50000, 'internal error', 500],
  ['the ledger writer', new LedgerUnavailable('secret detail'), 50300, 'service unavailable', 503],
  [
    'a lost database',
    Object.assign(new Error('secret detail'), { code: 'ECONNREFUSED' }),
    50300,
    'service unavailable',
    503,
  ],
  ['a thrown value that is not an error', 'secret detail', 50000, 'internal error', 500],
])(
  'an internal error (%s) is hidden from the answer, and logged under the same request id',
  async (_, thrown, code, msg, status) => {
    crash = thrown;
    const answer = await ask(`${fixture.url}${createPath}`, await signedPost(fixture.merchant().merchantId, aBody()));
    expect(answer).toMatchObject({ code, msg, data: null });
    expect(answer.response.status).toBe(status);
    expect(answer.response.headers.has('retry-after')).toBe(status === 503);
    const requestId = answer.response.headers.get('x-request-id') ?? '';
    const lines = fixture.logged.filter((line) => line.includes(requestId));
    expect(lines.some((line) => /crashed|does not answer/.test(line))).toBe(true);
  },
);

test('a request is logged in one line, without its content', async () => {
  crash = new LedgerUnavailable('unavailable');
  const { merchantId } = fixture.merchant();
  const body = aBody({ remark: 'Private Words', notifyUrl: 'https://shop.example/secret-path' });
  const init = await signedPost(merchantId, body);
  const { response } = await ask(`${fixture.url}${createPath}?token=private`, init);
  const requestId = response.headers.get('x-request-id') ?? '';
  const lines = fixture.logged.filter((line) => line.includes(requestId) && line.includes('"message":"request"'));
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toEqual({
    requestId,
    method: 'POST',
    route: createPath,
    code: 50300,
    ms: expect.any(Number),
    merchantNo: merchantId,
    message: 'request',
  });
  const all = fixture.logged.join('\n');
  const { 'X-Sign': sign = 'none' } = init.headers as Record<string, string>;
  for (const secret of ['Private', 'secret-path', 'token=private', sign]) expect(all).not.toContain(secret);
});

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

test.each([
  ['/', 200],
  ['/?from=mail', 200],
  ['/nowhere', 404],
  ['/docs/guides/nowhere', 404],
  ['/%zz', 404],
])('a browser gets a page with a link to the documentation for %s', async (path, status) => {
  const response = await fetch(`${fixture.url}${path}`, { headers: { accept: BROWSER } });
  expect([response.status, response.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8']);
  expect(response.headers.get('x-request-id')).toBeTruthy();
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(await response.text()).toContain('<a href="/docs">');
});

test.each([
  ['GET', '/', '*/*'],
  ['GET', '/nowhere', 'application/json'],
  ['POST', '/nowhere', BROWSER],
  ['GET', '/api/v1/merchant/nowhere', BROWSER],
  ['GET', '/api', BROWSER],
  ['GET', '/upstream', BROWSER],
  ['GET', '/.well-known/nowhere', BROWSER],
])('%s %s with Accept %s gets the envelope', async (method, path, accept) => {
  const { response, code } = await ask(`${fixture.url}${path}`, { method, headers: { accept } });
  expect([response.status, code]).toEqual([404, 40400]);
});

test('a HEAD request of a browser gets the headers of the page', async () => {
  const response = await fetch(`${fixture.url}/nowhere`, { method: 'HEAD', headers: { accept: BROWSER } });
  expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
    404,
    'text/html; charset=utf-8',
    '',
  ]);
});
