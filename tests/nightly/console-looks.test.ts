import { beforeAll, expect } from 'vitest';
import { chromiumPath, openPage } from '../browser.ts';
import { addressOf, barriersOf, desk, keepPicture, openConsole } from '../console/console-page.ts';
import { lookAtOrders, placeOrdersToLookAt } from '../console/look-at-screens.ts';
import { useConsole, withBrowser } from '../console/use-console.ts';

// How the operators' console looks and what it costs: barriers, the first load, nothing from elsewhere.
// How each screen looked is kept in test-output/console.

const sandbox = useConsole({ merchants: [{ country: 'IN' }] });
let orderNo = '';
beforeAll(async () => {
  if (chromiumPath === undefined) return;
  orderNo = await placeOrdersToLookAt(sandbox);
});

withBrowser('no screen of orders has an accessibility problem in light', (context) =>
  lookAtOrders(context, sandbox, orderNo, 'light'),
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
