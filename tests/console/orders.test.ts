import type { Request } from 'playwright-core';
import { expect } from 'vitest';
import { aPng } from '../../packages/domain/src/testing/small-files.ts';
import { askAsOperator } from '../../packages/sandbox/src/demo/operator-client.ts';
import { waitUntil } from '../../packages/sandbox/src/wait-until.ts';
import { openPage, textOf } from '../browser.ts';
import {
  addressOf,
  desk,
  keepPicture,
  merchantNumberOf,
  openConsole,
  phone,
  placePayin,
  widthOf,
} from './console-page.ts';
import { useConsole, withBrowser } from './use-console.ts';

// Orders in the operators' console, in a real browser. Merchants of its own: the lists show these orders alone.

const sandbox = useConsole({ merchants: [{ country: 'CN' }] });

/** Whether a request reads one order. */
const isDetail = (request: Request) => request.postData()?.includes('"operationName":"OrderDetail"') ?? false;

async function waitUntilNotified(orderNo: string): Promise<void> {
  const ask = askAsOperator(sandbox.file.graphqlUrl, sandbox.file.adminToken);
  const query = `query ($orderNo: String!) {
    order(orderNo: $orderNo) { notifications(first: 1) { edges { node { state } } } }
  }`;
  interface Found {
    order: { notifications: { edges: { node: { state: string } }[] } };
  }
  await waitUntil(
    `${orderNo} is notified`,
    async () => (await ask<Found>(query, { orderNo })).order.notifications.edges[0]?.node.state === 'DELIVERED',
    { timeoutMs: 60_000, everyMs: 200 },
  );
}

async function waitUntilFindable(search: string): Promise<void> {
  const ask = askAsOperator(sandbox.file.graphqlUrl, sandbox.file.adminToken);
  const query = 'query ($filter: OrderFilter) { orders(first: 1, filter: $filter) { edges { node { orderNo } } } }';
  const isFound = async () =>
    (await ask<{ orders: { edges: object[] } }>(query, { filter: { search } })).orders.edges.length > 0;
  await waitUntil(`${search} is found`, isFound, { timeoutMs: 60_000, everyMs: 100 });
}

const ofToday = () => `/orders?created=today&merchantIds=${sandbox.merchantNo}`;

withBrowser('an order of today whose notification failed is found, explained and notified again', async (context) => {
  const orderNo = await placePayin(sandbox.file, 'CN', { answer: '500' });
  const { page, errors } = await openConsole(context, sandbox);
  await page.getByRole('button', { name: 'Created' }).click();
  await page.getByLabel('Today').click();
  await page.getByRole('button', { name: 'Merchant', exact: true }).click();
  await page.getByRole('textbox', { name: 'Merchant' }).fill(sandbox.merchantNo);
  await page.keyboard.press('Enter');
  await page.waitForURL(`**${ofToday()}`);
  await page.getByRole('link', { name: orderNo }).click();

  const story = page.getByRole('status').filter({ hasText: 'The merchant is not notified yet' });
  await story.filter({ hasText: 'answered HTTP 500' }).waitFor();
  const dialog = page.getByRole('dialog', { name: 'Send the notification again' });
  const openDialog = async () => {
    await story.getByRole('button', { name: 'Send the notification again' }).click();
    await dialog.getByText(orderNo).waitFor();
  };
  await openDialog();
  await dialog.getByLabel('Reason').fill('   ');
  await dialog.getByRole('button', { name: 'Send the notification again' }).click();
  await dialog.getByRole('alert').waitFor();
  const isSent = async (): Promise<boolean> => {
    await dialog.getByLabel('Reason').fill('The merchant has fixed its endpoint');
    await dialog.getByRole('button', { name: 'Send the notification again' }).click();
    return (await dialog.getByText('Sent again:').textContent())?.includes('Sent again: 1') ?? false;
  };
  // An attempt of the schedule may be under way just now. Then nothing is sent again, and the operator tries once more.
  while (!(await isSent())) {
    await dialog.getByText('Left as they are: 1').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await openDialog();
  }
  await keepPicture(page, 'order sent again');
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await page.getByText('Resend notification, by support').waitFor();
  await page.getByRole('button', { name: 'Take', exact: true }).click();
  await page.getByText('Assigned to you').waitFor();
  await page.getByLabel('New note').fill('The merchant fixes its endpoint');
  await page.getByRole('button', { name: 'Add note' }).click();
  await page.getByRole('listitem').filter({ hasText: 'The merchant fixes' }).getByText('support').waitFor();
  await page.getByLabel('Add a file').setInputFiles({ name: 'log.png', mimeType: 'image/png', buffer: aPng() });
  await page.getByRole('button', { name: 'log.png' }).waitFor();
  expect(errors).toEqual([]);
});

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

