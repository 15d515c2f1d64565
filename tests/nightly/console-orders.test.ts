import type { Request } from 'playwright-core';
import { expect } from 'vitest';
import { askAsOperator } from '../../tools/sandbox/src/demo/operator-client.ts';
import { waitUntil } from '../../tools/sandbox/src/wait-until.ts';
import { textOf } from '../browser.ts';
import {
  addressOf,
  keepPicture,
  merchantNumberOf,
  openConsole,
  placePayin,
  waitUntilNotified,
} from '../console/console-page.ts';
import { useConsole, withBrowser } from '../console/use-console.ts';

// Orders in the operators' console, in a real browser: history, exports, and answers that come late or never.

const sandbox = useConsole({ merchants: [{ country: 'CN' }] });

/** Whether a request reads one order. */
const isDetail = (request: Request) => request.postData()?.includes('"operationName":"OrderDetail"') ?? false;

async function waitUntilFindable(search: string): Promise<void> {
  const ask = askAsOperator(sandbox.file.graphqlUrl, sandbox.file.adminToken);
  const query = 'query ($filter: OrderFilter) { orders(first: 1, filter: $filter) { edges { node { orderNo } } } }';
  const isFound = async () =>
    (await ask<{ orders: { edges: object[] } }>(query, { filter: { search } })).orders.edges.length > 0;
  await waitUntil(`${search} is found`, isFound, { timeoutMs: 60_000, everyMs: 100 });
}

const ofToday = () => `/orders?created=today&merchantIds=${sandbox.merchantNo}`;

withBrowser('reload and the back button keep filters and places', async (context) => {
  const orderNo = await placePayin(sandbox.file, 'CN');
  const { page } = await openConsole(context, sandbox, { path: ofToday() });
  await page.getByRole('link', { name: orderNo }).click();
  await page.getByRole('heading', { name: '88.00' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: '88.00' }).waitFor();
  await page.goBack();
  await page.getByRole('link', { name: orderNo }).waitFor();
  expect(page.url()).toBe(addressOf(sandbox, ofToday()));
  await page.getByRole('button', { name: 'Remove the filter Created' }).click();
  await page.waitForURL((url) => url.search === `?merchantIds=${sandbox.merchantNo}`);
});

withBrowser('a search does not open the only order of the list before it', async (context) => {
  const [shown, wanted] = [await placePayin(sandbox.file, 'CN'), await placePayin(sandbox.file, 'CN')];
  const [shownNumber, wantedNumber] = [await merchantNumberOf(sandbox, shown), await merchantNumberOf(sandbox, wanted)];
  // A search that finds nothing yet is repeated, and then opens the order instead of listing it.
  await waitUntilFindable(shownNumber);
  const { page } = await openConsole(context, sandbox, { path: `/orders?search=${shownNumber}` });
  await page.getByRole('link', { name: shown }).waitFor();
  const visited: string[] = [];
  page.on('framenavigated', (frame) => visited.push(new URL(frame.url()).pathname));
  await page.getByRole('searchbox', { name: 'Search orders' }).fill(wantedNumber);
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/orders/${wanted}`);
  expect(visited.filter((path) => path.endsWith(shown))).toEqual([]);
});

withBrowser('the orders of a search are exported as a file that a worker writes', async (context) => {
  const orderNo = await placePayin(sandbox.file, 'CN', {});
  const { page, errors } = await openConsole(context, sandbox, { path: ofToday() });
  await page.getByRole('link', { name: orderNo }).waitFor();
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: 'CSV' }).click();
  await page.getByText('Ready').waitFor();
  await keepPicture(page, 'orders exported');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).click();
  const text = await textOf(await download);
  expect(text.split('\n').filter((line) => line.includes(orderNo))).toHaveLength(1);
  expect(errors).toEqual([]);
});

withBrowser('a lost connection is shown, and recovers by itself', async (context) => {
  const { page } = await openConsole(context, sandbox, { path: ofToday() });
  await page.getByRole('status').filter({ hasText: 'Live' }).waitFor();
  await page.context().setOffline(true);
  await page.getByRole('link', { name: 'Orders' }).click();
  await page
    .getByRole('status')
    .filter({ hasText: /Offline|Reconnecting/ })
    .waitFor();
  const orderNo = await placePayin(sandbox.file, 'CN', { amount: '77.00' });
  await page.context().setOffline(false);
  await page.getByRole('status').filter({ hasText: 'Live' }).waitFor();
  await page.getByRole('link', { name: orderNo }).waitFor();
});

withBrowser('a change between the first read and the opening of the stream is shown', async (context) => {
  const orderNo = await placePayin(sandbox.file, 'CN');
  await waitUntilNotified(sandbox, orderNo);
  const { page } = await openConsole(context, sandbox, { path: ofToday() });
  let wasRead = false;
  await page.route('**/graphql', async (route, request) => {
    if (wasRead || !isDetail(request)) return route.fallback();
    wasRead = true;
    const response = await route.fetch();
    return route.fulfill({ response, body: (await response.text()).replaceAll('"COMPLETED"', '"PROCESSING"') });
  });
  await page.getByRole('link', { name: orderNo }).click();
  await page.getByRole('heading', { name: '88.00' }).waitFor();
  expect(wasRead).toBe(true);
  await page.getByRole('main').getByText('Completed').first().waitFor();
});
