import { randomBytes } from 'node:crypto';
import { makeToken, revokeTokens } from '@tidegate/domain/admin';
import { tokenIdOf } from '@tidegate/domain/operators';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ask } from '../../test/api-fixture.ts';
import { type Browser, type ConsoleFixture, openBrowser, openConsoleFixture } from '../../test/console-fixture.ts';

// Signing in to the console, what the cookie is worth, and when it ends.

let fixture: ConsoleFixture;
let url: string;
beforeAll(async () => {
  fixture = await openConsoleFixture();
  url = await fixture.serveConsole();
});
afterAll(() => fixture.close());

const me = '{ me { operatorId } }';
const sql = async (text: string, values: unknown[] = []) =>
  (await fixture.domain.database.pool.query(text, values)).rows;

async function signedIn(at = url, token?: string): Promise<{ browser: Browser; token: string; operatorId: string }> {
  const own = token ?? (await fixture.letIn('viewer'));
  const browser = openBrowser(at);
  await browser.signIn(own);
  return { browser, token: own, operatorId: (await browser.session()).operator?.id ?? '' };
}

/** Whether GraphQL answers a browser. */
const isLetIn = async (browser: Browser): Promise<boolean> => (await browser.graphql(me)).status === 200;

test('a token is exchanged for a session that shows its operator and expiry, and can use GraphQL', async () => {
  const before = Date.now();
  expect(await openBrowser(url).session()).toEqual({
    signedIn: false,
    methods: { token: true, oidc: false, sandboxRoles: [] },
  });
  const { browser, operatorId, token } = await signedIn();
  const session = await browser.session();
  expect(session).toMatchObject({
    signedIn: true,
    operator: { id: operatorId, name: 'Test Operator', roles: ['viewer'] },
  });
  const hours = (Date.parse(session.expiresAt ?? '') - before) / 3_600_000;
  expect(hours).toBeGreaterThan(7.9);
  expect(hours).toBeLessThan(8.1);
  expect(Date.parse(session.idleExpiresAt ?? '')).toBeLessThan(before + 32 * 60_000);
  expect(await browser.graphql(me)).toMatchObject({ status: 200, data: { me: { operatorId } }, errors: [] });
  // Neither the token nor the session is kept.
  const kept = JSON.stringify(await sql('select * from operator_session'));
  expect(kept).not.toContain(token.slice(4));
  expect(JSON.stringify(fixture.logged)).not.toContain(token.slice(4));
});

test('the session cookie is HttpOnly and for this host only; in production it is sent over TLS only', async () => {
  const token = await fixture.letIn('viewer');
  const cookieOf = async (at: string) =>
    (await openBrowser(at).send('POST', '/console/session', { body: { token } })).headers.get('set-cookie');
  expect(await cookieOf(url)).toMatch(
    /^tidegate-console=[\w-]+; Path=\/; Max-Age=28[78]\d\d; HttpOnly; SameSite=Strict$/,
  );
  expect(await cookieOf(await fixture.serveConsole({ secure: true }))).toMatch(
    /^__Host-tidegate-console=[\w-]+; Path=\/; Max-Age=28[78]\d\d; HttpOnly; SameSite=Strict; Secure$/,
  );
});

test.each<[string, () => Promise<unknown> | unknown, number]>([
  ['an unknown token', () => ({ token: makeToken(randomBytes(32)) }), 401],
  ['no token', () => ({ token: '' }), 401],
  ['a role, outside a sandbox', () => ({ sandboxRole: 'admin' }), 401],
  ['an unknown role', () => ({ sandboxRole: 'root' }), 400],
  ['more than is needed', async () => ({ token: await fixture.letIn('viewer'), operator: 'admin' }), 400],
  ['too much', () => ({ token: 'x'.repeat(2_000) }), 413],
])('%s signs no operator in, and the answer says why in plain words', async (_what, body, status) => {
  const browser = openBrowser(url);
  const response = await browser.send('POST', '/console/session', { body: await body() });
  expect([response.status, response.headers.get('content-type')]).toEqual([status, 'text/plain; charset=utf-8']);
  expect(response.headers.get('set-cookie')).toBeNull();
  expect(await response.text()).toMatch(/^[A-Z].*\.$/);
});

