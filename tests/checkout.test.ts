import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, type TestContext, test, vi } from 'vitest';
import type { CheckoutView } from '../packages/domain/src/index.ts';
import { openLiveStatus } from '../packages/rest-adapter/src/checkout/live-status.ts';
import { aView } from '../packages/rest-adapter/test/checkout-view.ts';
import { readQr } from '../packages/rest-adapter/test/read-qr.ts';
import { type Fixture, startFixture } from '../packages/rest-adapter/test/rest-fixture.ts';
import { merchantClient } from '../packages/sandbox/src/demo/merchant-client.ts';
import { chromiumPath, closeBrowser, type OpenPage, openPage } from './browser.ts';
import { payinRequest } from './payin-requests.ts';
import { borrowSandbox, likeDemoMerchants } from './run-services/ask-services.ts';
import type { SharedSandbox } from './run-services/shared-sandboxes.ts';

// The checkout page as a payer meets it, in a real browser: first each of its states, then whole payments by click. Each test has a
// page of its own; most of them wait for pages that change by themselves, so they run side by side.
// How each looked is kept in test-output/checkout.

vi.setConfig({ testTimeout: 180_000 });
const withBrowser = test.skipIf(chromiumPath === undefined);
const pictures = fileURLToPath(new URL('../test-output/checkout', import.meta.url));

/** What each checkout token shows. */
const views = new Map<string, CheckoutView>();
let fixture: Fixture;
let sandbox: SharedSandbox;
const live = openLiveStatus();
beforeAll(async () => {
  if (chromiumPath === undefined) return;
  mkdirSync(pictures, { recursive: true });
  const domain = { findCheckout: async (token: string) => views.get(token) ?? null };
  const inFifteenSeconds = (['TH', 'CN'] as const).map((country) => ({ country, payinExpirySeconds: 15 }));
  [sandbox, fixture] = await Promise.all([
    borrowSandbox({ merchants: [...likeDemoMerchants, ...inFifteenSeconds] }),
    startFixture({ domain, live }),
  ]);
});
afterAll(async () => {
  await closeBrowser();
  await fixture?.close();
});

type Browsing = OpenPage & {
  /** Shows this on the test's checkout page from now on. */
  show(view: Partial<CheckoutView>): void;
  readonly url: string;
};

let count = 0;
/** A checkout of its own, that shows what the test says. */
function aCheckout(): Pick<Browsing, 'show' | 'url'> {
  count += 1;
  const token = `PI01${String(count).padStart(20, 'a')}`;
  const show = (view: Partial<CheckoutView>) => void views.set(token, aView(view));
  return { show, url: `${fixture.url}/checkout/${token}` };
}

/** The test's own page, and a checkout. */
async function open({ onTestFinished }: TestContext, options: { javaScriptEnabled?: boolean } = {}): Promise<Browsing> {
  const browsing = await openPage(options);
  onTestFinished(() => browsing.close());
  return { ...browsing, ...aCheckout() };
}

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

/** The accessibility problems of a page, one line each. */
async function barriersOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const found = (await page.evaluate('axe.run()')) as axe.AxeResults;
  expect(found.passes.length).toBeGreaterThan(10);
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

const widthOf = (page: Page) => page.evaluate('document.documentElement.scrollWidth');

withBrowser.concurrent.for(Object.keys(languages) as (keyof typeof languages)[])(
  'every state of the page is readable and accessible in %s on the narrowest phone',
  async (language, context) => {
    const { page, errors } = await open(context);
    const country = languages[language];
    await page.setExtraHTTPHeaders({ 'accept-language': language });
    await page.setViewportSize({ width: 320, height: 900 });
    for (const [state, change] of Object.entries(states)) {
      // A checkout of its own: an order has at most eight streams, and a busy machine ends those of earlier states late.
      const { show, url } = aCheckout();
      show({
        country,
        currency: currencies[country],
        merchantName: 'Blue Harbour Books',
        orderNo: 'PI01KAJ7Q2T9XW3M5Z8R6N4B0D2',
        ...change(),
      });
      for (const colorScheme of language === 'en' ? (['light', 'dark'] as const) : (['light'] as const)) {
        await page.emulateMedia({ colorScheme });
        await page.goto(url);
        expect(await page.locator('html').getAttribute('lang')).toBe(language);
        expect([state, colorScheme, await widthOf(page)]).toEqual([state, colorScheme, 320]);
        expect([state, colorScheme, await barriersOf(page)]).toEqual([state, colorScheme, []]);
        await page.screenshot({ path: join(pictures, `${state} ${language} ${colorScheme}.png`), fullPage: true });
      }
    }
    expect(errors).toEqual([]);
  },
);

withBrowser.concurrent('a page stops asking for money by itself when its order expires', async (context) => {
  const { page, show, url } = await open(context);
  const leftMs = 20_000;
  await page.clock.install();
  show({ ...way, expiresAt: Date.now() + leftMs, payQr: promptPay });
  await page.goto(url);
  expect(await page.getByRole('img').count()).toBe(1);
  show({ ...way, expiresAt: Date.now(), payQr: promptPay });
  await page.clock.fastForward(leftMs);
  await page.getByRole('heading', { name: 'The time to pay is over' }).waitFor({ timeout: 20_000 });
  expect(await page.getByRole('img').count()).toBe(0);
});

withBrowser.concurrent(
  'without JavaScript the page reloads itself, and the link to the bank works',
  async (context) => {
    const { page, show, url } = await open(context, { javaScriptEnabled: false });
    show({ ...way, payLink: `${fixture.url}/healthz`, expiresAt: inTen() });
    await page.goto(url);
    await page.getByRole('link', { name: 'Continue to your bank' }).click();
    expect(page.url()).toBe(`${fixture.url}/healthz`);
    await page.goBack();
    show({ ...way, status: 'completed' });
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
  await expect.poll(() => live.count()).toBe(0);
  const { page, errors, show, url } = await open(context);
  show({ ...way, expiresAt: inTen(), payQr: promptPay });
  await page.goto(url);
  await page.evaluate('window.isTheSame = true');
  await expect.poll(() => page.getByRole('timer').textContent()).toMatch(/^(10:00|9:5\d)$/);
  await page.getByRole('link', { name: 'Check the payment again' }).focus();
  await expect.poll(() => live.count()).toBe(1);
  show({ ...way, status: 'completed' });
  live.receive([{ type: 'order', merchantId: 'TH1', orderNo: 'PI01', status: 'completed' }]);
  await page.getByRole('heading', { name: 'Paid', exact: true }).waitFor({ timeout: 2_000 });
  expect(await page.getByRole('status').textContent()).toBe('Paid');
  expect(await page.evaluate('document.activeElement.tagName')).toBe('H1');
  expect(await page.evaluate('window.isTheSame')).toBe(true);
  await expect.poll(() => live.count()).toBe(0);
  expect(errors).toEqual([]);
});
