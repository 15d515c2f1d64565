import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, type TestContext, test, vi } from 'vitest';
import { askAsOperator } from '../../tools/sandbox/src/demo/operator-client.ts';
import { queryDatabase } from '../../tools/sandbox/test/own-postgres.ts';
import { chromiumPath, closeBrowser } from '../browser.ts';
import { addressOf, barriersOf, buildConsole, keepPicture, openConsole, placePayin } from '../console/console-page.ts';
import { closeDialog, placeChannel, runDialog } from '../console/work-page.ts';
import { borrowSandbox } from '../run-services/ask-services.ts';
import type { SharedSandbox } from '../run-services/shared-sandboxes.ts';

// Today, notifications, merchants, wallets, channels and operators, as their people use them.

vi.setConfig({ testTimeout: 180_000 });
const withBrowser = test.skipIf(chromiumPath === undefined);

let sandbox: SharedSandbox;
let merchantNo = '';
beforeAll(async () => {
  if (chromiumPath === undefined) return;
  [sandbox] = await Promise.all([borrowSandbox({ merchants: [{ country: 'IN' }] }), buildConsole()]);
  merchantNo = sandbox.file.merchants[0]?.merchantNo ?? '';
  await placePayin(sandbox.file, 'IN', { amount: '250.00' });
  await placePayin(sandbox.file, 'IN', { amount: '60.00', answer: '500' });
  // A host is listed one to two minutes after its first attempt.
  await queryDatabase(
    sandbox.file.databaseUrl,
    `insert into host_health (merchant_id, host, last_failure_at, last_http_status, last_attempt_at)
     values ($1, '127.0.0.1:1', clock_timestamp(), 500, clock_timestamp())`,
    [merchantNo],
  );
});
afterAll(closeBrowser);

/** The next day on which clocks in Berlin go from 02:00 to 03:00: the last Sunday of March, at least two days from now. */
const skipping = (() => {
  const after = Date.now() + 2 * 86_400_000;
  const year = new Date(after).getUTCFullYear();
  const lastSunday = (of: number): number => {
    const end = new Date(Date.UTC(of, 2, 31));
    return end.getTime() - end.getUTCDay() * 86_400_000;
  };
  return new Date(lastSunday(year) > after ? lastSunday(year) : lastSunday(year + 1));
})();
const skippedTime = `${skipping.toISOString().slice(0, 10)}T02:30`;
const shownDay = `${skipping.getUTCDate()} Mar`;

/** Every screen of this file: its address, and a text that it shows once it is read. */
const screens = (): [name: string, path: string, shows: string][] => [
  ['today', '/', 'By hour'],
  ['notifications', `/notifications?merchantIds=${merchantNo}`, 'Answered HTTP 500'],
  ['hosts', `/notifications/hosts?merchantIds=${merchantNo}`, 'Last failure'],
  ['merchants', '/merchants', merchantNo],
  ['merchant', `/merchants/${merchantNo}`, 'Keys that sign notifications'],
  ['new merchant', '/merchants/new', 'Number, name, country'],
  ['wallets', '/wallets', merchantNo],
  ['statement', `/wallets/${merchantNo}`, 'Closing balance'],
  ['channels', '/channels', 'sandbox'],
  ['channel', '/channels/sandbox', 'Bank codes'],
  ['operators', '/operators', 'Who may do what'],
  ['operator', '/operators/support', 'Tokens'],
];

withBrowser.for(['light', 'dark'] as const)('every screen is accessible in %s', async (colorScheme, context) => {
  const { page, errors } = await openConsole(context, sandbox, { role: 'Admin', colorScheme });
  for (const [name, path, shows] of screens()) {
    await page.goto(addressOf(sandbox, path));
    await page.getByText(shows).first().waitFor();
    await keepPicture(page, `${name} ${colorScheme}`);
    expect([name, await barriersOf(page, colorScheme)]).toEqual([name, []]);
  }
  expect(errors).toEqual([]);
});

