import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import axe from 'axe-core';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, type TestContext } from 'vitest';
import { ensureConsole } from '../../scripts/console.mjs';
import { merchantClient } from '../../tools/sandbox/src/demo/merchant-client.ts';
import { askAsOperator } from '../../tools/sandbox/src/demo/operator-client.ts';
import type { SandboxFile } from '../../tools/sandbox/src/sandbox-file.ts';
import { waitUntil } from '../../tools/sandbox/src/wait-until.ts';
import { type OpenPage, openPage } from '../browser.ts';
import { payinRequest } from '../payin-requests.ts';
import type { SharedSandbox } from '../run-services/shared-sandboxes.ts';

// What every test of the operators' console needs: a page that is signed in, orders, barriers, pictures.

/** How each screen looked, and what the tasks of a day took, is kept here. */
export const reportFolder = fileURLToPath(new URL('../../test-output/console', import.meta.url));

export const phone: BrowserContextOptions = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
export const desk: BrowserContextOptions = { viewport: { width: 1280, height: 860 } };

export type SandboxRole = 'Admin' | 'Approver' | 'Support';

/** Builds the console if it is missing or older than its sources. Call it in beforeAll. */
export async function buildConsole(): Promise<void> {
  expect(await ensureConsole(process.execPath)).toBe(0);
}

/** A time zone in which today does not end within the next hour. Otherwise an order of today would become one of yesterday during a test. */
export const zoneOfToday = endsSoonInIndia(new Date()) ? 'America/New_York' : 'Asia/Kolkata';

/** In India the day ends at 18:30 UTC. */
function endsSoonInIndia(now: Date): boolean {
  const minutes = now.getUTCHours() * 60 + now.getUTCMinutes();
  return minutes >= 17 * 60 + 30 && minutes < 18 * 60 + 30;
}

/** The address of a screen. */
export function addressOf({ file }: SharedSandbox, path: string): string {
  return `${new URL(file.graphqlUrl).origin}/console${path}`;
}

/**
 * A page of its own for a test, signed in, at a screen. It has its own session. The request is that of the sign-in page, which need not be drawn: drawing
 * it takes a browser as long as a whole screen.
 */
export async function openConsole(
  { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
  sandbox: SharedSandbox,
  {
    role = 'Support',
    path = '/orders',
    ...options
  }: BrowserContextOptions & { role?: SandboxRole; path?: string } = {},
): Promise<OpenPage> {
  const opened = await openPage({ ...desk, timezoneId: zoneOfToday, locale: 'en-GB', ...options });
  onTestFinished(() => opened.close());
  const { page } = opened;
  // A busy machine may be too slow for it. The sign-in page sends it again, too.
  await expect
    .poll(() => signIn(page, addressOf(sandbox, '/session'), role), { timeout: 60_000, interval: 500 })
    .not.toBe(503);
  await page.goto(addressOf(sandbox, path));
  await page
    .getByRole('navigation', { name: 'Screens' })
    .or(page.getByRole('button', { name: /navigation/ }))
    .first()
    .waitFor();
  return opened;
}

/** Signs in as the sign-in page does. Resolves to the status of the answer. */
async function signIn(page: Page, url: string, role: SandboxRole): Promise<number> {
  const answer = await page.request.post(url, {
    headers: { 'x-tidegate-console': '1' },
    data: { sandboxRole: role.toLowerCase() },
  });
  if (!answer.ok() && answer.status() !== 503) throw new Error(`the sign-in is answered ${answer.status()}`);
  return answer.status();
}

/** What the colour scheme can change. The other rules see the same in light and dark. */
const RULES_OF_COLOUR = ['color-contrast', 'link-in-text-block'];

/**
 * The accessibility problems of a page, one line each. With a dark `colorScheme` only those of colour: call it for the light one too.
 */
export async function barriersOf(page: Page, colorScheme: 'light' | 'dark' = 'light'): Promise<string[]> {
  // The content security policy of the page forbids scripts that are not its own, so the browser's protocol brings axe in.
  const session = await page.context().newCDPSession(page);
  const run = async (expression: string) => {
    const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  };
  // Half a transition is no state of the page: a menu that fades in has no contrast yet.
  await run(`Promise.allSettled(
    document.getAnimations().filter(({ effect }) => effect.getComputedTiming().endTime < Infinity).map(({ finished }) => finished),
  ).then(() => undefined)`);
  await run(axe.source);
  const isDark = colorScheme === 'dark';
  const found = (await run(`axe.run(${isDark ? JSON.stringify({ runOnly: RULES_OF_COLOUR }) : ''})`)) as axe.AxeResults;
  await session.detach();
  expect(found.passes.length).toBeGreaterThan(isDark ? 0 : 10);
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

/** Keeps a picture of the page. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  mkdirSync(reportFolder, { recursive: true });
  await page.screenshot({ path: join(reportFolder, `${name}.png`), animations: 'disabled' });
}

/** The width of the page, including what overflows it. */
export function widthOf(page: Page): Promise<unknown> {
  return page.evaluate('document.documentElement.scrollWidth');
}

let placed = 0;

/** Creates a payin as a merchant does; its order number. `answer` is the HTTP status of the merchant's endpoint. */
export async function placePayin(
  file: SandboxFile,
  country: string,
  { amount = '88.00', answer }: { amount?: string; answer?: string } = {},
): Promise<string> {
  const merchant = file.merchants.find((one) => one.country === country);
  if (!merchant) throw new Error(`no merchant of ${country}`);
  const client = merchantClient(file.restUrl, merchant.merchantNo, merchant.privateKeyPem);
  placed += 1;
  const number = `C-${process.pid}-${Date.now().toString(36)}-${placed}`;
  const notifyUrl = `${file.receiverUrl}/notify/${merchant.merchantNo}${answer === undefined ? '' : `?answer=${answer}`}`;
  const { code, msg, data } = await client.post(
    '/payin/create',
    payinRequest[country]?.(number, amount, notifyUrl) ?? {},
  );
  if (code !== 0) throw new Error(`payin of ${country}: ${code} ${msg}`);
  return String(data?.orderNo);
}

/** The merchant's own number of an order. */
export async function merchantNumberOf({ file }: SharedSandbox, orderNo: string): Promise<string> {
  const query = 'query ($orderNo: String!) { order(orderNo: $orderNo) { merchantOrderNo } }';
  const ask = askAsOperator(file.graphqlUrl, file.adminToken);
  return (await ask<{ order: { merchantOrderNo: string } }>(query, { orderNo })).order.merchantOrderNo;
}

/** Waits until the notification of an order is delivered. */
export async function waitUntilNotified({ file }: SharedSandbox, orderNo: string): Promise<void> {
  const ask = askAsOperator(file.graphqlUrl, file.adminToken);
  const query = `query ($orderNo: String!) {
    order(orderNo: $orderNo) { notifications(first: 1) { edges { node { state } } } }
  }`;
  interface Found {
    order: { notifications: { edges: { node: { state: string } }[] } };
  }
  await waitUntil(
    `${orderNo} is notified`,
    async () => (await ask<Found>(query, { orderNo })).order.notifications.edges[0]?.node.state === 'DELIVERED',
    { timeoutMs: 60_000, everyMs: 200 },
  );
}
