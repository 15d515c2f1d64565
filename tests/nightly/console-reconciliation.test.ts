import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Country, currencyOf, timeZoneOf } from '../../packages/domain/src/index.ts';
import { type BankEntry, bankStatement } from '../../tools/sandbox/src/demo/bank-statement.ts';
import { importStatement } from '../../tools/sandbox/src/demo/channel-days.ts';
import { askAsOperator } from '../../tools/sandbox/src/demo/operator-client.ts';
import { waitUntil } from '../../tools/sandbox/src/wait-until.ts';
import { queryDatabase } from '../../tools/sandbox/test/own-postgres.ts';
import { chromiumPath, closeBrowser } from '../browser.ts';
import { buildConsole, keepPicture, openConsole, placePayin } from '../console/console-page.ts';
import { openToLook } from '../console/look-at-screens.ts';
import { agree, closeDialog, request, runDialog } from '../console/work-page.ts';
import { borrowSandbox } from '../run-services/ask-services.ts';
import type { SharedSandbox } from '../run-services/shared-sandboxes.ts';

// Reconciliation in the operators' console, with two operators in two browsers and a channel of its own.

vi.setConfig({ testTimeout: 180_000 });
const withBrowser = test.skipIf(chromiumPath === undefined);

/** Yesterday has to be over for ten minutes to be closed: in Pakistan it ends at 19:00 UTC. */
const country: Country = new Date().getUTCHours() === 19 ? 'TH' : 'PK';
const day = new Intl.DateTimeFormat('en-CA', { timeZone: timeZoneOf[country] }).format(Date.now() - 86_400_000);
const amounts = ['310.00', '95.00'];

let sandbox: SharedSandbox;
let channelId = '';
let content = '';
beforeAll(async () => {
  if (chromiumPath === undefined) return;
  const merchants = [{ country, payinExpirySeconds: 3_600 }];
  [sandbox] = await Promise.all([borrowSandbox({ merchants }), buildConsole()]);
  channelId = `sandbox-3600-${sandbox.file.merchants[0]?.merchantNo.toLowerCase()}`;
  const paid = await Promise.all(amounts.map(paidPayin));
  const unknown = { day, amount: '7.00', reference: `X-${channelId}` };
  const entries = [...paid, ...paid.slice(0, 1), unknown];
  content = bankStatement({ account: channelId, currency: currencyOf[country], from: day, to: day, entries });
});
afterAll(closeBrowser);

/** A payin of this moment, which the bank shows on the day before. */
async function paidPayin(amount: string): Promise<BankEntry> {
  const orderNo = await placePayin(sandbox.file, country, { amount });
  const operator = askAsOperator(sandbox.file.graphqlUrl, sandbox.file.adminToken);
  const query = 'query ($orderNo: String!) { order(orderNo: $orderNo) { status } }';
  const isPaid = async () =>
    (await operator<{ order: { status: string } }>(query, { orderNo })).order.status === 'COMPLETED';
  await waitUntil(`the payment of ${orderNo}`, isPaid, { timeoutMs: 60_000, everyMs: 200 });
  return { day, amount, orderNo, reference: `B-${orderNo}` };
}

const dayPath = () => `/reconciliation/days/${country}/${channelId}/${day}`;
const file = (name: string, text: string) => ({ name, mimeType: 'application/xml', buffer: Buffer.from(text) });

