import { readdirSync, readFileSync } from 'node:fs';
import axe from 'axe-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { chromiumPath, type OpenPage, openPage } from '../../../../tests/browser.ts';
import { type Fixture, startFixture } from '../../test/rest-fixture.ts';
import { failures } from '../request/errors.ts';
import { guidePath, guides } from './guides.ts';
import { snippetPath, snippets } from './snippets.ts';

// The documentation in a real browser that can reach only the service.

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
const withBrowser = test.skipIf(chromiumPath === undefined);

let fixture: Fixture;
let browser: OpenPage;
beforeAll(async () => {
  fixture = await startFixture();
  if (chromiumPath === undefined) return;
  browser = await openPage();
  await browser.page.route(
    (url) => url.origin !== fixture.url && !['data:', 'blob:'].includes(url.protocol),
    (route) => route.abort(),
  );
});
afterAll(async () => {
  vi.resetConfig();
  await browser?.close();
  await fixture?.close();
});

/** The page's requests to other servers. */
const requestsElsewhere = () =>
  browser.requests.filter((url) => !/^(?:data|blob):/.test(url) && !url.startsWith(fixture.url));

withBrowser(
  'the reference shows every operation and notification, and sends requests only to the service',
  async () => {
    await browser.page.goto(`${fixture.url}/docs/reference`);
    await browser.page.getByRole('heading', { name: 'Collect money: create a payin' }).waitFor();
    for (const name of [/Send money/, /Query a payin/, /transactions, newest first/, /A payin of TH is completed/])
      await browser.page.getByRole('heading', { name }).first().waitFor({ timeout: 10_000 });
    expect(browser.requests).toContain(`${fixture.url}/docs/openapi.json`);
    expect(requestsElsewhere()).toEqual([]);
    expect(browser.errors).toEqual([]);
  },
);

withBrowser(
  'axe finds no accessibility problem in the reference, except the order of the headings of the renderer',
  async () => {
    await browser.page.goto(`${fixture.url}/docs/reference`);
    await browser.page
      .getByRole('heading', { name: /A payin of TH is completed/ })
      .first()
      .waitFor();
    await browser.page.evaluate(axe.source);
    const { violations } = (await browser.page.evaluate(
      `axe.run({ rules: { 'heading-order': { enabled: false } } })`,
    )) as axe.AxeResults;
    expect(violations.map(({ id, nodes }) => [id, nodes.length, nodes[0]?.html])).toEqual([]);
  },
);

test.each(['/docs', '/docs/reference'])('%s allows no external content, and no framing', async (path) => {
  const { headers } = await fetch(`${fixture.url}${path}`);
  const policy = headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/https?:|\*|unsafe-eval|script-src[^;]*unsafe-inline/);
});

test('the served renderer loads no external picture, script or style', async () => {
  const renderer = await (await fetch(`${fixture.url}/docs/redoc.js`)).text();
  expect(renderer.length).toBeGreaterThan(100_000);
  expect(renderer).not.toMatch(/https?:\/\/(?:cdn|fonts|unpkg)\./);
});

withBrowser.each([
  ['Quickstart', 'Collect and send money', 'export NOTIFY_URL='],
  ['First order', 'A first order', 'sh verify.sh'],
  ['Signing', 'Signing a request', 'amount=100.50&merchantOrderNo=M-2'],
  ['Notifications', 'Notifications', 'completed, failed, timeout, cancelled'],
  ['Notifications', 'Notifications', 'X-Key-Id: IN10001.'],
  ['Countries', 'Countries', 'extJson.accountNo'],
  ['Statuses', 'Statuses', 'partial_paid'],
  ['Errors', 'Errors', 'upstream bank mapping not found'],
  ['Repeats and refunds', 'Repeats and refunds', 'merchantOrderNo is the idempotency key'],
  ['Scenarios', 'Scenarios of the sandbox', 'stays pending'],
  ['Go live', 'Go live', 'https://pay.test'],
])('the guide %s is linked, and shows the values of the running service', async (link, heading, text) => {
  await browser.page.goto(`${fixture.url}/docs/guides/errors`);
  await browser.page.getByRole('link', { name: link, exact: true }).click();
  await browser.page.getByRole('heading', { name: heading, level: 1 }).waitFor();
  // The heading is there before the end of a long page.
  await browser.page.waitForLoadState();
  expect(await browser.page.locator('main').textContent()).toContain(text);
  expect(requestsElsewhere()).toEqual([]);
  expect(browser.errors).toEqual([]);
});

withBrowser('every guide fits a narrow phone, and axe finds no problem', async () => {
  const { page } = browser;
  await page.setViewportSize({ width: 320, height: 800 });
  for (const { name } of guides) {
    await page.goto(`${fixture.url}${guidePath(name)}`);
    expect([name, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([name, 320]);
    await page.evaluate(axe.source);
    const { violations, passes } = (await page.evaluate('axe.run()')) as axe.AxeResults;
    expect(passes.length).toBeGreaterThan(10);
    expect([name, violations.map(({ id, nodes }) => [id, nodes[0]?.html])]).toEqual([name, []]);
  }
});

test('the guides contain the addresses of the running service', async () => {
  const page = await (await fetch(`${fixture.url}/docs/guides/first-order`)).text();
  expect(unescaped(page)).toContain("const baseUrl = 'https://pay.test';");
  expect(unescaped(page)).toContain('export NOTIFY_URL=http://receiver.test:18091/notify/IN10001');
  expect(page).not.toMatch(/127\.0\.0\.1:80[0-9]{2}/);
});

test('the guide of errors has every code, and every guide has its tables', async () => {
  const page = await (await fetch(`${fixture.url}/docs/guides/errors`)).text();
  for (const { code } of Object.values(failures))
    expect(page).toContain(`<td><a id="${code}" href="#${code}">${code}</a></td>`);
  for (const { name } of guides)
    expect(await (await fetch(`${fixture.url}${guidePath(name)}`)).text()).not.toContain('{{');
});

test('the guide of signing shows every served snippet, and each case with its headers', async () => {
  const page = await (await fetch(`${fixture.url}/docs/guides/signing`)).text();
  for (const { file } of snippets) {
    const served = await fetch(fixture.url + snippetPath(file));
    expect([file, served.status, served.headers.get('content-type')]).toEqual([file, 200, 'text/plain; charset=utf-8']);
    const text = await served.text();
    expect(text).toBe(readFileSync(new URL(`../../../../docs/signing/${file}`, import.meta.url), 'utf8'));
    expect(unescaped(page)).toContain(text.trim());
  }
  expect(readdirSync(new URL('../../../../docs/signing', import.meta.url)).toSorted()).toEqual(
    snippets.map(({ file }) => file).toSorted(),
  );
  const { cases } = JSON.parse(
    readFileSync(new URL('../../../signature/vectors/signing.json', import.meta.url), 'utf8'),
  );
  const signed = cases.filter(({ sign }: { sign?: string }) => sign !== undefined);
  expect(signed.length).toBeGreaterThan(20);
  for (const { timestamp, nonce, sign } of signed)
    expect(unescaped(page)).toContain(`X-Timestamp: ${timestamp}\nX-Nonce: ${nonce}\nX-Sign: ${sign}\n`);
});

const unescaped = (html: string): string =>
  html
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll(/&#(?:39|x27);/g, "'")
    .replaceAll('&amp;', '&');
