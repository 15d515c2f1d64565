import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { type CheckoutView, openDomain } from '../packages/domain/src/index.ts';
import { openLiveStatus } from '../packages/rest-adapter/src/checkout/live-status.ts';
import { aView } from '../packages/rest-adapter/test/checkout-view.ts';
import { readQr } from '../packages/rest-adapter/test/read-qr.ts';
import { type Ground, startGround } from '../packages/rest-adapter/test/rest-ground.ts';
import { merchantClient } from '../packages/sandbox/src/demo/merchant-client.ts';
import { chromiumPath, type OpenPage, openPage } from './browser.ts';
import { payinRequest } from './payin-requests.ts';
import { type RunningSandbox, startSandbox } from './running-sandbox.ts';

// The checkout page as a payer meets it, in a real browser: first each of its states, then whole payments by click.
// How each looked is kept in test-output/checkout.

vi.setConfig({ testTimeout: 60_000 });
const withBrowser = test.skipIf(chromiumPath === undefined);
const pictures = fileURLToPath(new URL('../test-output/checkout', import.meta.url));
const TOKEN = 'PI01aaaaaaaaaaaaaaaaaaaa';

let view: CheckoutView;
let ground: Ground;
let sandbox: RunningSandbox;
let browser: OpenPage;
const live = openLiveStatus();
beforeAll(async () => {
  if (chromiumPath === undefined) return;
  mkdirSync(pictures, { recursive: true });
  const domain = { findCheckout: async () => view };
  [sandbox, ground] = await Promise.all([startSandbox(), startGround({ domain, live })]);
});
afterAll(async () => {
  await ground?.close();
  await sandbox?.stop();
});
beforeEach(async () => {
  if (chromiumPath !== undefined) browser = await openPage();
});
afterEach(() => browser?.close());

const inTen = () => Date.now() + 600_000;
const way = { payLink: 'https://bank.example/pay', returnUrl: 'https://shop.example/back' };
const promptPay = '00020101021229370016A000000677010111011300660000000005802TH53037645406100.506304ABCD'.padEnd(
  90,
  '0',
);
const paidInPart = { status: 'partial_paid', paidAmount: '40.50', restAmount: '60.00' } as const;
const states: Record<string, () => Partial<CheckoutView>> = {
  preparing: () => ({ expiresAt: inTen() }),
  waiting: () => ({ ...way, payQr: promptPay, expiresAt: inTen() }),
  'partly paid': () => ({ ...way, ...paidInPart, payQr: promptPay, expiresAt: inTen() }),
  'partly paid, no way': () => ({ returnUrl: way.returnUrl, ...paidInPart, expiresAt: inTen() }),
  late: () => ({ ...way, payQr: promptPay, expiresAt: Date.now() - 1_000 }),
  paid: () => ({ ...way, status: 'completed' }),
  failed: () => ({ ...way, status: 'failed' }),
  expired: () => ({ ...way, status: 'timeout' }),
  'expired, partly paid': () => ({ ...way, ...paidInPart, status: 'timeout' }),
  cancelled: () => ({ ...way, status: 'cancelled' }),
};
const languages = { en: 'TH', zh: 'CN', th: 'TH', hi: 'IN', ur: 'PK' } as const;
const currencies = { CN: 'CNY', TH: 'THB', IN: 'INR', PK: 'PKR' } as const;

/** What is wrong with a page for those who cannot see, hear or point as most do; a line each. */
async function barriersOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const found = (await page.evaluate('axe.run()')) as axe.AxeResults;
  expect(found.passes.length).toBeGreaterThan(10);
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

const widthOf = (page: Page) => page.evaluate('document.documentElement.scrollWidth');

