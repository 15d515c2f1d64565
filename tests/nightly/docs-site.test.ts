import axe from 'axe-core';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type Fixture, startFixture } from '../../packages/rest-adapter/test/rest-fixture.ts';
import { chromiumPath, type OpenPage, openPage } from '../browser.ts';

// What the documentation's pages do in a real browser: search, copy, tabs, colours, a phone's width.

vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });
const withBrowser = test.skipIf(chromiumPath === undefined);

let fixture: Fixture;
let browser: OpenPage;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(async () => {
  vi.resetConfig();
  await fixture?.close();
});
beforeEach(async () => {
  if (chromiumPath === undefined) return;
  browser = await openPage({ permissions: ['clipboard-read', 'clipboard-write'], colorScheme: 'light' });
  return () => browser.close();
});

async function open(path: string): Promise<OpenPage['page']> {
  await browser.page.goto(`${fixture.url}${path}`, { waitUntil: 'load' });
  return browser.page;
}

async function searchFor(text: string) {
  const { page } = browser;
  await page.keyboard.press('/');
  await page.getByRole('combobox').fill(text);
  return page.getByRole('option').first();
}

withBrowser.each([
  ['signature', '/docs/guides/signing', 'Signing a request'],
  ['40103', '/docs/guides/errors#40103', 'Errors'],
  ['refund', '/docs/guides/repeats-and-refunds', 'Repeats and refunds'],
  ['idempotency', '/docs/guides/repeats-and-refunds', 'Repeats and refunds'],
  ['rate limit', '/docs/guides/go-live#rate-limit', 'Go live'],
  ['base url', '/docs/guides/go-live', 'Go live'],
  ['go live', '/docs/guides/go-live', 'Go live'],
  ['sandbox', '/docs/guides/', 'Scenarios of the sandbox'],
  ['IP allow list', '/docs/guides/go-live#ip-allow-list', 'Go live'],
  ['create payin', '/docs/reference#tag/Payins/operation/createPayin', 'Collect money: create a payin'],
])('the search finds %s and opens its page by the keyboard', async (text, address, heading) => {
  const page = await open('/docs');
  await (await searchFor(text)).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.href.startsWith(`${fixture.url}${address}`));
  await page.getByRole('heading', { name: heading }).first().waitFor();
  expect(browser.errors).toEqual([]);
});

withBrowser(
  'the search is loaded when it is opened, finds words with a typing error, and says if it finds nothing',
  async () => {
    const page = await open('/docs/guides/errors');
    expect(browser.requests.filter((url) => /search/.test(url))).toEqual([]);
    expect(await (await searchFor('notificaton')).textContent()).toContain('Notifications');
    await page.getByRole('combobox').fill('zzzzzz');
    await page.getByText('Nothing was found for “zzzzzz”.').waitFor();
    expect(await page.getByRole('option').count()).toBe(0);
    await page.keyboard.press('Escape');
    expect(await page.getByRole('dialog').count()).toBe(0);
  },
);

withBrowser('every block of code can be copied', async () => {
  const page = await open('/docs');
  const block = page.locator('.code', { hasText: 'export TIDEGATE_URL' });
  await block.getByRole('button', { name: 'Copy' }).click();
  await block.getByRole('button', { name: 'Copied' }).waitFor();
  const copied = await page.evaluate<string>('navigator.clipboard.readText()');
  expect(copied.split('\n')).toHaveLength(4);
  expect(copied).toMatch(/^export TIDEGATE_URL=https:\/\/pay\.test\n/);
  expect(await page.locator('.code').count()).toBe(await page.locator('.code > .copy').count());
});

withBrowser('a language is chosen for all examples, and remembered on other pages', async () => {
  const page = await open('/docs');
  await page.getByRole('tab', { name: 'Python' }).click();
  await page.getByText('from sign import content_to_sign').waitFor();
  expect(await page.getByRole('tabpanel').count()).toBe(1);
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => page.getByRole('tab', { selected: true }).textContent()).toBe('PHP');
  await open('/docs/guides/signing');
  await expect.poll(() => page.getByRole('tab', { selected: true }).textContent()).toBe('PHP');
  expect(await page.getByRole('tabpanel').textContent()).toContain('function contentToSign');
});

const paperOf = (page: OpenPage['page']) => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');