withBrowser('a search without a result is repeated, and opens its order as soon as it is found', async (context) => {
  const orderNo = await placePayin(sandbox.file, 'CN');
  const number = await merchantNumberOf(sandbox, orderNo);
  const { page } = await openConsole(context, sandbox, { path: ofToday() });
  let searches = 0;
  await page.route('**/graphql', async (route, request) => {
    const body = request.postData() ?? '';
    if (!body.includes('"operationName":"OrderList"') || !body.includes(number)) return route.fallback();
    searches += 1;
    if (searches > 2) return route.fallback();
    const response = await route.fetch();
    const answer = (await response.json()) as { data: { orders: object } };
    Object.assign(answer.data.orders, { edges: [], totalCount: 0 });
    return route.fulfill({ response, json: answer });
  });
  await page.getByRole('searchbox', { name: 'Search orders' }).fill(number);
  await page.keyboard.press('Enter');
  await page.getByText('No order matches').waitFor();
  await page.waitForURL(`**/orders/${orderNo}`);
  expect(searches).toBeGreaterThan(2);
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

withBrowser(
  'with the keyboard alone an operator signs in, finds an order, opens its dialog and leaves',
  async (context) => {
    const orderNo = await placePayin(sandbox.file, 'CN');
    const { page, close } = await openPage({ ...desk, timezoneId: 'Asia/Kolkata', locale: 'en-GB' });
    context.onTestFinished(close);
    const { keyboard } = page;
    await page.goto(addressOf(sandbox, ofToday()));
    await page.getByRole('button', { name: 'Support' }).focus();
    await keyboard.press('Enter');
    await page.getByRole('link', { name: orderNo }).waitFor();
    // A notification that waits for its first attempt is not sent again.
    await waitUntilNotified(orderNo);
    await keyboard.press('j');
    expect(await page.evaluate('document.activeElement.textContent')).toMatch(/^PI/);
    await keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Go to orders').waitFor();
    await keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await keyboard.press('/');
    await keyboard.type(orderNo);
    await keyboard.press('Enter');
    await page.getByRole('heading', { name: '88.00' }).waitFor();
    await page.getByRole('button', { name: 'Actions' }).focus();
    await keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Cancel the order' }).getByText('Needs the role operator').waitFor();
    await page.getByRole('menuitem', { name: 'Send the notification again' }).focus();
    await keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Send the notification again' });
    await dialog.waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('TEXTAREA');
    await keyboard.type('The merchant asked');
    await keyboard.press('Control+Enter');
    await dialog.getByText('Sent again: 1').waitFor();
    await keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await keyboard.press('g');
    await keyboard.press('o');
    await page.getByRole('heading', { name: 'Orders' }).waitFor();
    await keyboard.press('f');
    await page.getByRole('textbox', { name: 'Search' }).waitFor();
    await keyboard.type(orderNo);
    await keyboard.press('Enter');
    await page.getByRole('status').filter({ hasText: '1 order' }).waitFor();
  },
);

withBrowser('new orders and new states appear by themselves within a second', async (context) => {
  const { page } = await openConsole(context, sandbox, { path: ofToday() });
  await page.getByRole('status').filter({ hasText: 'Live' }).waitFor();
  const lags: number[] = [];
  for (let i = 0; i < 5; i += 1) {
    const orderNo = await placePayin(sandbox.file, 'CN', { amount: `${90 + i}.00` });
    const began = performance.now();
    const row = page.getByRole('row').filter({ hasText: orderNo });
    await row.waitFor();
    lags.push(performance.now() - began);
    await row.getByText('Completed').waitFor();
  }
  const [, , median = Number.POSITIVE_INFINITY] = lags.toSorted((a, b) => a - b);
  expect(median).toBeLessThan(1_000);
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
  await waitUntilNotified(orderNo);
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

withBrowser('on a phone an order is searched and read without sideways scrolling', async (context) => {
  const orderNo = await placePayin(sandbox.file, 'CN', { answer: '500' });
  const { page } = await openConsole(context, sandbox, { ...phone, path: ofToday() });
  await page.getByRole('link', { name: orderNo }).waitFor();
  expect(await widthOf(page)).toBe(390);
  await keepPicture(page, 'orders phone');
  await page.getByRole('searchbox', { name: 'Search orders' }).fill(orderNo);
  await page.keyboard.press('Enter');
  await page.getByText('answered HTTP 500').first().waitFor();
  expect(await widthOf(page)).toBe(390);
  await keepPicture(page, 'order phone');
});

withBrowser('after signing out, the page shows the sign-in form and no data from before', async (context) => {
  const { page } = await openConsole(context, sandbox, { path: ofToday() });
  await page.getByRole('button', { name: 'Account of support' }).click();
  await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
  await page.getByRole('button', { name: /^Support/ }).waitFor();
  await page.goto(addressOf(sandbox, '/orders'));
  await page.getByRole('button', { name: /^Support/ }).waitFor();
  expect(await page.getByRole('table').count()).toBe(0);
});