withBrowser(
  'a statement is uploaded; for an invalid file the reason is shown, and the typed values are kept',
  async (context) => {
    const { page, errors } = await openConsole(context, sandbox, {
      role: 'Admin',
      path: '/reconciliation/statements/new',
    });
    const upload = async (chosen: ReturnType<typeof file>) => {
      await page.getByLabel('File').setInputFiles(chosen);
      await page.getByRole('button', { name: 'Upload' }).click();
    };
    /** The format is proposed, and nothing is imported before the operator confirms it. */
    const importIt = async () => {
      await page.getByText('By its beginning the file can be camt.053').waitFor();
      expect(await page.getByLabel('Format').inputValue()).toBe('camt.053');
      await page.getByLabel('Reason').fill('Statement of the day');
      await page.getByRole('button', { name: 'Import', exact: true }).click();
    };
    await page.getByLabel('Country').selectOption(country);
    await page.getByLabel('Channel').selectOption(channelId);
    await upload(file('empty.xml', ''));
    await page.getByRole('alert').getByText('The file is empty').waitFor();
    expect(await page.getByLabel('Channel').inputValue()).toBe(channelId);
    await keepPicture(page, 'import a statement');

    await upload(file('broken.xml', content.replace('>95.00<', '>96.00<')));
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('alert').getByText('The whole file would be refused').waitFor();
    await keepPicture(page, 'preview of a statement');
    await importIt();
    await page.getByRole('alert').getByText('None of its lines counts').waitFor();
    await page.getByText('Refused', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Import another' }).click();
    expect(await page.getByLabel('Channel').inputValue()).toBe(channelId);
    await upload(file('day.xml', content));
    await importIt();
    await page.getByText('The file is imported.').waitFor();
    await keepPicture(page, 'statement imported');
    await page.getByRole('list').getByRole('link').last().click();
    await page.getByText('✕ 2 breaks').waitFor();
    await page.getByText('2 of 4 lines matched').waitFor();
    expect(await page.getByRole('button', { name: 'Close the day' }).getAttribute('aria-disabled')).toBe('true');
    await keepPicture(page, 'day with breaks');
    expect(errors).toEqual([]);
  },
);

withBrowser.for(['light', 'dark'] as const)(
  'no screen of reconciliation has an accessibility problem in %s',
  async (colorScheme, context) => {
    const at = {
      colorScheme,
      role: 'Admin',
      path: `/reconciliation?channelIds=${channelId}`,
      isPhoneInDark: true,
    } as const;
    const { page, look } = await openToLook(context, sandbox, at);
    await page.getByRole('link', { name: new RegExp(`${channelId}.*2 breaks`) }).waitFor();
    await look('reconciliation');
    await page.getByRole('link', { name: new RegExp(`${channelId}.*2 breaks`) }).click();
    await page.getByRole('link', { name: 'Repeated line' }).waitFor();
    await look('day');
    await page.getByRole('link', { name: 'Repeated line' }).click();
    // The day has a link of the same name, and the heading `Open breaks`.
    await page.getByRole('heading', { name: 'Breaks', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Repeated line' }).click();
    await page.getByRole('button', { name: 'Resolve' }).click();
    await page.getByRole('dialog').getByLabel('None: the file repeats a line').waitFor();
    await look('resolve a break');
    await page.keyboard.press('Escape');
    await look('break');
    await page.goBack();
    await page.getByText('1 break', { exact: true }).waitFor();
    await look('breaks');
    await page.getByRole('link', { name: 'Statements', exact: true }).click();
    await page.getByText('Refused').first().waitFor();
    await look('statements');
    await page.getByRole('link', { name: 'Import a statement' }).click();
    await page.getByLabel('Format').waitFor();
    await look('import');
    await page.goto(new URL(`/console/reconciliation/breaks?channelIds=${channelId}`, page.url()).href);
    await page.getByRole('link', { name: 'Missing in the ledger' }).click();
    await page.getByRole('button', { name: 'Top up a wallet' }).click();
    await page.getByRole('dialog').getByLabel('Number of the bank transfer').waitFor();
    await look('top up from a line');
    await page.keyboard.press('Escape');
    await look('break that looks like a top-up');
  },
);

withBrowser(
  'two operators resolve the breaks and close the day, and see changes that others made meanwhile',
  async (context) => {
    const breaks = `/reconciliation/breaks?channelIds=${channelId}`;
    const [{ page: ann, errors }, { page: bob }] = await Promise.all([
      openConsole(context, sandbox, { role: 'Admin', path: breaks }),
      openConsole(context, sandbox, { role: 'Approver', path: breaks }),
    ]);
    await Promise.all([
      ann.getByRole('link', { name: 'Repeated line' }).click(),
      bob.getByRole('link', { name: 'Missing in the ledger' }).click(),
    ]);
    await ann.getByText('310.00').first().waitFor();
    await ann.getByRole('button', { name: 'Take', exact: true }).click();
    await ann.getByText('Assigned to you').waitFor();
    await ann.getByRole('button', { name: 'Resolve' }).click();
    await request(ann, 'Resolve', 'The file repeats the line');
    const repeated = new URL(ann.url()).pathname.replace('/console', '');

    await bob.getByText('The ledger has nothing of it').waitFor();
    await keepPicture(bob, 'break missing in the ledger');
    await bob.getByRole('button', { name: 'Resolve' }).click();
    const dialog = bob.getByRole('dialog', { name: 'Resolve' });
    await dialog.getByLabel('How it ends').selectOption('WRITTEN_OFF');
    await dialog.getByText(`written_off:${channelId}`).waitFor();
    // As the matching does when a later file says something else.
    const change = 'update reconciliation_break set kind = $1 where channel_id = $2 and amount = 7 and state = $3';
    await queryDatabase(sandbox.file.databaseUrl, change, ['status', channelId, 'open']);
    await runDialog(bob, 'Resolve', 'The channel cannot explain it');
    await dialog.getByText('It has changed since you opened this').waitFor();
    await dialog.getByText('Order still open').waitFor();
    await keepPicture(bob, 'break changed meanwhile');
    await dialog.getByRole('button', { name: 'Go on' }).click();
    expect(await dialog.getByLabel('Reason').inputValue()).toBe('The channel cannot explain it');
    await dialog.locator('button[type=submit]').click();
    await dialog.getByText('This waits for a second operator').waitFor();
    await closeDialog(bob);
    const unknown = new URL(bob.url()).pathname;

    await bob.goto(new URL(`/console${repeated}`, bob.url()).href);
    await agree(bob);
    await ann.getByText('Linked', { exact: true }).waitFor();
    await ann.goto(new URL(unknown, ann.url()).href);
    await agree(ann);

    await ann.goto(new URL(`/console${dayPath()}`, ann.url()).href);
    await ann.getByText('Nothing is missing').waitFor();
    await ann.getByRole('button', { name: 'Close the day' }).click();
    const closing = ann.getByRole('dialog', { name: 'Close the day' });
    await closing.getByText(/The statements show .* more than the ledger/).waitFor();
    await closing.getByText('in 2 movements that the other side has on another day').waitFor();
    await closing.getByText(/repeated line, linked/).waitFor();
    await keepPicture(ann, 'close the day');
    await request(ann, 'Close the day', 'All lines are explained');
    await ann.getByText('admin requested Close the day').waitFor();
    await keepPicture(ann, 'day asked');
    await bob.goto(new URL(`/console${dayPath()}`, bob.url()).href);
    await agree(bob);
    await ann.getByText('admin and approver closed the day').waitFor();
    await keepPicture(ann, 'day closed');

    // By keyboard alone: to the grid, to its first day.
    await ann.keyboard.press('g');
    await ann.keyboard.press('r');
    await ann.getByRole('heading', { name: 'Reconciliation' }).waitFor();
    await ann.goto(new URL(`/console/reconciliation?channelIds=${channelId}`, ann.url()).href);
    await ann.getByRole('link', { name: new RegExp(`${channelId}.*Closed`) }).waitFor();
    await ann.keyboard.press('j');
    await ann.keyboard.press('Enter');
    await ann.getByRole('button', { name: /the day$/ }).waitFor();
    await ann.goto(new URL(`/console${dayPath()}`, ann.url()).href);
    await ann.getByRole('button', { name: 'Reopen the day' }).click();
    await runDialog(ann, 'Reopen the day', 'The bank sends another file');
    await ann.getByRole('dialog').getByText('The day is open again').waitFor();
    // What is read again and again may be refused once on a busy machine. It is then read again.
    expect(errors.filter((error) => !error.includes('503'))).toEqual([]);
  },
);

withBrowser('money that a merchant paid in is topped up from its line, which ends the break', async (context) => {
  const reference = `TOP-${channelId}`;
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: timeZoneOf[country] }).format();
  const entries = [{ day: today, amount: '1500.00', reference }];
  const text = bankStatement({ account: channelId, currency: currencyOf[country], from: today, to: today, entries });
  const operator = askAsOperator(sandbox.file.graphqlUrl, sandbox.file.adminToken);
  await importStatement({ sandbox: sandbox.file, admin: operator }, { country, channelId, name: 'today.xml', text });
  const { page, errors } = await openConsole(context, sandbox, {
    role: 'Admin',
    path: `/reconciliation/breaks?channelIds=${channelId}&kinds=MISSING_IN_LEDGER`,
  });
  await page.getByRole('link', { name: 'Missing in the ledger' }).click();
  await page.getByText('If a merchant paid this in, top up its wallet').waitFor();
  await page.getByRole('button', { name: 'Top up a wallet' }).click();
  const dialog = page.getByRole('dialog', { name: 'Top up a wallet' });
  expect(await dialog.getByLabel('Number of the bank transfer').inputValue()).toBe(reference);
  await dialog.getByText('1,500.00').waitFor();
  await dialog.getByLabel('Merchant number').fill(sandbox.file.merchants[0]?.merchantNo ?? '');
  await runDialog(page, 'Top up a wallet', 'The merchant paid it in');
  await dialog.getByText('The line explains it').waitFor();
  await closeDialog(page);
  await page.getByText('Explained by itself').waitFor();
  await keepPicture(page, 'topped up from a line');
  expect(errors.filter((error) => !error.includes('503'))).toEqual([]);
});

withBrowser('the tolerance of a channel can be requested on its page', async (context) => {
  const { page } = await openConsole(context, sandbox, { role: 'Admin', path: `/channels/${channelId}` });
  await page.getByRole('button', { name: /^Change / }).click();
  const dialog = page.getByRole('dialog');
  expect(await dialog.getByLabel('First day').inputValue()).toBe(day);
  await dialog.getByLabel('Tolerance').fill('0.05');
  await dialog.getByLabel('Reason').fill('The bank rounds');
  await dialog.locator('button[type=submit]').click();
  await dialog.getByText('This waits for a second operator').waitFor();
  await closeDialog(page);
  await keepPicture(page, 'channel reconciliation');
});
