import { takeKeyPair } from '@tidegate/domain/testing';
import { readBody, sign } from '@tidegate/signature';
import axe from 'axe-core';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { chromiumPath, type OpenPage, openPage } from '../../../../../tests/browser.ts';
import { type Fixture, startFixture } from '../../../test/rest-fixture.ts';
import { readBrowserModules } from './browser-modules.ts';

// The doctor's page in a real browser. Its findings are tested elsewhere. Here: that the page uses the doctor and sends
// nothing.

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
const withBrowser = test.skipIf(chromiumPath === undefined);

const { privateKey, publicKey } = takeKeyPair();
const publicPem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
const body = '{"merchantOrderNo":"M-1","amount":100.50,"remark":"50% off"}';
const nonce = '3f2b0a52-5a0e-4a0f-9c55-1f6f4f0d7c11';
const timestamp = String(Math.floor(Date.now() / 1_000));
const right = readBody(Buffer.from(body)).content(timestamp, nonce);

let fixture: Fixture;
let browser: OpenPage;
let requestsBefore = 0;
beforeAll(async () => {
  fixture = await startFixture();
  if (chromiumPath !== undefined) browser = await openPage();
});
afterAll(async () => {
  vi.resetConfig();
  await browser?.close();
  await fixture?.close();
});
beforeEach(async () => {
  if (chromiumPath === undefined) return;
  await browser.page.goto(`${fixture.url}/docs/guides/signing`);
  await browser.page.getByRole('link', { name: 'Doctor', exact: true }).click();
  await browser.page.getByRole('heading', { name: 'The doctor', level: 1 }).waitFor();
  // By then the page's modules have run.
  await browser.page.waitForLoadState('load');
  requestsBefore = browser.requests.length;
});

async function requestOver(text: string): Promise<string> {
  return [
    'POST /api/v1/merchant/payin/create HTTP/1.1',
    'Content-Type: application/json',
    'X-Merchant-No: IN10001',
    `X-Timestamp: ${timestamp}`,
    `X-Nonce: ${nonce}`,
    `X-Sign: ${await sign(text, privateKey)}`,
    '',
    body,
  ].join('\n');
}

