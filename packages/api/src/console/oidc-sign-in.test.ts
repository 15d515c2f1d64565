import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Browser, type ConsoleFixture, openBrowser, openConsoleFixture } from '../../test/console-fixture.ts';
import {
  openTraveller,
  type ProviderProcess,
  startProvider,
  type Traveller,
} from '../../test/oidc-provider-process.ts';
import type { OidcClientSettings } from './oidc-client.ts';

// Signing in through a real identity provider, and what is tried against it.

const origin = 'https://ops.test';
const callback = `${origin}/console/sign-in/oidc/callback`;

let fixture: ConsoleFixture;
let provider: ProviderProcess;
let settings: OidcClientSettings;
let url: string;
beforeAll(async () => {
  // One after the other, so that each is closed if the next one fails.
  provider = await startProvider(callback);
  fixture = await openConsoleFixture();
  settings = {
    issuer: provider.issuer,
    clientId: 'console',
    clientSecret: provider.clientSecret,
    scopes: 'openid profile',
    rolesClaim: 'roles',
  };
  url = await fixture.serveConsole({ origin, secure: true, provider: settings });
});
afterAll(async () => {
  await provider?.stop();
  await fixture?.close();
});

const sql = async (text: string, values: unknown[] = []) =>
  (await fixture.domain.database.pool.query(text, values)).rows;

/** The console's pages in the browser of a user who came back from the provider. */
function browserOf({ cookies }: Traveller): Browser {
  const browser = openBrowser(url);
  browser.cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  return browser;
}

async function signIn(login: string, returnTo?: string): Promise<{ traveller: Traveller; browser: Browser }> {
  const traveller = openTraveller(origin, url);
  await traveller.open(await traveller.travel(login, returnTo));
  return { traveller, browser: browserOf(traveller) };
}

const isLetIn = async (browser: Browser): Promise<boolean> =>
  (await browser.graphql('{ me { operatorId } }')).status === 200;

/** The page for a user who is not signed in. */
const refusedWith = (problem: string) => expect.stringMatching(new RegExp(`^/console/sign-in\\?problem=${problem}`));

test('a person known to the provider is signed in with the roles from the provider, and sent to the requested page', async () => {
  expect((await openBrowser(url).session()).methods.oidc).toBe(true);
  const traveller = openTraveller(origin, url);
  const back = await traveller.travel('ann:viewer+support+painter', '/console/orders?status=FAILED');
  expect(back.startsWith(`${callback}?`)).toBe(true);
  const done = await traveller.open(back);
  expect([done.status, done.location]).toEqual([303, '/console/orders?status=FAILED']);
  expect([...traveller.cookies.keys()]).toEqual(['__Host-tidegate-console']);
  expect(done.cookies).toContainEqual(expect.stringMatching(/Path=\/; .*HttpOnly; SameSite=Strict; Secure$/));
  const browser = browserOf(traveller);
  const { operator } = await browser.session();
  expect(operator).toMatchObject({ id: expect.stringMatching(/^id-[0-9a-f]{24}$/), name: 'ann' });
  expect(operator?.roles).toEqual(['viewer', 'support']);
  expect(await isLetIn(browser)).toBe(true);
  const records = await sql('select action, detail from audit_record where actor = $1', [operator?.id]);
  expect(records).toEqual([{ action: 'signIn', detail: expect.stringContaining('"oidc"') }]);
});

test.each([
  ['https://evil.example/console/', '/console/'],
  ['//evil.example/console/', '/console/'],
  ['/\\evil.example', '/console/'],
  ['/console/..//evil.example', '/console/'],
  ['/graphql', '/console/'],
  ['/consoles', '/console/'],
  ['/console/cases?kind=LATE#top', '/console/cases?kind=LATE#top'],
])('returnTo=%s leads to %s', async (returnTo, location) => {
  const traveller = openTraveller(origin, url);
  expect((await traveller.open(await traveller.travel('ann:viewer', returnTo))).location).toBe(location);
});

test.each(['hostile-audience', 'hostile-issuer', 'hostile-key', 'hostile-expired'])(
  'an ID token is refused: %s',
  async (how) => {
    const traveller = openTraveller(origin, url);
    const done = await traveller.open(await traveller.travel(`${how}:admin`));
    expect(done.location).toEqual(refusedWith('refused'));
    expect([...traveller.cookies.keys()]).toEqual([]);
    expect(await sql('select from operator where name = $1', [how])).toEqual([]);
  },
);

