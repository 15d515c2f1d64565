import { queueNames } from '@tidegate/domain';
import { revokeTokens } from '@tidegate/domain/admin';
import { sandboxUrl } from '@tidegate/queue/redis-users';
import { createTestRedis, refusedByRedis } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type ApiFixture, openApiFixture } from '../../test/api-fixture.ts';
import { type BoardQueues, openBoardQueues } from './open-board-queues.ts';
import { openSessions, sessionMs } from './session.ts';

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

let api: ApiFixture;
let board: BoardQueues;
let redisUrl: string;
let url: string;
let admin: string;
let viewer: string;
beforeAll(async () => {
  api = await openApiFixture();
  redisUrl = (await createTestRedis()).url;
  board = openBoardQueues({ redisUrl: sandboxUrl(redisUrl, 'api'), log: silent });
  url = await api.serve({ board: { queues: board, secure: false } });
  [admin, viewer] = [await api.letIn('admin'), await api.letIn('viewer')];
  await vi.waitFor(() => board.isReady() || Promise.reject(new Error('no Redis')), { timeout: 10_000 });
});
afterAll(async () => {
  await board.close();
  await api.close();
});

/** Headers of a browser on one of our pages. */
async function go(path: string, { at = url, ...init }: RequestInit & { at?: string } = {}) {
  const headers = { origin: at, accept: 'text/html', ...init.headers };
  const response = await fetch(`${at}${path}`, { redirect: 'manual', ...init, headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const signIn = (token: string, more: RequestInit & { at?: string } = {}) =>
  go('/board/sign-in', { method: 'POST', body: new URLSearchParams({ token }), ...more });

/** The cookie that a browser would send after this answer. */
async function cookieOf(token: string, at = url): Promise<string> {
  const { status, headers } = await signIn(token, { at });
  expect(status).toBe(303);
  return headers.get('set-cookie')?.split(';')[0] ?? '';
}

test('an admin is redirected to the board with changes, others to the read-only board', async () => {
  for (const [token, home] of [
    [admin, '/board/manage/'],
    [viewer, '/board/watch/'],
  ] as const) {
    const signedIn = await signIn(token);
    expect(signedIn.headers.get('location')).toBe(home);
    expect(signedIn.headers.get('set-cookie')).toMatch(
      /^tidegate-board=[\w-]+; Path=\/; Max-Age=1800; HttpOnly; SameSite=Strict$/,
    );
    const cookie = await cookieOf(token);
    expect((await go('/board', { headers: { cookie } })).headers.get('location')).toBe(home);
    const page = await go(home, { headers: { cookie } });
    expect(page).toMatchObject({ status: 200, text: expect.stringContaining('Tidegate queues') });
    // Everything that the page loads is served here.
    expect([...page.text.matchAll(/(?:href|src)="(https?:[^"]*)"/g)]).toEqual([]);
    expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    const queues = await go(`${home}api/queues`, { headers: { cookie } });
    const { queues: shown } = JSON.parse(queues.text) as { queues: { name: string; readOnlyMode: boolean }[] };
    expect(shown.map(({ name }) => name).toSorted()).toEqual([...queueNames].toSorted());
    expect(new Set(shown.map(({ readOnlyMode }) => readOnlyMode))).toEqual(new Set([token === viewer]));
  }
});

test('in production the cookie is sent over TLS only, and no other host can set it', async () => {
  const at = await api.serve({ board: { queues: board, secure: true } });
  const { headers } = await signIn(admin, { at });
  expect(headers.get('set-cookie')).toMatch(/^__Host-tidegate-board=.*; Path=\/; .*HttpOnly; SameSite=Strict; Secure$/);
  const plain = (await cookieOf(admin, at)).replace('__Host-', '');
  expect((await go('/board/manage/', { at, headers: { cookie: plain } })).status).toBe(303);
});

test.each(['/board/watch/', '/board/manage/', '/board/watch', '/board/watch/queue/submit'])(
  'a caller without a session is redirected from %s to the sign-in page',
  async (path) => {
    const { status, headers } = await go(path);
    expect([status, headers.get('location')]).toEqual([303, '/board/sign-in']);
  },
);

test('a caller without a session gets no data of the boards', async () => {
  const headers = { accept: 'application/json' };
  for (const home of ['/board/watch/', '/board/manage/'])
    for (const path of ['api/queues', 'api/redis/stats', 'api/queues/submit/1', 'static/favicon.ico'])
      expect((await go(home + path, { headers })).status, path).toBe(401);
  expect((await go('/board/manage/api/queues/pause', { method: 'PUT', headers })).status).toBe(401);
});

test.each<[string, () => Promise<string> | string, number, string]>([
  ['an unknown token', () => `tgo_${'x'.repeat(43)}`, 403, 'unknown, expired or revoked'],
  ['nothing', () => '', 403, 'unknown, expired or revoked'],
  ['a long text', () => 'x'.repeat(3_000), 400, 'at most'],
  ['who is restricted', () => api.letInRestricted({ countries: ['TH'] }, ['admin']), 403, 'restricted to a part'],
])('%s is refused with the reason', async (_who, token, status, why) => {
  const refused = await signIn(await token());
  expect(refused).toMatchObject({ status, text: expect.stringContaining(why) });
  expect(refused.headers.get('set-cookie')).toBeNull();
  expect(refused.text).not.toContain('xxx');
});

test('an operator who is no admin can change nothing on either board', async () => {
  const cookie = await cookieOf(viewer);
  for (const [home, status] of [
    ['/board/watch/', 403],
    ['/board/manage/', 403],
  ] as const)
    expect((await go(`${home}api/queues/pause`, { method: 'PUT', headers: { cookie } })).status).toBe(status);
  expect((await go('/board/manage/api/queues', { headers: { cookie } })).status).toBe(403);
  expect(await Promise.all(board.queues.map((queue) => queue.isPaused()))).not.toContain(true);
});

test('an unknown path below the board is answered 404, also for an operator', async () => {
  const cookie = await cookieOf(admin);
  for (const path of ['/board/manage/no/such/page', '/board/watch/static/nothing.js', '/board/nothing'])
    expect((await go(path, { headers: { cookie } })).status, path).toBe(404);
});

test('an admin pauses and resumes a queue, and the log names the admin', async () => {
  const cookie = await cookieOf(admin);
  const submit = board.queues.find(({ name }) => name === 'submit');
  for (const [deed, paused] of [
    ['pause', true],
    ['resume', false],
  ] as const) {
    const done = await go(`/board/manage/api/queues/submit/${deed}`, { method: 'PUT', headers: { cookie } });
    expect(done.status).toBe(200);
    expect(await submit?.isPaused()).toBe(paused);
    expect(api.logged).toContainEqual({
      level: 'info',
      message: 'an operator changes queues on the board',
      fields: expect.objectContaining({
        operatorId: expect.stringMatching(/^op-/),
        path: expect.stringContaining(deed),
      }),
    });
  }
  expect(JSON.stringify(api.logged)).not.toMatch(/tgo_|tidegate-board/);
});

test.each<[string, Record<string, string>]>([
  ['another site', { origin: 'https://evil.example' }],
  ['another site that hides', { origin: 'null' }],
  ['the browser reports another site', { 'sec-fetch-site': 'cross-site' }],
  ['the browser reports another host of the same domain', { 'sec-fetch-site': 'same-site' }],
])('a page of %s can neither change queues nor sign in', async (_whose, headers) => {
  const cookie = await cookieOf(admin);
  const path = '/board/manage/api/queues/submit/pause';
  expect((await go(path, { method: 'PUT', headers: { cookie, ...headers } })).status).toBe(403);
  const signedIn = await signIn(viewer, { headers });
  expect([signedIn.status, signedIn.headers.get('set-cookie')]).toEqual([403, null]);
});

test('a session ends with its token', async () => {
  const token = await api.letIn('admin');
  const cookie = await cookieOf(token);
  expect((await go('/board/manage/', { headers: { cookie } })).status).toBe(200);
  const { rows } = await api.domain.database.pool.query(
    'select operator_id as "operatorId" from operator_token order by created_at desc limit 1',
  );
  await revokeTokens(api.domain, rows[0].operatorId, null, null);
  await vi.waitFor(async () => expect((await go('/board/manage/', { headers: { cookie } })).status).toBe(303), 5_000);
});

test('the board asks Redis for nothing that its user may not do', async () => {
  const cookie = await cookieOf(admin);
  const pages = ['queues?activeQueue=submit&page=1&jobsPerPage=10', 'redis/stats', 'queues/submit/workers'];
  for (const page of pages) await go(`/board/manage/api/${page}`, { headers: { cookie } });
  for (const change of ['pause', 'resume', 'clean/completed', 'retry/failed'])
    await go(`/board/manage/api/queues/submit/${change}`, { method: 'PUT', headers: { cookie } });
  expect(await refusedByRedis(redisUrl)).toEqual([]);
});

test('a session ends after half an hour, and by signing out', async () => {
  let now = 0;
  const sessions = openSessions(api.domain.vault, false, () => now);
  const cookie = sessions.begin('a token').split(';')[0];
  now = sessionMs - 1;
  expect(sessions.tokenIn(`other=1; ${cookie}`)).toBe('a token');
  now = sessionMs;
  expect(sessions.tokenIn(cookie)).toBeNull();
  expect((await go('/board/sign-out')).headers.get('set-cookie')).toMatch(/^tidegate-board=; Path=\/; Max-Age=0;/);
});

test('a changed, foreign or duplicate cookie is ignored', async () => {
  const cookie = await cookieOf(admin);
  const { vault } = api.domain;
  const [, value = ''] = cookie.split('=');
  const forged = [
    `tidegate-board=${value.slice(0, -2)}AA`,
    `tidegate-board=${Buffer.from(JSON.stringify({ token: admin, until: Date.now() * 2 })).toString('base64url')}`,
    `tidegate-board=${vault.seal('consoleSession', '', JSON.stringify({ token: admin, until: Date.now() * 2 })).toString('base64url')}`,
    'tidegate-board=',
    `${cookie}; ${cookie}`,
    `tidegate-board=${'A'.repeat(5_000)}`,
  ];
  for (const headers of forged.map((one) => ({ cookie: one })))
    expect((await go('/board/manage/', { headers })).status).toBe(303);
});

test('while Redis is unavailable the board reports it at once', async () => {
  const nowhere = openBoardQueues({ redisUrl: 'redis://127.0.0.1:1', log: silent });
  const at = await api.serve({ board: { queues: nowhere, secure: false } });
  const cookie = await cookieOf(admin, at);
  expect((await go('/board/manage/api/queues', { at, headers: { cookie } })).status).toBe(503);
  await nowhere.close();
});

test('while the identity provider is unavailable its tokens are refused, and only the log has the reason', async () => {
  let isAway = false;
  const operatorOfJwt = async () => {
    if (isAway) throw new Error('hush: 10.0.0.7 does not answer');
    return {
      operatorId: 'jo',
      roles: ['admin' as const],
      countries: null,
      merchantIds: null,
      tokenId: null,
      signIn: 'oidc' as const,
    };
  };
  const at = await api.serve({ board: { queues: board, secure: false }, operatorOfJwt });
  const cookie = await cookieOf('a.b.c', at);
  expect((await go('/board/manage/', { at, headers: { cookie } })).status).toBe(200);
  isAway = true;
  const answers = [
    await signIn('a.b.c', { at }),
    await go('/board', { at, headers: { cookie } }),
    await go('/board/manage/api/queues', { at, headers: { cookie } }),
  ];
  for (const { status, text } of answers) {
    expect(status).toBe(503);
    expect(text).not.toContain('hush');
  }
  expect(JSON.stringify(api.logged)).toContain('cannot be looked up');
});

test('unreadable requests are refused, and GraphQL does not accept the cookie', async () => {
  const cookie = await cookieOf(admin);
  const headers = { cookie, 'content-type': 'application/json' };
  const broken = { method: 'PUT', headers, body: '{' };
  expect((await go('/board/manage/api/queues/submit/concurrency', broken)).status).toBe(400);
  const response = await go('/graphql', {
    method: 'POST',
    headers,
    body: '{"query":"{ orders { edges { cursor } } }"}',
  });
  expect(JSON.parse(response.text)).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] });
});

test('an error of a library is logged, and answered in words', async () => {
  const cookie = await cookieOf(admin);
  const [queue] = board.queues;
  const broken = vi.spyOn(queue as object as { getJobCounts(): Promise<object> }, 'getJobCounts');
  broken.mockRejectedValue(new Error('hush: WRONGTYPE Operation against a key'));
  const { status, text } = await go('/board/manage/api/queues', { headers: { cookie } });
  broken.mockRestore();
  expect(status).toBe(500);
  expect(JSON.parse(text)).toMatchObject({ errors: [{ message: 'internal server error' }] });
  expect(text).not.toContain('hush');
  expect(JSON.stringify(api.logged)).toContain('hush');
});

test('without settings there is no board', async () => {
  expect((await go('/board/sign-in', { at: api.url })).status).toBe(404);
});