test('a right token is never refused, however many wrong ones came from its address', async () => {
  const at = await fixture.serveConsole({}, { trustedProxies: 1 });
  const from = (address: string, token: string) =>
    openBrowser(at).send('POST', '/console/session', { body: { token }, headers: { 'x-forwarded-for': address } });
  const right = await fixture.letIn('viewer');
  const wrong = await Promise.all(Array.from({ length: 40 }, () => from('192.0.2.1', makeToken(randomBytes(32)))));
  expect(new Set(wrong.map(({ status }) => status))).toEqual(new Set([401]));
  expect((await from('192.0.2.1', right)).status).toBe(204);
  expect((await from('192.0.2.2', right)).status).toBe(204);
});

test('a changed cookie, a cookie sealed for another use, and a repeated cookie are refused', async () => {
  const { browser } = await signedIn();
  const { vault } = fixture.domain;
  const id = vault.open('consoleSession', '', Buffer.from(browser.cookie.split('=')[1] ?? '', 'base64url'));
  for (const cookie of [
    `${browser.cookie.slice(0, -2)}AA`,
    `tidegate-console=${vault.seal('boardSession', '', id).toString('base64url')}`,
    `tidegate-console=${vault.seal('consoleSession', '', randomBytes(32).toString('base64url')).toString('base64url')}`,
    `tidegate-console=${Buffer.from(id).toString('base64url')}`,
    'tidegate-console=',
    `${browser.cookie}; ${browser.cookie}`,
    `tidegate-console=${'A'.repeat(5_000)}`,
  ]) {
    const forged = { ...openBrowser(url), cookie };
    expect((await forged.send('POST', '/graphql', { body: { query: me }, headers: { cookie } })).status).toBe(401);
  }
  expect(await isLetIn(browser)).toBe(true);
});

test('after signing out the cookie is no longer accepted, and other browsers stay signed in', async () => {
  const { browser, token } = await signedIn();
  const { browser: other } = await signedIn(url, token);
  const replayed = browser.cookie;
  const out = await browser.send('DELETE', '/console/session');
  expect([out.status, out.headers.get('set-cookie')]).toEqual([204, expect.stringContaining('Max-Age=0')]);
  expect(browser.cookie).toBe('');
  browser.cookie = replayed;
  expect(await isLetIn(browser)).toBe(false);
  expect(await browser.session()).toMatchObject({ signedIn: false });
  expect(await isLetIn(other)).toBe(true);
});

test('signing out everywhere ends the sessions of this operator alone, in every process', async () => {
  const { browser, token } = await signedIn();
  const elsewhere = await fixture.serveConsole();
  const { browser: other } = await signedIn(elsewhere, token);
  const { browser: colleague } = await signedIn();
  expect(await isLetIn(other)).toBe(true);
  expect((await browser.send('DELETE', '/console/sessions')).status).toBe(204);
  await vi.waitFor(async () => expect(await isLetIn(other)).toBe(false), { timeout: 5_000 });
  expect(await isLetIn(colleague)).toBe(true);
  const nobody = await openBrowser(url).send('DELETE', '/console/sessions');
  expect([nobody.status, await nobody.text()]).toEqual([401, 'You are not signed in.']);
});

test('signing in and out is in the audit log, without the token and without the session id', async () => {
  const { browser, operatorId, token } = await signedIn();
  await browser.send('DELETE', '/console/session');
  await browser.signIn(token);
  await browser.send('DELETE', '/console/sessions');
  const records = await sql('select action, reason, detail from audit_record where actor = $1 order by audit_no', [
    operatorId,
  ]);
  expect(records.map(({ action }) => action)).toEqual(['signIn', 'signOut', 'signIn', 'signOutEverywhere']);
  expect(JSON.parse(records[0]?.detail)).toMatchObject({ after: { signIn: 'token', sessionId: expect.any(String) } });
  const hashes = await sql('select session_hash from operator_session');
  for (const { session_hash: hash } of hashes) expect(JSON.stringify(records)).not.toContain(hash);
});

