import { afterAll, beforeAll, expect, type TestContext, test, vi } from 'vitest';
import { readQr } from '../packages/rest-adapter/test/read-qr.ts';
import { merchantClient } from '../tools/sandbox/src/demo/merchant-client.ts';
import { chromiumPath, closeBrowser, type OpenPage, openPage } from './browser.ts';
import {
  barriersOf,
  inTenMinutes,
  promptPay,
  type ServedCheckout,
  type ServedCheckouts,
  serveCheckouts,
  testEveryState,
  ways,
} from './checkout-states.ts';
import { payinRequest } from './payin-requests.ts';
import { borrowSandbox, likeDemoMerchants } from './run-services/ask-services.ts';
import type { SharedSandbox } from './run-services/shared-sandboxes.ts';

// The checkout page as a payer meets it, in a real browser: first each of its states, then whole payments by click. Each test has a
// page of its own; most of them wait for pages that change by themselves, so they run side by side.

vi.setConfig({ testTimeout: 180_000 });
const withBrowser = test.skipIf(chromiumPath === undefined);

let served: ServedCheckouts;
let sandbox: SharedSandbox;
beforeAll(async () => {
  if (chromiumPath === undefined) return;
  const inFifteenSeconds = (['TH', 'CN'] as const).map((country) => ({ country, payinExpirySeconds: 15 }));
  [sandbox, served] = await Promise.all([
    borrowSandbox({ merchants: [...likeDemoMerchants, ...inFifteenSeconds] }),
    serveCheckouts(),
  ]);
});
afterAll(async () => {
  await closeBrowser();
  await served?.close();
});

/** The test's own page, and a checkout. */
async function open(
  { onTestFinished }: TestContext,
  options: { javaScriptEnabled?: boolean } = {},
): Promise<OpenPage & ServedCheckout> {
  const browsing = await openPage(options);
  onTestFinished(() => browsing.close());
  return { ...browsing, ...served.newCheckout() };
}

// The other languages are in the nightly tests.
testEveryState(() => served, ['en']);

withBrowser.concurrent('a page stops asking for money by itself when its order expires', async (context) => {
  const { page, show, url } = await open(context);
  const leftMs = 20_000;
  await page.clock.install();
  show({ ...ways, expiresAt: Date.now() + leftMs, payQr: promptPay });
  await page.goto(url);
  expect(await page.getByRole('img').count()).toBe(1);
  show({ ...ways, expiresAt: Date.now(), payQr: promptPay });
  await page.clock.fastForward(leftMs);
  await page.getByRole('heading', { name: 'The time to pay is over' }).waitFor({ timeout: 20_000 });
  expect(await page.getByRole('img').count()).toBe(0);
});

withBrowser.concurrent(
  'without JavaScript the page reloads itself, and the link to the bank works',
  async (context) => {
    const { page, show, url } = await open(context, { javaScriptEnabled: false });
    show({ ...ways, payLink: `${served.url}/healthz`, expiresAt: inTenMinutes() });
    await page.goto(url);
    await page.getByRole('link', { name: 'Continue to your bank' }).click();
    expect(page.url()).toBe(`${served.url}/healthz`);
    await page.goBack();
    show({ ...ways, status: 'completed' });
    await page.getByRole('heading', { name: 'Paid', exact: true }).waitFor({ timeout: 20_000 });
  },
);

let placed = 0;

/** A payin whose channel leaves it pending, as its merchant creates it: the first of its country unless it says `nth`. */
async function placePayin(country: string, nth = 0): Promise<{ orderNo: string; payUrl: string }> {
  const merchant = sandbox.file.merchants.filter((one) => one.country === country).at(nth);
  if (!merchant) throw new Error(`no merchant of ${country}`);
  const client = merchantClient(sandbox.file.restUrl, merchant.merchantNo, merchant.privateKeyPem);
  placed += 1;
  const notifyUrl = `${sandbox.file.receiverUrl}/notify/${merchant.merchantNo}`;
  const request = payinRequest[country]?.(`C-${placed}`, '100.23', notifyUrl) ?? {};
  const { code, data } = await client.post('/payin/create', request);
  expect(code).toBe(0);
  const orderNo = String(data?.orderNo);
  if (data?.payUrl !== undefined) return { orderNo, payUrl: String(data.payUrl) };
  // China's merchants do not receive it (contract "Create payin: CN"): an operator can give it to a payer.
  const { order } = await operate(
    'query ($orderNo: String!) { order(orderNo: $orderNo) { ... on Payin { checkoutUrl } } }',
    { orderNo },
  );
  return { orderNo, payUrl: order?.checkoutUrl ?? '' };
}

