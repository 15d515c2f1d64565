import type { Page, Route } from 'playwright-core';
import type { TestContext } from 'vitest';
import { openPage } from '../browser.ts';
import type { SharedSandbox } from '../run-services/shared-sandboxes.ts';
import { addressOf, desk } from './console-page.ts';

/** What happens to a request in place of its answer. */
const faults = {
  'answers 503': (route: Route) => route.fulfill({ status: 503, body: 'busy' }),
  'answers that it is not available': (route: Route) =>
    route.fulfill({
      status: 200,
      contentType: 'application/json',
      body: JSON.stringify({ errors: [{ message: 'not available', extensions: { code: 'SERVICE_UNAVAILABLE' } }] }),
    }),
  'closes the connection': (route: Route) => route.abort('connectionreset'),
  // The page ends it by its own limit.
  'never answers': async () => undefined,
} satisfies Readonly<Record<string, (route: Route) => Promise<unknown>>>;

type Fault = keyof typeof faults;

interface Wanted {
  path: string;
  method: string;
  /** Which of those that match, by their order. */
  of: readonly number[];
  /** A part of the body. */
  query?: string;
}

/** Requests of a sign-in that can fail. */
const requests = {
  'the request that begins the session': { path: '**/console/session', method: 'POST', of: [1] },
  'the first look at the session': { path: '**/console/session', method: 'GET', of: [1] },
  'so many looks at the session that it is reported': { path: '**/console/session', method: 'GET', of: [1, 2, 3, 4] },
  'the look at the session that has begun': { path: '**/console/session', method: 'GET', of: [3] },
  'the question who is signed in': { path: '**/graphql', method: 'POST', of: [1], query: '"operationName":"Me"' },
} as const satisfies Record<string, Wanted>;

export type FailingRequest = keyof typeof requests;

/** Requests of which one fails once in the same sign-in. */
export const onceEach = [
  'the request that begins the session',
  'the first look at the session',
  'the look at the session that has begun',
  'the question who is signed in',
] as const satisfies readonly FailingRequest[];

/**
 * Signs in on a new page while the service does not answer these requests. Resolves with the number of requests that
 * failed, once the list of orders is there.
 */
export async function signInWhile(
  { onTestFinished }: TestContext,
  sandbox: SharedSandbox,
  failing: readonly FailingRequest[],
  fault: Fault,
): Promise<number> {
  const { page, close } = await openPage({ ...desk, locale: 'en-GB' });
  onTestFinished(close);
  let failed = 0;
  for (const name of failing)
    await failRequest(page, requests[name], async (route: Route) => {
      failed += 1;
      await faults[fault](route);
    });
  await page.goto(addressOf(sandbox, '/orders'));
  await page.getByRole('button', { name: 'Support' }).click();
  await page.getByRole('navigation', { name: 'Screens' }).waitFor();
  await page.getByRole('heading', { name: 'Orders', level: 1 }).waitFor();
  return failed;
}

async function failRequest(
  page: Page,
  { path, method, of, query = '' }: Wanted,
  fail: (route: Route) => Promise<void>,
): Promise<void> {
  let seen = 0;
  await page.route(path, async (route, asked) => {
    const isOne = asked.method() === method && (asked.postData() ?? '').includes(query);
    if (isOne) seen += 1;
    if (isOne && of.includes(seen)) await fail(route);
    else await route.fallback();
  });
}