test('an operator has twenty sessions at most: a further one ends the oldest', async () => {
  const token = await fixture.letIn('viewer');
  const browsers: Browser[] = [];
  for (let count = 0; count < 21; count += 1) browsers.push((await signedIn(url, token)).browser);
  const [first, second] = browsers as [Browser, Browser];
  await vi.waitFor(async () => expect(await isLetIn(first)).toBe(false), { timeout: 5_000 });
  expect(await isLetIn(second)).toBe(true);
});

test.each([
  ['revoked', 'update operator_token set revoked_at = clock_timestamp() where operator_id = $1'],
  ['expired', 'update operator_token set expires_at = clock_timestamp() where operator_id = $1'],
  ['of a disabled operator', 'update operator set enabled = false where operator_id = $1'],
])('a session ends within 5 s when its token is %s', async (_what, text) => {
  const { browser, operatorId } = await signedIn();
  expect(await isLetIn(browser)).toBe(true);
  const since = performance.now();
  await sql(text, [operatorId]);
  await vi.waitFor(async () => expect(await isLetIn(browser)).toBe(false), { timeout: 10_000 });
  expect(performance.now() - since).toBeLessThan(5_000);
});

test('a session ends with its token, and revoking all other tokens keeps the token in use', async () => {
  const token = await fixture.letIn('viewer');
  await sql("update operator_token set expires_at = clock_timestamp() + interval '1 hour' where token_hash like $1", [
    `${tokenIdOf(token)}%`,
  ]);
  const { browser, operatorId } = await signedIn(url, token);
  expect(Date.parse((await browser.session()).expiresAt ?? '') - Date.now()).toBeLessThanOrEqual(3_600_000);
  await revokeTokens(fixture.domain, operatorId, null, tokenIdOf(token));
  fixture.domain.operators.clearCache();
  expect(await isLetIn(browser)).toBe(true);
});

test('in a sandbox on this machine, choosing a role signs in the operator of that role', async () => {
  const sandboxTokens = { admin: await fixture.letIn('admin'), support: await fixture.letIn('support') };
  const at = await fixture.serveConsole({ sandboxTokens });
  const browser = openBrowser(at);
  expect((await browser.session()).methods.sandboxRoles).toEqual(['admin', 'support']);
  expect((await browser.send('POST', '/console/session', { body: { sandboxRole: 'support' } })).status).toBe(204);
  expect((await browser.session()).operator?.roles).toEqual(['support']);
  const missing = await browser.send('POST', '/console/session', { body: { sandboxRole: 'approver' } });
  expect(missing.status).toBe(401);
  // Behind a proxy any client could have sent it.
  const far = { headers: { 'x-forwarded-for': '192.0.2.1' } };
  expect(await (await browser.send('GET', '/console/session', far)).json()).toMatchObject({
    methods: { sandboxRoles: [] },
  });
  const refused = await openBrowser(at).send('POST', '/console/session', { body: { sandboxRole: 'admin' }, ...far });
  expect(refused.status).toBe(401);
});

test('a server without a console ignores session cookies', async () => {
  const { browser } = await signedIn();
  const { status } = await ask(fixture.url, me, {
    init: { headers: { cookie: browser.cookie, 'x-tidegate-console': '1', 'content-type': 'application/json' } },
  });
  expect(status).toBe(401);
});

test.each<[string, number, RequestInit, string]>([
  ['is not JSON', 400, { body: '{' }, 'This request cannot be read.'],
  [
    'is a form',
    415,
    { body: 'a=b', headers: { 'content-type': 'text/hush' } },
    'This form of content is not read here: send JSON.',
  ],
  ['is too large', 413, { body: JSON.stringify({ token: 'x'.repeat(2_000_000) }) }, 'This is too large.'],
])(
  'a sign-in that %s is refused with %d and a sentence, without words of a library',
  async (_what, status, init, sentence) => {
    const headers = {
      'content-type': 'application/json',
      origin: url,
      'sec-fetch-site': 'same-origin',
      'x-tidegate-console': '1',
      ...init.headers,
    };
    const response = await fetch(`${url}/console/session`, { method: 'POST', ...init, headers });
    expect([response.status, await response.text()]).toEqual([status, sentence]);
  },
);
