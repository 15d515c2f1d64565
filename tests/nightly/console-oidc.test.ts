import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, type TestContext, test, vi } from 'vitest';
import { type ProviderProcess, startProvider } from '../../packages/api/test/oidc-provider-process.ts';
import { chromiumPath, closeBrowser, openPage } from '../browser.ts';
import { barriersOf, buildConsole, desk, keepPicture } from '../console/console-page.ts';
import { type Fleet, startFleet } from '../fleet.ts';

// Signing in through an identity provider as operators do: by clicking, in a browser, with an API and a provider as processes of their own.

vi.setConfig({ testTimeout: 180_000 });
const withBrowser = test.skipIf(chromiumPath === undefined);

let fleet: Fleet;
let provider: ProviderProcess;
let origin = '';
beforeAll(async () => {
  if (chromiumPath === undefined) return;
  [fleet] = await Promise.all([startFleet(), buildConsole()]);
  // Another host than the provider's: cookies do not tell the ports of one host apart.
  origin = fleet.apiUrl.replace('127.0.0.1', 'localhost');
  provider = await startProvider(`${origin}/console/sign-in/oidc/callback`);
  await fleet.start('api', [], {
    CONSOLE_URL: origin,
    OIDC_ISSUER: provider.issuer,
    OIDC_AUDIENCE: 'console',
    OIDC_CLIENT_ID: 'console',
    OIDC_CLIENT_SECRET: provider.clientSecret,
    OIDC_SCOPES: 'openid profile',
    OIDC_JWKS_URL: `${provider.issuer}/jwks`,
  });
}, 400_000);
afterAll(async () => {
  await closeBrowser();
  await fleet?.stop();
  await provider?.stop();
});

/** A browser of its own at an address of the console. It is not signed in. */
async function openSignIn({ onTestFinished }: Pick<TestContext, 'onTestFinished'>, path = '/') {
  const opened = await openPage(desk);
  onTestFinished(() => opened.close());
  await opened.page.goto(`${origin}/console${path}`);
  return opened;
}

const withOrganisation = (page: Page) => page.getByRole('link', { name: 'Sign in with your organisation' });

/** Fills in the provider's pages. `login` names the person and their roles there: `ann:viewer+support`. */
async function signInThere(page: Page, login: string): Promise<void> {
  await page.getByPlaceholder('Enter any login').fill(login);
  await page.getByPlaceholder('and password').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

const account = (page: Page) => page.getByRole('button', { name: /^Account of id-/ });

withBrowser('a person signs in at the provider, and is sent to the list that they had requested', async (context) => {
  const { page, requests, errors } = await openSignIn(context, '/orders?statuses=FAILED');
  await withOrganisation(page).waitFor();
  // A text in the colour of its background is no barrier to axe, which takes it for hidden.
  const { color, background } = await withOrganisation(page).evaluate((link) => {
    const style = link.ownerDocument.defaultView?.getComputedStyle(link);
    return { color: style?.color, background: style?.backgroundColor };
  });
  expect(color).not.toBe(background);
  expect(await barriersOf(page)).toEqual([]);
  await keepPicture(page, 'sign in with an organisation');
  await withOrganisation(page).click();
  await signInThere(page, 'ann:viewer+support');
  await account(page).waitFor();
  expect(page.url()).toBe(`${origin}/console/orders?statuses=FAILED`);
  await page.getByText('No order matches').waitFor();
  await account(page).click();
  await page.getByText('ann', { exact: true }).waitFor();
  await page.getByText('support, viewer').or(page.getByText('viewer, support')).waitFor();

  // PKCE: the provider got the challenge, and nothing of the code or the verifier stays in the browser's sight.
  const signInUrl = new URL(requests.find((url) => url.startsWith(`${provider.issuer}/auth?`)) ?? '');
  expect(signInUrl.searchParams.get('code_challenge_method')).toBe('S256');
  expect(signInUrl.searchParams.get('code_challenge')).toMatch(/^[\w-]{43}$/);
  expect(signInUrl.searchParams.get('response_type')).toBe('code');
  expect(requests.join('\n')).not.toContain('code_verifier');
  expect(await page.evaluate('document.cookie')).toBe('');
  expect(await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })')).not.toMatch(/code|token|eyJ/);
  // The provider's own pages may complain.
  expect(errors.filter((text) => /Content Security Policy|\w+Error:/.test(text))).toEqual([]);
});

withBrowser(
  'a person without a role reads which role to ask for, and can sign in with another account',
  async (context) => {
    const { page } = await openSignIn(context, '/orders');
    await withOrganisation(page).click();
    await signInThere(page, 'carl');
    const alert = page.getByRole('alert');
    await alert.filter({ hasText: 'Your identity has no role here' }).waitFor();
    await alert.getByText('Ask an admin', { exact: false }).waitFor();
    await keepPicture(page, 'sign in without a role');
    expect(await barriersOf(page)).toEqual([]);
    // The provider still knows carl: it has to ask again who is there.
    await page.getByRole('link', { name: 'Sign in with another account' }).click();
    await signInThere(page, 'dora:support+viewer');
    await account(page).waitFor();
    expect(page.url()).toBe(`${origin}/console/orders`);
  },
);

withBrowser(
  'signing out everywhere ends the sessions of this person in all browsers, and of no one else',
  async (context) => {
    const [{ page }, { page: second }, { page: other }] = await Promise.all([
      openSignIn(context),
      openSignIn(context, '/orders'),
      openSignIn(context),
    ]);
    for (const [one, login] of [
      [page, 'eva:viewer'],
      [second, 'eva:viewer'],
      [other, 'fred:viewer'],
    ] as const) {
      await withOrganisation(one).click();
      await signInThere(one, login);
      await account(one).waitFor();
    }
    await account(page).click();
    await page.getByRole('menuitem', { name: 'Sign out everywhere' }).click();
    await withOrganisation(page).waitFor();
    // The event streams of the second browser end within five seconds, so its page notices without a click.
    await withOrganisation(second).waitFor({ timeout: 30_000 });
    expect(await second.getByRole('table').count()).toBe(0);
    await other.reload();
    await account(other).waitFor();
  },
);