/** What an operator does through GraphQL. */
async function operate(query: string, variables: object): Promise<Record<string, Record<string, string>>> {
  const response = await fetch(sandbox.file.graphqlUrl, {
    method: 'POST',
    headers: { authorization: `Bearer ${sandbox.file.adminToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = (await response.json()) as {
    data: Record<string, Record<string, string>>;
    errors?: unknown;
  };
  expect(errors).toBeUndefined();
  return data;
}

interface Payer extends OpenPage {
  orderNo: string;
  press(name: string): Promise<void>;
  untilShown(title: string, timeout?: number): Promise<void>;
  /** Whether the page has not been loaded again. */
  isTheSame(): Promise<boolean>;
}

/** A payer who looks at the page of a new payin. */
async function look(context: TestContext, country: string, nth = 0): Promise<Payer> {
  const browsing = await open(context);
  const { page } = browsing;
  const { payUrl, orderNo } = await placePayin(country, nth);
  await page.goto(payUrl);
  await page.evaluate('window.isTheSame = true');
  return {
    ...browsing,
    orderNo,
    press: (name) => page.getByRole('button', { name, exact: true }).click(),
    untilShown: (title, timeout = 20_000) =>
      page.getByRole('heading', { name: title, exact: true }).waitFor({ timeout }),
    isTheSame: () => page.evaluate('window.isTheSame === true'),
  };
}

withBrowser.concurrent.for(['CN', 'TH', 'IN', 'PK'])('a payer in %s pays with a click', async (country, context) => {
  const { page, errors, press, untilShown } = await look(context, country);
  await untilShown('Waiting for your payment');
  expect(await page.getByRole('link', { name: 'Continue to your bank' }).count()).toBe(1);
  await press('Pay');
  await untilShown('Paid');
  expect(await barriersOf(page)).toEqual([]);
  expect(errors).toEqual([]);
});

withBrowser.concurrent('a payment fails after a click', async (context) => {
  const { errors, press, untilShown } = await look(context, 'IN');
  await press('Fail');
  await untilShown('Payment failed');
  expect(errors).toEqual([]);
});

withBrowser.concurrent('the page shows that an operator has cancelled the payin', async (context) => {
  const { page, errors, orderNo, untilShown, isTheSame } = await look(context, 'PK');
  await untilShown('Waiting for your payment');
  const cancel =
    'mutation ($orderNo: String!) { cancelOrder(input: { orderNo: $orderNo }, reason: "out of stock") { __typename } }';
  expect(await operate(cancel, { orderNo })).toEqual({ cancelOrder: { __typename: 'CancelOrderPayload' } });
  await untilShown('Payment cancelled');
  expect([await isTheSame(), await page.getByRole('button').count()]).toEqual([true, 0]);
  expect(errors).toEqual([]);
});

withBrowser.concurrent.for([
  ['TH', 'Payment expired'],
  ['CN', 'Payment cancelled'],
] as const)('the page shows that an unpaid payin of %s has ended', async ([country, end], context) => {
  // Payins of the last merchants of TH and CN expire after fifteen seconds.
  const { page, errors, untilShown, isTheSame } = await look(context, country, -1);
  await untilShown('Waiting for your payment');
  expect(await page.getByRole('timer').textContent()).toMatch(/^0:[01]\d$/);
  await untilShown(end, 30_000);
  expect([await isTheSame(), await page.getByRole('button').count()]).toEqual([true, 0]);
  expect(errors).toEqual([]);
});

// Runs alone: all pages share the clipboard.
withBrowser('a payer in Thailand pays one half, and then the rest', async (context) => {
  const { page, errors, press, untilShown } = await look(context, 'TH');
  await press('Pay half');
  await untilShown('Partly paid');
  expect(await page.locator('dl').textContent()).toMatch(/50\.11 THB.*50\.12 THB/s);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await press('Copy the amount');
  await expect.poll(() => page.getByRole('status').textContent()).toBe('Copied');
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe('50.12');
  expect(readQr(await page.locator('.qr').innerHTML())).toContain('540550.12');
  await press('Pay');
  await untilShown('Paid');
  expect(errors).toEqual([]);
});

// Runs alone: it counts the pages that listen.
withBrowser('an open page changes without a reload, and announces the change to screen readers', async (context) => {
  await expect.poll(() => served.live.count()).toBe(0);
  const { page, errors, show, url } = await open(context);
  show({ ...ways, expiresAt: inTenMinutes(), payQr: promptPay });
  await page.goto(url);
  await page.evaluate('window.isTheSame = true');
  await expect.poll(() => page.getByRole('timer').textContent()).toMatch(/^(10:00|9:5\d)$/);
  await page.getByRole('link', { name: 'Check the payment again' }).focus();
  await expect.poll(() => served.live.count()).toBe(1);
  show({ ...ways, status: 'completed' });
  served.live.receive([{ type: 'order', merchantId: 'TH1', orderNo: 'PI01', status: 'completed' }]);
  await page.getByRole('heading', { name: 'Paid', exact: true }).waitFor({ timeout: 2_000 });
  expect(await page.getByRole('status').textContent()).toBe('Paid');
  expect(await page.evaluate('document.activeElement.tagName')).toBe('H1');
  expect(await page.evaluate('window.isTheSame')).toBe(true);
  await expect.poll(() => served.live.count()).toBe(0);
  expect(errors).toEqual([]);
});
