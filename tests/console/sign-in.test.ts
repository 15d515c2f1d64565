import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, type TestContext, test, vi } from 'vitest';
import { chromiumPath, closeBrowser, openPage } from '../browser.ts';
import { borrowSandbox } from '../run-services/ask-services.ts';
import type { SharedSandbox } from '../run-services/shared-sandboxes.ts';
import { addressOf, buildConsole, desk } from './console-page.ts';

// Signing in to a service that is busy: whichever request gets no answer, the console goes on by itself.

vi.setConfig({ testTimeout: 180_000 });
const withBrowser = test.skipIf(chromiumPath === undefined);

let sandbox: SharedSandbox;
beforeAll(async () => {
  if (chromiumPath === undefined) return;
  [sandbox] = await Promise.all([borrowSandbox({ merchants: [] }), buildConsole()]);
});
afterAll(closeBrowser);

/** What happens to a request in place of its answer. */
const faults: Readonly<Record<string, (route: Route) => Promise<unknown>>> = {
  'answers 503': (route) => route.fulfill({ status: 503, body: 'busy' }),
  'answers that it is not available': (route) =>
    route.fulfill({
      status: 200,
      contentType: 'application/json',
      body: JSON.stringify({ errors: [{ message: 'not available', extensions: { code: 'SERVICE_UNAVAILABLE' } }] }),
    }),
  'closes the connection': (route) => route.abort('connectionreset'),
  // The page ends it by its own limit.
  'never answers': async () => undefined,
};

/** Which requests of a sign-in fail: of those that match, these by their order. */
const requests = {
  'the request that begins the session': { path: '**/console/session', method: 'POST', of: [1] },
  'the first look at the session': { path: '**/console/session', method: 'GET', of: [1] },
  'so many looks at the session that it is reported': { path: '**/console/session', method: 'GET', of: [1, 2, 3, 4] },
  'the look at the session that has begun': { path: '**/console/session', method: 'GET', of: [3] },
  'the question who is signed in': { path: '**/graphql', method: 'POST', of: [1], query: 'Me' },
} as const;

async function signInWhile(
  { onTestFinished }: TestContext,
  request: keyof typeof requests,
  fault: string,
): Promise<{ page: Page; failed: number }> {
  const { page, close } = await openPage({ ...desk, locale: 'en-GB' });
  onTestFinished(close);
  const { path, method, of, ...rest } = requests[request];
  const query = 'query' in rest ? `"operationName":"${rest.query}"` : '';
  let seen = 0;
  let failed = 0;
  await page.route(path, async (route, asked) => {
    const isOne = asked.method() === method && (asked.postData() ?? '').includes(query);
    if (isOne) seen += 1;
    if (!isOne || !of.some((one) => one === seen)) return route.fallback();
    failed += 1;
    await faults[fault]?.(route);
  });
  await page.goto(addressOf(sandbox, '/orders'));
  await page.getByRole('button', { name: 'Support' }).click();
  await page.getByRole('navigation', { name: 'Screens' }).waitFor();
  await page.getByRole('heading', { name: 'Orders', level: 1 }).waitFor();
  return { page, failed };
}

const ofSession = Object.keys(requests).slice(0, 4) as (keyof typeof requests)[];

withBrowser.for(['answers 503', 'closes the connection'])(
  'the console signs in by itself if the service %s once, whichever request it is',
  async (fault, context) => {
    const done = await Promise.all(
      [...ofSession, 'the question who is signed in' as const].map((request) => signInWhile(context, request, fault)),
    );
    expect(done.map(({ failed }) => failed)).toEqual([1, 1, 4, 1, 1]);
  },
);

withBrowser('the console signs in by itself if the service never answers a request', async (context) => {
  const hanging = (['the request that begins the session', 'the question who is signed in'] as const).map((request) =>
    signInWhile(context, request, 'never answers'),
  );
  const refused = signInWhile(context, 'the question who is signed in', 'answers that it is not available');
  expect((await Promise.all([...hanging, refused])).map(({ failed }) => failed)).toEqual([1, 1, 1]);
});
