import { expect } from 'vitest';
import { aPng } from '../../packages/domain/src/testing/small-files.ts';
import { openPage } from '../browser.ts';
import {
  addressOf,
  desk,
  keepPicture,
  merchantNumberOf,
  openConsole,
  phone,
  placePayin,
  waitUntilNotified,
  widthOf,
  zoneOfToday,
} from './console-page.ts';
import { useConsole, withBrowser } from './use-console.ts';

// Orders in the operators' console, in a real browser. Merchants of its own: the lists show these orders alone.

const sandbox = useConsole({ merchants: [{ country: 'CN' }] });

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

withBrowser(
  'with the keyboard alone an operator signs in, finds an order, opens its dialog and leaves',
  async (context) => {
    const orderNo = await placePayin(sandbox.file, 'CN');
    const { page, close } = await openPage({ ...desk, timezoneId: zoneOfToday, locale: 'en-GB' });
    context.onTestFinished(close);
    const { keyboard } = page;
    await page.goto(addressOf(sandbox, ofToday()));
    await page.getByRole('button', { name: 'Support' }).focus();
    await keyboard.press('Enter');
    await page.getByRole('link', { name: orderNo }).waitFor();
    // A notification that waits for its first attempt is not sent again.
    await waitUntilNotified(sandbox, orderNo);
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