withBrowser('the colours follow the system until the reader chooses, and the choice is remembered', async () => {
  const page = await open('/docs');
  expect(await paperOf(page)).toBe('rgb(255, 255, 255)');
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await paperOf(page);
  expect(dark).not.toBe('rgb(255, 255, 255)');
  await page.getByRole('button', { name: 'Switch to light colours' }).click();
  expect(await paperOf(page)).toBe('rgb(255, 255, 255)');
  await open('/docs/guides/errors');
  expect(await paperOf(page)).toBe('rgb(255, 255, 255)');
  await page.getByRole('button', { name: 'Switch to dark colours' }).click();
  expect(await paperOf(page)).toBe(dark);
});

withBrowser('a page has a table of contents, and a link to an error code highlights that code', async () => {
  const page = await open('/docs/guides/notifications');
  await page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'Rotations' }).click();
  await page.waitForURL(/#rotations$/);
  await open('/docs/guides/countries');
  await page.getByRole('link', { name: '42202' }).first().click();
  await page.waitForURL(/\/docs\/guides\/errors#42202$/);
  await page.locator('tr:has(:target)', { hasText: 'upstream bank mapping not found' }).waitFor();
});

const pages = [
  '/docs',
  '/docs/guides/signing',
  '/docs/guides/errors',
  '/docs/guides/go-live',
  '/docs/guides/repeats-and-refunds',
  '/docs/doctor',
];

async function findBarriers(rules = {}) {
  const { page } = browser;
  await page.evaluate(axe.source);
  const { violations, passes } = (await page.evaluate(
    `axe.run({ rules: ${JSON.stringify(rules)} })`,
  )) as axe.AxeResults;
  expect(passes.length).toBeGreaterThan(10);
  return violations.map(({ id, nodes }) => [id, nodes.length, nodes[0]?.html, nodes[0]?.any[0]?.message]);
}

withBrowser.each(pages)(
  '%s is accessible, without sideways scroll and errors, on a desktop and a phone',
  async (path) => {
    const page = await open(path);
    for (const [colorScheme, width] of [
      ['dark', 1280],
      ['light', 360],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      await page.getByRole('heading').first().waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      expect([colorScheme, await findBarriers()]).toEqual([colorScheme, []]);
    }
    expect(browser.errors).toEqual([]);
  },
);

withBrowser.each([
  ['/', 'Tidegate'],
  ['/nowhere', 'There is no page here'],
])('%s shows a browser the way to the documentation', async (path, title) => {
  const page = await open(path);
  await page.getByRole('heading', { name: title, level: 1 }).waitFor();
  for (const [colorScheme, width] of [
    ['dark', 1280],
    ['light', 360],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    expect([colorScheme, await findBarriers()]).toEqual([colorScheme, []]);
  }
  await page.getByRole('link', { name: /^Documentation/ }).click();
  await page.getByRole('heading', { name: 'Collect and send money' }).waitFor();
});

withBrowser('the reference in dark colours is accessible, without sideways scroll on a phone', async () => {
  const page = await open('/docs/reference');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page
    .getByRole('heading', { name: /A payin of TH is completed/ })
    .first()
    .waitFor();
  // The order of the renderer's own headings is not ours.
  expect(await findBarriers({ 'heading-order': { enabled: false } })).toEqual([]);
  await page.setViewportSize({ width: 360, height: 800 });
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  expect(browser.errors).toEqual([]);
});

withBrowser('the open search is accessible', async () => {
  await open('/docs');
  await (await searchFor('notifyUrl')).waitFor();
  expect(await findBarriers()).toEqual([]);
});

test('without scripts all languages of an example are in the page', async () => {
  const page = await (await fetch(`${fixture.url}/docs`)).text();
  for (const language of ['curl', 'Node.js', 'Python', 'PHP', 'Java', 'Go'])
    expect(page).toContain(`<p class="language">${language}</p>`);
});

withBrowser('the landing page with all that it loads takes less than 60 KB on the wire', async () => {
  await open('/docs');
  const sizes = browser.requests
    .filter((url) => url.startsWith('http'))
    .map(async (url) => {
      const response = await fetch(url, { headers: { 'accept-encoding': 'br' } });
      return Number(response.headers.get('content-length'));
    });
  const bytes = await Promise.all(sizes);
  expect(bytes.length).toBeGreaterThanOrEqual(6);
  const sum = bytes.reduce((one, other) => one + other);
  console.info(`the landing page: ${sum} bytes in ${bytes.length} files`);
  expect(sum).toBeGreaterThan(1_000);
  expect(sum).toBeLessThan(60_000);
});
