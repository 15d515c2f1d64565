import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Browser, type ConsoleFixture, openBrowser, openConsoleFixture } from '../../test/console-fixture.ts';

// What a page of another site could make an operator's browser send.

let fixture: ConsoleFixture;
let url: string;
let token: string;
let browser: Browser;
beforeAll(async () => {
  fixture = await openConsoleFixture();
  url = await fixture.serveConsole();
  token = await fixture.letIn('admin');
  browser = openBrowser(url);
  await browser.signIn(token);
});
afterAll(() => fixture.close());

const query = '{ me { operatorId } }';

const foreign: [string, Record<string, string>][] = [
  ['without the header of the console', { 'x-tidegate-console': '' }],
  ['with another value of this header', { 'x-tidegate-console': 'true' }],
  ['another origin', { origin: 'https://evil.example' }],
  ['an opaque origin', { origin: 'null' }],
  ['another port of this host', { origin: 'http://127.0.0.1:1' }],
  ['the browser reports another site', { 'sec-fetch-site': 'cross-site' }],
  ['the browser reports another host of the same domain', { 'sec-fetch-site': 'same-site' }],
];

test.each(foreign)('%s: GraphQL refuses the cookie', async (_what, headers) => {
  const { status, errors } = await browser.graphql(query, headers);
  expect([status, errors[0]?.extensions.code]).toEqual([403, 'FORBIDDEN']);
});

test.each(foreign)('%s: no operator is signed in or out', async (_what, headers) => {
  const signIn = await openBrowser(url).send('POST', '/console/session', { body: { token }, headers });
  expect([signIn.status, signIn.headers.get('set-cookie')]).toEqual([403, null]);
  for (const path of ['/console/session', '/console/sessions'])
    expect((await browser.send('DELETE', path, { headers })).status).toBe(403);
  expect((await browser.session()).signedIn).toBe(true);
});

test('a form of another site cannot sign an operator in, with any content type', async () => {
  const forms: RequestInit[] = [
    { body: new URLSearchParams({ token }) },
    { body: JSON.stringify({ token }), headers: { 'content-type': 'text/plain' } },
  ];
  for (const { body, headers } of forms) {
    const plain = await fetch(`${url}/console/session`, {
      method: 'POST',
      body: body ?? null,
      ...(headers && { headers }),
    });
    expect(plain.status).toBe(403);
    const withHeader = { ...(headers as Record<string, string>), 'x-tidegate-console': '1' };
    expect(
      (await fetch(`${url}/console/session`, { method: 'POST', body: body ?? null, headers: withHeader })).status,
    ).toBe(415);
  }
});

test('pages of the console are accepted at the host of the request, or at the configured one', async () => {
  const own = { origin: url, 'sec-fetch-site': 'same-origin' };
  expect((await browser.graphql(query, own)).status).toBe(200);
  const at = await fixture.serveConsole({ origin: 'https://ops.example.com' });
  const other = openBrowser(at);
  await other.signIn(token);
  expect((await other.graphql(query, { origin: 'https://ops.example.com' })).status).toBe(200);
  expect((await other.graphql(query, { origin: at })).status).toBe(403);
});

test('a request with a cookie and a token is refused, and no page of another site may read an answer', async () => {
  const both = await browser.graphql(query, { authorization: `Bearer ${token}` });
  expect([both.status, both.errors[0]?.message]).toEqual([400, 'send a token or the cookie of the console, not both']);
  const signIn = await browser.send('POST', '/console/session', {
    body: { token },
    headers: { authorization: `Bearer ${token}` },
  });
  expect(signIn.status).toBe(400);
  const { headers } = await browser.send('GET', '/console/session', { headers: { origin: 'https://evil.example' } });
  expect(headers.get('access-control-allow-origin')).toBeNull();
  expect(headers.get('cache-control')).toBe('no-store');
});
