import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { CheckoutView } from '../packages/domain/src/index.ts';
import { type LiveStatus, openLiveStatus } from '../packages/rest-adapter/src/checkout/live-status.ts';
import { aView, type CaseChange, type ViewChange } from '../packages/rest-adapter/test/checkout-view.ts';
import { startFixture } from '../packages/rest-adapter/test/rest-fixture.ts';
import { chromiumPath, openPage } from './browser.ts';

/** How each state of the checkout page looked is kept here. */
const pictures = fileURLToPath(new URL('../test-output/checkout', import.meta.url));

export interface ServedCheckout {
  readonly url: string;
  /** The page of this checkout shows this from now on. */
  show(view: ViewChange): void;
}

/** A REST adapter whose checkout pages show what a test says. */
export interface ServedCheckouts {
  readonly url: string;
  readonly live: LiveStatus;
  newCheckout(): ServedCheckout;
  close(): Promise<void>;
}

export async function serveCheckouts(): Promise<ServedCheckouts> {
  /** What each checkout token shows. */
  const views = new Map<string, CheckoutView>();
  const live = openLiveStatus();
  const domain = { findCheckout: async (token: string) => views.get(token) ?? null };
  const { url, close } = await startFixture({ domain, live });
  let count = 0;
  return {
    url,
    live,
    newCheckout: () => {
      count += 1;
      const token = `PI01${String(count).padStart(20, 'a')}`;
      return { url: `${url}/checkout/${token}`, show: (view) => void views.set(token, aView(view)) };
    },
    close,
  };
}

/** The time at which a payin ends that was just created. */
export const inTenMinutes = () => Date.now() + 600_000;
/** The ways on from the page. */
export const ways = { payLink: 'https://bank.example/pay', returnUrl: 'https://shop.example/back' };
export const promptPay = '00020101021229370016A000000677010111011300660000000005802TH53037645406100.506304ABCD'.padEnd(
  90,
  '0',
);
const paidInPart = { status: 'partial_paid', paidAmount: '40.50' } as const;
/** Money that a case holds. */
const held = (amount: string, change: CaseChange = {}): ViewChange => ({
  payments: [{ use: 'suspense', amount }],
  cases: [{ amount, ...change }],
});
const states: Record<string, () => ViewChange> = {
  preparing: () => ({ expiresAt: inTenMinutes() }),
  waiting: () => ({ ...ways, payQr: promptPay, expiresAt: inTenMinutes() }),
  'partly paid': () => ({ ...ways, ...paidInPart, payQr: promptPay, expiresAt: inTenMinutes() }),
  'partly paid, no way': () => ({ returnUrl: ways.returnUrl, ...paidInPart, expiresAt: inTenMinutes() }),
  late: () => ({ ...ways, payQr: promptPay, expiresAt: Date.now() - 1_000 }),
  paid: () => ({ ...ways, status: 'completed' }),
  failed: () => ({ ...ways, status: 'failed' }),
  expired: () => ({ ...ways, status: 'timeout' }),
  cancelled: () => ({ ...ways, status: 'cancelled' }),
  'less arrived': () => ({ ...ways, ...held('99.51'), expiresAt: inTenMinutes() }),
  'all arrived late': () => ({ ...ways, ...held('100.50'), status: 'timeout' }),
  'more arrived late': () => ({ ...ways, ...held('499.51'), status: 'cancelled' }),
  'paid twice': () => ({
    ...ways,
    status: 'completed',
    payments: [
      { use: 'credited', amount: '100.50' },
      { use: 'suspense', amount: '100.50' },
    ],
    cases: [{ kind: 'double' }],
  }),
  'being sent back': () => ({ ...ways, ...held('100.50', { refundNo: 'RF1' }), status: 'timeout' }),
  'sent back': () => ({ ...ways, ...held('100.50', { state: 'returned' }), status: 'timeout' }),
};
const languages = { en: 'TH', zh: 'CN', th: 'TH', hi: 'IN', ur: 'PK' } as const;
const currencies = { CN: 'CNY', TH: 'THB', IN: 'INR', PK: 'PKR' } as const;

/** The accessibility problems of a page, one line each. */
export async function barriersOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const found = (await page.evaluate('axe.run()')) as axe.AxeResults;
  expect(found.passes.length).toBeGreaterThan(10);
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

const widthOf = (page: Page) => page.evaluate('document.documentElement.scrollWidth');

/** A test for each of these languages: every state of the page on a phone. English also in dark colours. */
export function testEveryState(served: () => ServedCheckouts, tested: readonly (keyof typeof languages)[]): void {
  test.skipIf(chromiumPath === undefined).concurrent.for(tested)(
    'every state of the page is readable and accessible in %s on the narrowest phone',
    async (language, { onTestFinished }) => {
      mkdirSync(pictures, { recursive: true });
      const { page, errors, close } = await openPage();
      onTestFinished(close);
      const country = languages[language];
      await page.setExtraHTTPHeaders({ 'accept-language': language });
      await page.setViewportSize({ width: 320, height: 900 });
      for (const [state, change] of Object.entries(states)) {
        // A checkout of its own: an order has at most eight streams, and a busy machine ends those of earlier states late.
        const { show, url } = served().newCheckout();
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
}
