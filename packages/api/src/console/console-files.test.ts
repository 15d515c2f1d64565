import { hash } from 'node:crypto';
import { request } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ask } from '../../test/api-fixture.ts';
import {
  appScript,
  builtFiles,
  type ConsoleFixture,
  openConsoleFixture,
  writeFile,
} from '../../test/console-fixture.ts';

let fixture: ConsoleFixture;
let url: string;
beforeAll(async () => {
  fixture = await openConsoleFixture();
  url = await fixture.serveConsole({ secure: true });
});
afterAll(() => fixture.close());

interface Reply {
  status: number | undefined;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

/** The path goes out as it is written here, and the body comes as it is on the wire. fetch would change both. */
function get(path: string, headers: Record<string, string> = {}, at = url): Promise<Reply> {
  const { hostname, port } = new URL(at);
  const { promise, resolve, reject } = Promise.withResolvers<Reply>();
  request({ hostname, port, path, headers }, (response) => {
    buffer(response).then((body) => resolve({ status: response.statusCode, headers: response.headers, body }), reject);
  })
    .on('error', reject)
    .end();
  return promise;
}
const page = builtFiles['index.html'];

test.each(['/console', '/console/', '/console/orders/PI123?filter=%7B%7D', '/console/index.html', '/console/sessions'])(
  '%s is answered with the page, which no cache may store',
  async (path) => {
    const { status, headers, body } = await get(path);
    expect([status, body.toString()]).toEqual([200, page]);
    expect(headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
  },
);

test('a file with a hash in its name is compressed and cached for a year, any other file is revalidated', async () => {
  const script = '/console/assets/app-1a2b3c4d.js';
  const plain = await get(script);
  expect(plain.body.toString()).toBe(appScript);
  expect(plain.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
  });
  const br = await get(script, { 'accept-encoding': 'gzip, br' });
  const gzip = await get(script, { 'accept-encoding': 'gzip' });
  expect([br.headers['content-encoding'], gzip.headers['content-encoding']]).toEqual(['br', 'gzip']);
  expect(brotliDecompressSync(br.body).toString()).toBe(appScript);
  expect(gunzipSync(gzip.body).toString()).toBe(appScript);
  expect(br.body.length).toBeLessThan(appScript.length / 2);
  const icon = await get('/console/favicon.svg');
  expect(icon.headers).toMatchObject({ 'content-type': 'image/svg+xml', 'cache-control': 'no-cache' });
  expect((await get('/console/favicon.svg', { 'if-none-match': String(icon.headers.etag) })).status).toBe(304);
});

test.each(['/console', '/console/assets/app-1a2b3c4d.js', '/console/assets/gone.js', '/console/session'])(
  '%s cannot be framed, and may load nothing from another origin',
  async (path) => {
    const { headers } = await get(path);
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; " +
        "base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'",
    );
    expect(headers).toMatchObject({
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    });
  },
);

test('no path leads out of the folder, and a file that is no part of a console is not served', async () => {
  const { dir } = { dir: 'package.json' };
  for (const path of [
    `/console/../${dir}`,
    `/console/assets/../../${dir}`,
    `/console/..%2f..%2f${dir}`,
    `/console/%2e%2e/%2e%2e/${dir}`,
    '/console/..%5c..%5cpackage.json',
    `/console/${encodeURIComponent(join(fixture.folder, 'notes.secret'))}`,
    '/console//etc/passwd',
    '/console/notes.secret',
    '/console/assets',
  ]) {
    const { status, body } = await get(path);
    expect([404, 200], path).toContain(status);
    if (status === 200) expect(body.toString(), path).toBe(page);
  }
  for (const path of ['/console/assets/..%2findex.html', '/console/assets/gone-00000000.js'])
    expect((await get(path)).status, path).toBe(404);
});

test('the API accepts documents of the build by hash and any other document by text, and does not serve documents.json', async () => {
  const folder = join(fixture.folder, 'documents');
  const document = `query Me { me { operatorId } } ${'#'.repeat(20_000)}`;
  const sha256Hash = hash('sha256', document);
  writeFile(join(folder, 'index.html'), '<!doctype html>');
  writeFile(join(folder, 'documents.json'), JSON.stringify({ [sha256Hash]: document }));
  const at = await fixture.serveConsole({ folder });
  expect((await get('/console/documents.json', {}, at)).body.toString()).toBe('<!doctype html>');
  const token = await fixture.letIn('viewer');
  const me = { data: { me: { operatorId: expect.any(String) } }, errors: [] };
  const send = (body: object) => ask(at, '', { token, init: { body: JSON.stringify(body) } });
  const byHash = (one: string) => ({ query: '', extensions: { persistedQuery: { version: 1, sha256Hash: one } } });
  expect(await send(byHash(sha256Hash))).toMatchObject(me);
  expect(await send({ query: '{ me { operatorId } }' })).toMatchObject(me);
  expect((await send(byHash('0'.repeat(64)))).errors[0]?.message).toBe('there is no persisted operation of this hash');
  const persistedOperations = new Map<string, string>();
  const closed = await fixture.serveConsole({ folder }, { persistedOperations });
  expect(await ask(closed, '', { token, init: { body: JSON.stringify(byHash(sha256Hash)) } })).toMatchObject(me);
  expect((await ask(closed, '{ me { operatorId } }', { token })).errors[0]?.message).toContain('only persisted');
});

test('without a build the API runs, and the console says how to build it', async () => {
  const folder = join(fixture.folder, 'later');
  const at = await fixture.serveConsole({ folder });
  expect((await get('/healthz', {}, at)).status).toBe(200);
  const { status, headers, body } = await get('/console/orders', {}, at);
  expect([status, headers['content-type']]).toEqual([404, 'text/plain; charset=utf-8']);
  expect(body.toString()).toContain('pnpm --filter @tidegate/console run build');
  // Outside production a build is seen without a restart.
  writeFile(join(folder, 'index.html'), '<!doctype html><title>built</title>');
  await vi.waitFor(async () => expect((await get('/console', {}, at)).body.toString()).toContain('built'), 5_000);
});