withBrowser.each(Object.keys(languages) as (keyof typeof languages)[])(
  'every state can be read in %s on the narrowest phone, and has no barrier',
  async (language) => {
    const { page, errors } = browser;
    const country = languages[language];
    await page.setExtraHTTPHeaders({ 'accept-language': language });
    for (const [state, change] of Object.entries(states)) {
      view = aView({
        country,
        currency: currencies[country],
        ...{ merchantName: 'Blue Harbour Books', orderNo: 'PI01KAJ7Q2T9XW3M5Z8R6N4B0D2' },
        ...change(),
      });
      for (const colorScheme of language === 'en' ? (['light', 'dark'] as const) : (['light'] as const)) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width: 320, height: 900 });
        await page.goto(`${ground.url}/checkout/${TOKEN}`);
        expect(await page.locator('html').getAttribute('lang')).toBe(language);
        expect([state, colorScheme, await widthOf(page)]).toEqual([state, colorScheme, 320]);
        expect([state, colorScheme, await barriersOf(page)]).toEqual([state, colorScheme, []]);
        await page.screenshot({ path: join(pictures, `${state} ${language} ${colorScheme}.png`), fullPage: true });
      }
    }
    expect(errors).toEqual([]);
  },
);

withBrowser(
  'a page that is looked at changes without being loaded again, and says so to those who listen',
  async () => {
    const { page, errors } = browser;
    view = aView({ ...way, expiresAt: inTen(), payQr: promptPay });
    await page.goto(`${ground.url}/checkout/${TOKEN}`);
    await page.evaluate('window.isTheSame = true');
    await expect.poll(() => page.getByRole('timer').textContent()).toMatch(/^(10:00|9:5\d)$/);
    await page.getByRole('link', { name: 'Check the payment again' }).focus();
    await expect.poll(() => live.count()).toBe(1);
    view = aView({ ...way, status: 'completed' });
    live.heard([{ type: 'order', merchantId: 'TH1', orderNo: 'PI01', status: 'completed' }]);
    await page.getByRole('heading', { name: 'Paid', exact: true }).waitFor({ timeout: 2_000 });
    expect(await page.getByRole('status').textContent()).toBe('Paid');
    expect(await page.evaluate('document.activeElement.tagName')).toBe('H1');
    expect(await page.evaluate('window.isTheSame')).toBe(true);
    await expect.poll(() => live.count()).toBe(0);
    expect(errors).toEqual([]);
  },
);

withBrowser('at the end of its time a page stops asking for money by itself', async () => {
  view = aView({ ...way, expiresAt: Date.now() + 2_500, payQr: promptPay });
  await browser.page.goto(`${ground.url}/checkout/${TOKEN}`);
  expect(await browser.page.getByRole('img').count()).toBe(1);
  await browser.page.getByRole('heading', { name: 'The time to pay is over' }).waitFor({ timeout: 10_000 });
  expect(await browser.page.getByRole('img').count()).toBe(0);
});

withBrowser('without JavaScript it renews itself, and the way to the bank works', async () => {
  const context = await browser.page.context().browser()?.newContext({ javaScriptEnabled: false });
  const page = await context?.newPage();
  if (!page) throw new Error('no page');
  view = aView({ ...way, payLink: `${ground.url}/healthz`, expiresAt: inTen() });
  await page.goto(`${ground.url}/checkout/${TOKEN}`);
  await page.getByRole('link', { name: 'Continue to your bank' }).click();
  expect(page.url()).toBe(`${ground.url}/healthz`);
  await page.goBack();
  view = aView({ ...way, status: 'completed' });
  await page.getByRole('heading', { name: 'Paid', exact: true }).waitFor({ timeout: 15_000 });
});

let placed = 0;

