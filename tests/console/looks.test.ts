import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { chromiumPath, closeBrowser, openPage } from '../browser.ts';
import { borrowSandbox } from '../run-services/ask-services.ts';
import type { SharedSandbox } from '../run-services/shared-sandboxes.ts';
import { addressOf, barriersOf, buildConsole, desk, keepPicture, openConsole, placePayin } from './console-page.ts';

// How the operators' console looks and what it costs: barriers in light and dark, the first load, nothing from elsewhere.
// How each screen looked is kept in test-output/console.

vi.setConfig({ testTimeout: 180_000 });
const withBrowser = test.skipIf(chromiumPath === undefined);

let sandbox: SharedSandbox;
let orderNo = '';
beforeAll(async () => {
  if (chromiumPath === undefined) return;
  [sandbox] = await Promise.all([borrowSandbox({ merchants: [{ country: 'IN' }] }), buildConsole()]);
  for (const amount of ['100000.00', '250.50', '1234567.00']) await placePayin(sandbox.file, 'IN', { amount });
  orderNo = await placePayin(sandbox.file, 'IN', { amount: '60.00', answer: '500' });
});
afterAll(closeBrowser);

withBrowser.for(['light', 'dark'] as const)(
  'no screen has an accessibility problem in %s',
  async (colorScheme, context) => {
    const merchantNo = sandbox.file.merchants[0]?.merchantNo ?? '';
    const { page, errors } = await openConsole(context, sandbox, {
      colorScheme,
      path: `/orders?merchantIds=${merchantNo}`,
    });
    const look = async (name: string) => {
      await keepPicture(page, `${name} ${colorScheme}`);
      expect([name, await barriersOf(page, colorScheme)]).toEqual([name, []]);
    };
    await page.getByText('12,34,567.00').waitFor();
    await look('orders');
    await page.getByRole('button', { name: 'Status' }).first().click();
    await page.getByLabel('Completed').waitFor();
    await look('filter');
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: orderNo }).click();
    await page.getByText('answered HTTP 500').first().waitFor();
    await look('order');
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem').first().waitFor();
    await look('actions');
    await page.getByRole('menuitem', { name: 'Send the notification again' }).click();
    await page.getByRole('dialog').getByLabel('Reason').waitFor();
    await look('dialog');
    await page.keyboard.press('Escape');
    // Before signing out: a request that is on its way is then answered with 401, which the browser logs.
    expect(errors).toEqual([]);
    await page.getByRole('button', { name: /Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
    await page.getByRole('button', { name: 'Approver' }).waitFor();
    await look('sign in');
  },
);

withBrowser('a list keeps its contrast while it is loaded again', async (context) => {
  const { page } = await openConsole(context, sandbox, { path: '/orders' });
  await page.getByRole('link', { name: orderNo }).waitFor();
  const answered = Promise.withResolvers<void>();
  await page.route('**/graphql', async (route) => {
    await answered.promise;
    await route.continue().catch(() => undefined);
  });
  await page.getByRole('button', { name: 'Status' }).first().click();
  await page.getByLabel('Completed').click();
  await page.keyboard.press('Escape');
  await page.getByRole('region', { name: 'orders' }).and(page.locator('[aria-busy="true"]')).waitFor();
  await keepPicture(page, 'orders read again');
  expect(await barriersOf(page)).toEqual([]);
  answered.resolve();
});

withBrowser('the first load has at most 200 kB of JavaScript, and nothing comes from elsewhere', async (context) => {
  const opened = await openPage(desk);
  context.onTestFinished(() => opened.close());
  const { page, requests, errors } = opened;
  await page.goto(addressOf(sandbox, '/'));
  await page.getByRole('button', { name: 'Support' }).waitFor();
  const scripts = (await page.evaluate(
    `performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js')).map(({ encodedBodySize }) => encodedBodySize)`,
  )) as number[];
  expect(scripts.length).toBeGreaterThan(2);
  expect(scripts.reduce((sum, size) => sum + size, 0)).toBeLessThan(200_000);
  const { origin } = new URL(sandbox.file.graphqlUrl);
  expect(requests.filter((url) => new URL(url).origin !== origin)).toEqual([]);
  expect(errors).toEqual([]);
});