/** Fills the fields by their labels, and reads the findings. */
async function examine(fields: Readonly<Record<string, string>>): Promise<string> {
  const { page } = browser;
  for (const [label, text] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(text);
  await page.getByRole('button', { name: 'Examine' }).click();
  await page.getByRole('heading', { name: 'What was found' }).waitFor();
  return (await page.getByRole('status').textContent()) ?? '';
}

withBrowser.each<[string, string, string[]]>([
  ['a number that lost its zero', right.replace('100.50', '100.5'), ['✗ number', 'Do: ', `Should be${right}`]],
  ['a percent sign that was not escaped', right.replace('%25', '%'), ['✗ escape']],
  ['pairs that are not sorted', right.split('&').toReversed().join('&'), ['✗ order']],
  ['nothing', right, ['✓ signature: the signature is valid']],
])('the doctor finds %s', async (_, signed, findings) => {
  const found = await examine({ 'The refused request': await requestOver(signed), 'Your public key': publicPem });
  for (const part of findings) expect(found).toContain(part);
  expect(browser.requests.slice(requestsBefore)).toEqual([]);
  expect(browser.errors).toEqual([]);
});

withBrowser('the findings are at the top of the window', async () => {
  await examine({ 'The refused request': await requestOver(right), 'Your public key': publicPem });
  const { page } = browser;
  await expect
    .poll(async () => (await page.getByRole('heading', { name: 'What was found' }).boundingBox())?.y)
    .toBeLessThan((page.viewportSize()?.height ?? 0) / 2);
});

withBrowser('on a phone nothing covers the findings', async () => {
  const { page } = browser;
  const { width = 0, height = 0 } = page.viewportSize() ?? {};
  await page.setViewportSize({ width: 390, height: 844 });
  try {
    await examine({ 'The refused request': await requestOver(right), 'Your public key': publicPem });
    const isOnTop = (): Promise<boolean> =>
      page.getByRole('heading', { name: 'What was found' }).evaluate((heading) => {
        const { left, top, bottom } = heading.getBoundingClientRect();
        return heading.contains(document.elementFromPoint(left + 5, (top + bottom) / 2));
      });
    await expect.poll(isOnTop).toBe(true);
  } finally {
    await page.setViewportSize({ width, height });
  }
});

withBrowser('the doctor compares the signed text with the text that the service derived', async () => {
  const signed = right.replace('50%25 off', '50%25+off');
  const found = await examine({
    'The refused request': await requestOver(signed),
    'The text that you signed': `${signed}\n`,
    'The text that the service derived': `${right}\n`,
  });
  expect(found).toContain('✗ escape');
});

withBrowser('the doctor accepts the whole output of curl -v with the body added', async () => {
  const [head = ''] = (await requestOver(right.replace('%25', '%'))).split('\n\n');
  const answer = JSON.stringify({ code: 40101, msg: 'signature invalid', data: { signedContent: right } });
  const printed = `* Connected\n${head.replaceAll(/^/gm, '> ')}\n> \n${body}\n< HTTP/1.1 401 Unauthorized\n${answer}`;
  expect(await examine({ 'The refused request': printed, 'Your public key': publicPem })).toContain('✗ escape');
});

withBrowser('a private key is refused in every field, and nothing of it is shown or sent', async () => {
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  for (const label of ['Your public key', 'The refused request']) {
    const found = await examine({ 'The refused request': await requestOver(right), [label]: pem });
    expect(found).toContain('that is a private key');
    expect(found).not.toContain(pem.split('\n')[1]);
  }
  expect(browser.requests.slice(requestsBefore)).toEqual([]);
});

withBrowser('input that cannot be read is explained', async () => {
  expect(await examine({})).toContain('give the refused request');
  expect(await examine({ 'The refused request': 'hello' })).toContain('this is no header line');
  const headersAlone = (await requestOver(right)).replace(body, '');
  expect(await examine({ 'The refused request': headersAlone })).toContain('the body of the POST is missing');
});

withBrowser('the page is accessible, also on a narrow phone', async () => {
  const { page } = browser;
  await page.setViewportSize({ width: 320, height: 800 });
  await examine({
    'The refused request': await requestOver(right.replace('100.50', '100.5')),
    'Your public key': publicPem,
  });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
  expect(await page.evaluate('document.activeElement.textContent')).toBe('What was found');
  await page.evaluate(axe.source);
  const { violations, passes } = (await page.evaluate('axe.run()')) as axe.AxeResults;
  expect(passes.length).toBeGreaterThan(10);
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
});

test('the page loads nothing and sends nothing', async () => {
  const { headers } = await fetch(`${fixture.url}/docs/doctor`);
  const policy = (headers.get('content-security-policy') ?? '').split('; ');
  expect(policy).toEqual(expect.arrayContaining(["default-src 'none'", "script-src 'self'", "form-action 'none'"]));
  expect(policy.filter((rule) => /connect-src|unsafe|https?:|\*/.test(rule))).toEqual([]);
});

test("only the doctor's own sources are served", async () => {
  const modules = [...readBrowserModules().keys()];
  expect(modules).toContain('/docs/doctor/signature/src/doctor/diagnose.js');
  expect(
    modules.filter((path) => !/^\/docs\/doctor\/(?:signature\/src|rest-adapter\/src\/docs\/doctor)\//.test(path)),
  ).toEqual([]);
  for (const path of [
    'signature/src/sign.js',
    'client/src/client.js',
    '../../package.json',
    'client%2fsrc%2fclient.js',
  ])
    expect([path, (await fetch(`${fixture.url}/docs/doctor/${path}`)).status]).toEqual([path, 404]);
});