/** A payin whose channel leaves it pending, as its merchant creates it. */
async function placePayin(country: string): Promise<{ orderNo: string; payUrl: string }> {
  const merchant = sandbox.file.merchants.find((one) => one.country === country);
  if (!merchant) throw new Error(`no merchant of ${country}`);
  const client = merchantClient(sandbox.file.restUrl, merchant.merchantNo, merchant.privateKeyPem);
  placed += 1;
  const notifyUrl = `${sandbox.file.receiverUrl}/notify/${merchant.merchantNo}`;
  const request = payinRequest[country]?.(`C-${placed}`, '100.23', notifyUrl) ?? {};
  const { code, data } = await client.post('/payin/create', request);
  expect(code).toBe(0);
  const orderNo = String(data?.orderNo);
  if (data?.payUrl !== undefined) return { orderNo, payUrl: String(data.payUrl) };
  // China's merchants are not told it (interface document): an operator can tell a payer.
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

const look = async (country: string) => {
  const { payUrl, orderNo } = await placePayin(country);
  await browser.page.goto(payUrl);
  await browser.page.evaluate('window.isTheSame = true');
  return orderNo;
};
const isTheSame = () => browser.page.evaluate('window.isTheSame === true');

const press = (name: string) => browser.page.getByRole('button', { name, exact: true }).click();
const untilShown = (title: string) =>
  browser.page.getByRole('heading', { name: title, exact: true }).waitFor({ timeout: 10_000 });

withBrowser.each(['CN', 'TH', 'IN', 'PK'])('a payer in %s pays by a click', async (country) => {
  await look(country);
  await untilShown('Waiting for your payment');
  expect(await browser.page.getByRole('link', { name: 'Continue to your bank' }).count()).toBe(1);
  await press('Pay');
  await untilShown('Paid');
  expect(await barriersOf(browser.page)).toEqual([]);
  expect(browser.errors).toEqual([]);
});

withBrowser('a payer in Thailand pays one half, and then the rest', async () => {
  await look('TH');
  await press('Pay half');
  await untilShown('Partly paid');
  expect(await browser.page.locator('dl').textContent()).toMatch(/50\.11 THB.*50\.12 THB/s);
  await browser.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await press('Copy the amount');
  await expect.poll(() => browser.page.getByRole('status').textContent()).toBe('Copied');
  expect(await browser.page.evaluate('navigator.clipboard.readText()')).toBe('50.12');
  expect(readQr(await browser.page.locator('.qr').innerHTML())).toContain('540550.12');
  await press('Pay');
  await untilShown('Paid');
  expect(browser.errors).toEqual([]);
});

withBrowser('a payment fails by a click', async () => {
  await look('IN');
  await press('Fail');
  await untilShown('Payment failed');
  expect(browser.errors).toEqual([]);
});

withBrowser('an operator cancels a payin while its payer looks at it', async () => {
  const orderNo = await look('PK');
  await untilShown('Waiting for your payment');
  const cancel =
    'mutation ($orderNo: String!) { cancelOrder(input: { orderNo: $orderNo }, reason: "out of stock") { __typename } }';
  expect(await operate(cancel, { orderNo })).toEqual({ cancelOrder: { __typename: 'CancelOrderPayload' } });
  await untilShown('Payment cancelled');
  expect([await isTheSame(), await browser.page.getByRole('button').count()]).toEqual([true, 0]);
  expect(browser.errors).toEqual([]);
});

withBrowser.each([
  ['TH', 'Payment expired'],
  ['CN', 'Payment cancelled'],
])('a payin of %s that nobody pays comes to its end while its payer looks at it', async (country, end) => {
  await expireAfter(8);
  onTestFinished(() => expireAfter(1_800));
  await look(country);
  await untilShown('Waiting for your payment');
  expect(await browser.page.getByRole('timer').textContent()).toMatch(/^0:0\d$/);
  await browser.page.getByRole('heading', { name: end, exact: true }).waitFor({ timeout: 30_000 });
  expect([await isTheSame(), await browser.page.getByRole('button').count()]).toEqual([true, 0]);
  expect(browser.errors).toEqual([]);
});

/** How long new payins of the sandbox's channel may stay unpaid; done once a new one says so. */
async function expireAfter(seconds: number): Promise<void> {
  const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: console.error };
  const { databaseUrl } = sandbox.file;
  const options = { databaseUrl, secret: '00'.repeat(32), publicBaseUrl: '', adapters: {}, log: quiet };
  const domain = await openDomain({ ...options, nudge: () => undefined });
  await domain.database.pool
    .query(
      `update channel set payin_expiry_seconds = $1, changed_at = clock_timestamp() where channel_id = 'sandbox'`,
      [seconds],
    )
    .finally(() => domain.close());
  const query = 'query ($orderNo: String!) { order(orderNo: $orderNo) { createdAt expiresAt } }';
  await expect
    .poll(
      async () => {
        const { order } = await operate(query, { orderNo: (await placePayin('TH')).orderNo });
        return Date.parse(order?.expiresAt ?? '') - Date.parse(order?.createdAt ?? '');
      },
      { timeout: 10_000, interval: 200 },
    )
    .toBe(seconds * 1_000);
}