test('an ID token with a nonce of an earlier sign-in is refused', async () => {
  expect((await (await signIn('hostile-nonce:viewer')).browser.session()).signedIn).toBe(true);
  const traveller = openTraveller(origin, url);
  const done = await traveller.open(await traveller.travel('hostile-nonce:viewer'));
  expect(done.location).toEqual(refusedWith('refused'));
});

test('a changed state, an answer in another browser and a repeated answer do not sign in', async () => {
  const traveller = openTraveller(origin, url);
  const back = await traveller.travel('ann:viewer', '/console/orders');
  const other = openTraveller(origin, url);
  expect((await other.open(back)).location).toEqual(refusedWith('outdated'));
  const changed = new URL(back);
  changed.searchParams.set('state', 'another');
  const { cookies } = traveller;
  const kept = new Map(cookies);
  expect((await traveller.open(changed.href)).location).toBe('/console/sign-in?problem=outdated&returnTo=%2Forders');
  for (const [name, value] of kept) cookies.set(name, value);
  expect((await traveller.open(back)).location).toBe('/console/orders');
  // The same code with the same cookies, as an attacker could send who copied both.
  for (const [name, value] of kept) cookies.set(name, value);
  expect((await traveller.open(back)).location).toEqual(refusedWith('refused'));
});

test('a person who declines, has no role or is disabled is sent back to the sign-in page with the reason', async () => {
  const cancelled = openTraveller(origin, url);
  const back = new URL(await cancelled.travel('ann:viewer'));
  back.searchParams.delete('code');
  back.searchParams.set('error', 'access_denied');
  expect((await cancelled.open(back.href)).location).toEqual(refusedWith('cancelled'));
  for (const login of ['nobody', 'painter:painter']) {
    const traveller = openTraveller(origin, url);
    expect((await traveller.open(await traveller.travel(login))).location).toEqual(refusedWith('no-access'));
  }
  const { browser } = await signIn('ben:viewer');
  await sql('update operator set enabled = false where operator_id = $1', [(await browser.session()).operator?.id]);
  const again = openTraveller(origin, url);
  expect((await again.open(await again.travel('ben:viewer'))).location).toEqual(refusedWith('no-access'));
});

test.each([
  ['is unlinked', 'update operator set external_id = null where operator_id = $1'],
  ['belongs to another operator', "update operator set external_id = external_id || '-2' where operator_id = $1"],
  ['has no role any more', "update operator set identity_roles = '{}' where operator_id = $1"],
  ['is of a disabled operator', 'update operator set enabled = false where operator_id = $1'],
])('a session ends within 5 s when its identity %s', async (what, text) => {
  const { browser } = await signIn(`ends-${what.replaceAll(' ', '-')}:viewer`);
  expect(await isLetIn(browser)).toBe(true);
  const since = performance.now();
  await sql(text, [(await browser.session()).operator?.id]);
  await vi.waitFor(async () => expect(await isLetIn(browser)).toBe(false), { timeout: 10_000 });
  expect(performance.now() - since).toBeLessThan(5_000);
});

test('while the provider is unavailable its sign-in shows the reason, and sign-in by token still works', async () => {
  const away = { ...settings, issuer: 'http://127.0.0.1:1' };
  const at = await fixture.serveConsole({ origin, provider: away });
  const { location } = await openTraveller(origin, at).open(`${origin}/console/sign-in/oidc?returnTo=/console/cases`);
  expect(location).toBe('/console/sign-in?problem=unavailable&returnTo=%2Fcases');
  const browser = openBrowser(at);
  await browser.signIn(await fixture.letIn('viewer'));
  expect(await isLetIn(browser)).toBe(true);
});

test('a request to use another account makes the provider ask for a login again', async () => {
  const { traveller } = await signIn('carl:viewer');
  const promptOf = async (query: string) => {
    const { location } = await traveller.open(`${origin}/console/sign-in/oidc${query}`);
    return new URL(location ?? '').searchParams.get('prompt');
  };
  expect(await promptOf('?another=1')).toBe('login');
  expect(await promptOf('')).toBeNull();
});

test('no log names a person, a code or a token', async () => {
  const logged = JSON.stringify(fixture.logged);
  expect(logged).toContain('a sign-in through the identity provider failed');
  expect(logged).not.toMatch(/hostile-audience|painter|eyJ|code=/);
});
