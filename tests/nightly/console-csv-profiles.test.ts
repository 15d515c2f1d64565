import { afterAll, expect, vi } from 'vitest';
import { timeZoneOf } from '../../packages/domain/src/index.ts';
import { aCsv } from '../../packages/domain/src/testing/csv-profiles.ts';
import { closeBrowser } from '../browser.ts';
import { keepPicture, openConsole } from '../console/console-page.ts';
import { openToLook } from '../console/look-at-screens.ts';
import { useConsole, withBrowser } from '../console/use-console.ts';
import { runDialog } from '../console/work-page.ts';

// A CSV profile in the operators' console: tried on a file of a bank, agreed on by two operators, proposed for the next file.

vi.setConfig({ testTimeout: 180_000 });
const sandbox = useConsole({ merchants: [{ country: 'PK' }] });
afterAll(closeBrowser);

const name = `bank-${Math.random().toString(36).slice(2, 8)}`;
const day = new Intl.DateTimeFormat('en-GB', { timeZone: timeZoneOf.PK, dateStyle: 'short' })
  .format(Date.now() - 2 * 86_400_000)
  .replaceAll('/', '.');
/** The name makes the columns of this test its own. */
const content = aCsv([
  [day, '1.250,00', 'R1', 'transfer'],
  [day, '-12,50', 'R2', 'charge'],
  ['soon', '1,00', 'R3', 'transfer'],
]).replace('Reference', name);
const file = { name: 'bank.csv', mimeType: 'text/csv', buffer: Buffer.from(content) };

withBrowser('a profile is tried on a file, and approved by another operator', async (context) => {
  const { page, errors } = await openConsole(context, sandbox, { role: 'Admin', path: '/reconciliation/profiles' });
  await page.getByRole('link', { name: 'New profile' }).click();
  await page.getByLabel('Name of the profile').fill(name);
  await page.getByLabel('Cells are separated by').selectOption('SEMICOLON');
  await page.getByLabel('Rows before the column names').fill('1');
  await page.getByLabel('An amount is written').selectOption('COMMA');
  await page.getByLabel('A date is written').fill('dd.MM.yyyy');
  await page.getByLabel('Column of the date').fill('Date');
  await page.getByLabel("Column of the bank's reference").fill(name);
  await page.getByLabel('Column of the type').fill('Type');
  await page.getByRole('button', { name: 'Add a word' }).click();
  await page.getByLabel('Word 1', { exact: true }).fill('transfer');
  await page.getByRole('button', { name: 'Add a word' }).click();
  await page.getByLabel('Word 2', { exact: true }).fill('charge');
  await page.getByLabel('Type of word 2').selectOption('fee');
  await page.getByLabel('File', { exact: true }).setInputFiles(file);
  await page.getByLabel('Country').selectOption('PK');
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByText('is needed, except with one column for each direction').first().waitFor();
  await page.getByLabel('Column of the amount').fill('Amount');
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByText('The file would be imported. Nothing is stored yet.').waitFor();
  await page.getByText('The date is not like dd.MM.yyyy.').waitFor();
  await page.getByText('1,250.00').first().waitFor();
  await keepPicture(page, 'new csv profile');
  await page.getByLabel('Reason').fill('Files of our new bank');
  await page.getByRole('button', { name: 'Request approval' }).click();
  await page.getByRole('link', { name: 'See the approval' }).click();
  await page.getByText('transfer = payin').first().waitFor();
  await keepPicture(page, 'approval of a csv profile');
  const { page: bob } = await openConsole(context, sandbox, {
    role: 'Approver',
    path: new URL(page.url()).pathname.replace('/console', ''),
  });
  await bob.getByRole('button', { name: 'Approve', exact: true }).click();
  await runDialog(bob, 'Approve', null);
  await bob.getByRole('dialog').getByText('Approved and carried out').waitFor();
  await page.goto(page.url().replace(/approvals.*$/, 'reconciliation/statements/new'));
  await page.getByLabel('File', { exact: true }).setInputFiles({ ...file, name: 'next.csv' });
  await page.getByLabel('Country').selectOption('PK');
  await page.getByRole('button', { name: 'Upload' }).click();
  await page.getByText(`By its beginning the file can be csv:${name}`).waitFor();
  expect(await page.getByLabel('Format').inputValue()).toBe(`csv:${name}`);
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByText('Rows that would be set aside: 1').waitFor();
  await keepPicture(page, 'import with preview');
  expect(errors).toEqual([]);
});

withBrowser.for(['light', 'dark'] as const)(
  'no screen of profiles has an accessibility problem in %s',
  async (colorScheme, context) => {
    const at = { colorScheme, role: 'Admin', path: '/reconciliation/profiles', isPhoneInDark: true } as const;
    const { page, look } = await openToLook(context, sandbox, at);
    await page.getByText('csv:jazzcash').waitFor();
    await look('csv profiles');
    await page.getByRole('link', { name }).click();
    await page.getByText('Questions, for version 2').waitFor();
    await look('csv profile questions');
    await page.getByLabel('Word 1', { exact: true }).scrollIntoViewIfNeeded();
    await look('csv profile types');
    await page.getByLabel('File', { exact: true }).setInputFiles(file);
    await page.getByLabel('Country').selectOption('PK');
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByText('Rows that would be set aside: 1').waitFor();
    await look('csv profile');
  },
);