/** Chooses a time zone or colours in the menu of the admin. */
async function choose(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Account of admin' }).click();
  await page.getByRole('menuitemradio', { name }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
}

withBrowser('zone, colours and columns follow an operator to another browser', async (context) => {
  const ask = askAsOperator(sandbox.file.graphqlUrl, sandbox.file.adminToken);
  context.onTestFinished(async () => {
    await ask(
      'mutation { setPreferences(input: { colourScheme: SYSTEM, columns: [{ screen: OPERATORS }] }) { timeZone } }',
    );
  });
  const { page } = await openConsole(context, sandbox, { role: 'Admin', path: '/operators' });
  await choose(page, 'China (Shanghai)');
  await choose(page, 'Dark');
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByLabel('Created').check();
  const query = '{ preferences { timeZone colourScheme columns { screen names } } }';
  const chosen = { timeZone: 'Asia/Shanghai', colourScheme: 'DARK' };
  await expect
    .poll(() => ask(query))
    .toMatchObject({
      preferences: { ...chosen, columns: [{ screen: 'OPERATORS', names: expect.arrayContaining(['created']) }] },
    });
  const { page: other } = await openConsole(context, sandbox, { role: 'Admin', path: '/operators' });
  await other.getByRole('columnheader', { name: 'Created' }).waitFor();
  expect(await other.locator('html').getAttribute('data-mantine-color-scheme')).toBe('dark');
  await other.getByRole('button', { name: 'Account of admin' }).click();
  await other.getByRole('menuitemradio', { name: 'China (Shanghai)', checked: true }).waitFor();
  // An operator who signs in at the same computer does not get what another one chose.
  await other.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
  await other.getByRole('button', { name: 'Approver' }).click();
  await other.getByRole('button', { name: 'Account of approver' }).click();
  await other.getByRole('menuitemradio', { name: 'This computer', checked: true }).waitFor();
  expect(await other.locator('html').getAttribute('data-mantine-color-scheme')).toBe('light');
});

withBrowser('a fee begins at the time that was typed, in the zone that the operator chose', async (context) => {
  const { page } = await openConsole(context, sandbox, {
    role: 'Admin',
    path: `/merchants/${merchantNo}`,
    timezoneId: 'Europe/Berlin',
  });
  await choose(page, 'Pakistan (Karachi)');
  await page.getByRole('button', { name: 'Set a fee' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Percent of the amount').fill('2.7');
  // Clocks in Berlin skip this time.
  await dialog.getByLabel('From', { exact: true }).fill(skippedTime);
  await dialog.getByText('Asia/Karachi').waitFor();
  await dialog.getByLabel('Reason').fill('A new contract');
  await keepPicture(page, 'time field');
  const sent = page.waitForRequest((request) => (request.postData() ?? '').includes('"percent":"2.7"'));
  await dialog.getByRole('button', { name: 'Set a fee' }).click();
  expect((await sent).postDataJSON().variables.input.from).toBe(new Date(`${skippedTime}:00+05:00`).toISOString());
  await dialog.getByText('This waits for a second operator').waitFor();
  await dialog.getByRole('link', { name: 'See the approval' }).click();
  await page.getByText(`${shownDay}, 02:30`).first().waitFor();
});

withBrowser('a time that clocks skip in the chosen zone is moved forward, and the dialog says so', async (context) => {
  const { page } = await openConsole(context, sandbox, {
    role: 'Admin',
    path: `/merchants/${merchantNo}`,
    timezoneId: 'Europe/Berlin',
  });
  await choose(page, 'This computer');
  await page.getByRole('button', { name: 'Set a fee' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('From', { exact: true }).fill(skippedTime);
  await dialog.getByText(`Clocks skip this time there. It is moved to ${shownDay}, 03:30.`).waitFor();
});

withBrowser('settings from an outdated page are refused, and the typed values are kept', async (context) => {
  const path = `/merchants/${merchantNo}`;
  const [{ page: first }, { page: second }] = await Promise.all([
    openConsole(context, sandbox, { role: 'Admin', path }),
    openConsole(context, sandbox, { role: 'Approver', path }),
  ]);
  const [own, late] = [await openAction(first, 'Change settings'), await openAction(second, 'Change settings')];
  await own.getByLabel('Requests at once').fill('7');
  await own.getByLabel('Reason').fill('Fewer at once');
  await own.getByRole('button', { name: 'Change settings' }).click();
  await own.getByText('The settings are changed').waitFor();
  await late.getByLabel('Requests per second').fill('6');
  await late.getByLabel('Reason').fill('Fewer each second');
  await late.getByRole('button', { name: 'Change settings' }).click();
  await late.getByRole('alert').getByText('Changed last by admin').waitFor();
  expect(await late.getByLabel('Requests per second').inputValue()).toBe('6');
  expect(await late.getByLabel('Reason').inputValue()).toBe('Fewer each second');
  await keepPicture(second, 'settings changed by another');
  await second.getByText(', at once 7').waitFor();
});

/** Chooses an action of the page's menu, and returns its dialog. */
async function openAction(page: Page, name: string) {
  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name }).click();
  return page.getByRole('dialog');
}

withBrowser('finance tops up a wallet, and finds the booking in the statement', async (context) => {
  const { page } = await openConsole(context, sandbox, { role: 'Admin', path: `/wallets/${merchantNo}` });
  const dialog = await openAction(page, 'Top up');
  await dialog.getByLabel('Amount received (INR)').fill('12.345');
  await dialog.getByLabel('Number of the bank transfer').fill(`T-${Date.now()}`);
  await dialog.getByLabel('Remark for the merchant').fill('Transfer of today');
  await dialog.getByLabel('Reason').fill('Money came in at the bank');
  await dialog.getByRole('button', { name: 'Top up' }).click();
  // Nothing that was typed is lost by an error.
  await dialog.getByText('12.345 can mean').waitFor();
  expect(await dialog.getByLabel('Remark for the merchant').inputValue()).toBe('Transfer of today');
  await dialog.getByLabel('Amount received (INR)').fill('12.34');
  await dialog.getByRole('button', { name: 'Top up' }).click();
  await dialog.getByText('Booked. Available now').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('cell', { name: 'Transfer of today' }).waitFor();
});

withBrowser('support resends many notifications after seeing their number', async (context) => {
  const path = `/notifications?merchantIds=${merchantNo}&created=7d&states=PENDING`;
  const { page } = await openConsole(context, sandbox, { path });
  await page.getByText('Answered HTTP 500').waitFor();
  await page.getByRole('button', { name: 'Send 1 again' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('The merchant fixed its endpoint');
  await dialog.getByRole('button', { name: 'Send 1 again' }).click();
  await dialog.getByText(/Sent again: [01]\./).waitFor();
});

/** The second operator approves what an open dialog says is waiting. `rows`: what it changes, shown until it is carried out. */
async function approveAsSecond(context: TestContext, page: Page, rows: readonly RegExp[] = []) {
  // The page below has the same link.
  const link = page.getByRole('dialog').getByRole('link', { name: 'See the approval' });
  const path = await link.getAttribute('href');
  const { page: second } = await openConsole(context, sandbox, { role: 'Approver' });
  await second.goto(new URL(path ?? '', addressOf(sandbox, '/')).href);
  for (const name of rows) await second.getByRole('row', { name }).first().waitFor();
  await second.getByRole('button', { name: 'Approve', exact: true }).click();
  await runDialog(second, 'Approve', null);
  await second.getByText('Approved and carried out').waitFor();
  return second;
}

withBrowser('an admin disables a channel, and enables it with a second operator', async (context) => {
  const { page } = await openConsole(context, sandbox, { role: 'Admin', path: '/channels/market' });
  const decide = async (action: string) => {
    const dialog = await openAction(page, action);
    await dialog.getByLabel('Reason').fill('A test of the switch');
    await dialog.getByRole('button', { name: action }).click();
    return dialog;
  };
  const off = await decide('Switch off');
  await off.getByText('New orders no longer go to this channel').waitFor();
  await closeDialog(page);
  await page.getByText('Off', { exact: true }).first().waitFor();
  const on = await decide('Switch on');
  await on.getByText('This waits for a second operator').waitFor();
  await approveAsSecond(context, page);
  await page.reload();
  await page.getByText('On', { exact: true }).first().waitFor();
});

withBrowser(
  'an admin changes one credential of a channel: no screen shows its value, the other stays',
  async (context) => {
    const channelId = `keeps-${Date.now().toString(36)}`;
    await placeChannel(sandbox.file, channelId);
    const { page, errors } = await openConsole(context, sandbox, { role: 'Admin', path: `/channels/${channelId}` });
    const dialog = await openAction(page, 'Change settings');
    for (const name of ['Password', 'Integrity salt'])
      expect(await dialog.getByLabel(name, { exact: true }).inputValue()).toBe('');
    await dialog.getByLabel('URL', { exact: true }).fill('http://127.0.0.2:9009');
    await dialog.getByText('Enter every credential again').waitFor();
    await dialog.getByLabel('URL', { exact: true }).fill('http://127.0.0.1:9009');
    await dialog.getByLabel('Password', { exact: true }).fill('third-secret');
    await dialog.getByLabel('Gateway').selectOption('classic');
    await dialog.getByLabel('Merchant MPIN').fill('no-secret');
    await dialog.getByLabel('A payin expires after').fill('900');
    await dialog.getByLabel('Reason').fill('The provider changed the key');
    expect(await barriersOf(page)).toEqual([]);
    await keepPicture(page, 'channel settings');
    await dialog.getByRole('button', { name: 'Change settings' }).click();
    await dialog.getByText('must be 4 to 8 digits', { exact: true }).waitFor();
    await dialog.getByLabel('Merchant MPIN').fill('123456');
    await dialog.getByRole('button', { name: 'Change settings' }).click();
    await dialog.getByText('This waits for a second operator').waitFor();
    const second = await approveAsSecond(context, page, [/Credentials/, /Credentials set again/]);
    expect(await second.content()).not.toMatch(/-secret/);
    await page.reload();
    await page.getByText('gateway, integritySalt, merchantId, merchantMpin, password').waitFor();
    await page.getByText('15 min').first().waitFor();
    expect(await page.content()).not.toMatch(/-secret/);
    expect(errors).toEqual([]);
  },
);
