import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { chooseEncoding } from '@tidegate/process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Fixture, startFixture } from '../../test/rest-fixture.ts';

// Files of the documentation are sent compressed, and once.

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture.close());

interface Reply {
  status: number | undefined;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

/** The raw bytes, because fetch would decompress them. */
function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Reply> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>();
  request(`${fixture.url}${path}`, { method, headers }, (response) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('end', () => {
      resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) });
    });
  })
    .on('error', reject)
    .end();
  return promise;
}

test('the renderer is compressed to less than a third, and unpacks to the same file', async () => {
  const plain = await get('/docs/redoc.js');
  expect(plain.headers['content-encoding']).toBeUndefined();
  expect(plain.body.length).toBeGreaterThan(500_000);
  const br = await get('/docs/redoc.js', { 'accept-encoding': 'gzip, deflate, br' });
  const gzip = await get('/docs/redoc.js', { 'accept-encoding': 'gzip' });
  expect([br.headers['content-encoding'], gzip.headers['content-encoding']]).toEqual(['br', 'gzip']);
  expect(brotliDecompressSync(br.body).equals(plain.body)).toBe(true);
  expect(gunzipSync(gzip.body).equals(plain.body)).toBe(true);
  console.info(`redoc.js: ${plain.body.length} bytes, gzip ${gzip.body.length}, br ${br.body.length}`);
  for (const { body, headers } of [br, gzip]) {
    expect(body.length).toBeLessThan(plain.body.length / 3);
    expect(headers).toMatchObject({ vary: 'accept-encoding', 'content-type': 'text/javascript; charset=utf-8' });
  }
  expect(new Set([plain, br, gzip].map(({ headers }) => headers.etag)).size).toBe(3);
});

test('the docs are found with a slash at their end too', async () => {
  expect(await get('/docs/')).toMatchObject({ status: 308, headers: { location: '/docs' } });
});

test.each([
  '/docs',
  '/docs/reference',
  '/docs/search-index.js',
  '/docs/openapi.json',
  '/docs/guides/signing',
  '/docs/signing/sign.sh',
  '/docs/doctor/signature/src/doctor/diagnose.js',
])('%s is compressed, and not sent again to a client that has it', async (path) => {
  const accepting = { 'accept-encoding': 'br' };
  const first = await get(path, accepting);
  expect(first).toMatchObject({ status: 200, headers: { 'content-encoding': 'br' } });
  const etag = String(first.headers.etag);
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const again = await get(path, { ...accepting, 'if-none-match': known });
    expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, etag]);
    expect(again.headers['content-security-policy']).toBe(first.headers['content-security-policy']);
  }
  expect((await get(path, { ...accepting, 'if-none-match': '"other"' })).status).toBe(200);
  // For a cache another encoding is another file.
  expect((await get(path, { 'if-none-match': etag })).status).toBe(200);
  const head = await get(path, accepting, 'HEAD');
  expect([head.status, head.body.length, head.headers.etag]).toEqual([200, 0, etag]);
});

test('files of a page have an address with a version, and are cached forever only at that address', async () => {
  const page = (await get('/docs/reference')).body.toString();
  const addresses = [...page.matchAll(/(?:src|href)="(\/docs\/[\w-]+\.(?:js|css)(?:\?[^"]*)?)"/g)];
  expect(addresses).toHaveLength(5);
  for (const [, address = ''] of addresses) {
    expect(address).toMatch(/\?v=[\w-]{22}$/);
    const named = await get(address);
    expect([named.status, named.headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable']);
    const old = await get(address.replace(/v=.*/, 'v=aaaaaaaaaaaaaaaaaaaaaa'));
    expect([old.status, old.headers['cache-control']]).toEqual([200, 'public, max-age=3600']);
  }
});

test.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip, deflate, br, zstd', 'br'],
  ['GZIP', 'gzip'],
  ['br;q=0, gzip;q=0.5', 'gzip'],
  ['br; q=0', 'identity'],
  ['*', 'br'],
  ['*;q=0', 'identity'],
  ['identity', 'identity'],
  ['br;q=nonsense, gzip', 'gzip'],
] as const)('a request with Accept-Encoding %j gets the encoding %s', (header, expected) => {
  expect(chooseEncoding(header, { br: 1, gzip: 1, identity: 1 })).toBe(expected);
});
