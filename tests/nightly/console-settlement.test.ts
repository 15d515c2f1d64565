import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { keepSecrets } from '../../tools/sandbox/src/data-dir.ts';
import { leaveClosedDay } from '../../tools/sandbox/src/demo/closed-day.ts';
import { askAsOperator } from '../../tools/sandbox/src/demo/operator-client.ts';
import { chromiumPath, closeBrowser, textOf } from '../browser.ts';
import { buildConsole, keepPicture, openConsole, phone, widthOf } from '../console/console-page.ts';
import { closeDialog, request, runDialog } from '../console/work-page.ts';
import { borrowSandbox } from '../run-services/ask-services.ts';
import type { SharedSandbox } from '../run-services/shared-sandboxes.ts';

// Two operators settle the wallet of a merchant from a closed day, one at a desk and one with a phone. Each begins at Today, and only clicks.

vi.setConfig({ testTimeout: 300_000, hookTimeout: 400_000 });
const withBrowser = test.skipIf(chromiumPath === undefined);

/** Days on which banks in China work. */
const day = '2026-11-17';
const runDay = '2026-11-20';
const stamp = Date.now().toString(36);
const merchantId = `CN${stamp.toUpperCase()}`;
const name = `Lotus ${stamp}`;

let sandbox: SharedSandbox;
beforeAll(async () => {
  if (chromiumPath === undefined) return;
  [sandbox] = await Promise.all([borrowSandbox(), buildConsole()]);
  const { file, dataDir } = sandbox;
  const as = (token: string) => askAsOperator(file.graphqlUrl, token);
  const demo = { sandbox: file, admin: as(file.adminToken), approver: as(file.approverToken) };
  const channel = { country: 'CN', channelId: `bank-${stamp}`, day } as const;
  await leaveClosedDay(demo, keepSecrets(dataDir).keys, channel, [
    { merchantId, name, amounts: ['1000.00', '240.00'] },
  ]);
});
afterAll(closeBrowser);

const goTo = (page: Page, screen: string) =>
  page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: screen }).click();

/** On a phone: finds in the approvals what the other asked for, looks at it, and approves it. */
async function approve(page: Page, operation: string, shows: string): Promise<void> {
  await page.getByRole('button', { name: 'Open the navigation' }).click();
  await goTo(page, 'Approvals');
  const row = page.getByRole('row').or(page.getByRole('listitem')).filter({ hasText: operation });
  await row.first().waitFor();
  await keepPicture(page, `settle - approvals - ${operation}`);
  await page.getByRole('link', { name: operation }).first().click();
  await page.getByText(shows).first().waitFor();
  expect(await widthOf(page)).toBe(390);
  await keepPicture(page, `settle - approval - ${operation}`);
  await page.getByRole('button', { name: 'Approve', exact: true }).click();
  await runDialog(page, 'Approve', null);
  await page.getByRole('dialog').getByText('Approved and carried out').waitFor();
  await closeDialog(page);
}

withBrowser('two people settle the wallet of a merchant', async (context) => {
  const [{ page: ann, errors }, { page: bob }] = await Promise.all([
    openConsole(context, sandbox, { role: 'Admin', path: '/' }),
    openConsole(context, sandbox, { ...phone, role: 'Approver', path: '/' }),
  ]);
  await ann.getByText('By hour').waitFor();
  await keepPicture(ann, 'settle - today');
  await goTo(ann, 'Wallets');
  await ann.getByRole('link', { name }).click();
  await ann.getByText('Closing balance').waitFor();
  await keepPicture(ann, 'settle - wallet');
  await ann.getByRole('link', { name: 'Settle to the bank' }).click();
  await ann.getByRole('button', { name: 'Set the cycle' }).click();
  const cycle = ann.getByRole('dialog', { name: 'Set the cycle' });
  await cycle.getByLabel('Begins on').fill(day);
  await cycle.getByLabel('Holder').fill(name);
  await cycle.getByLabel('Account number or IBAN').fill('CN00 1234 5678 4321');
  await cycle.getByLabel('Code of the bank').fill('BKCHCNBJ');
  await keepPicture(ann, 'settle - cycle dialog');
  await request(ann, 'Set the cycle', 'Contract 7');
  await keepPicture(ann, 'settle - cycle asked');
  await approve(bob, 'Set the bank account of settlements', 'CN00 1234 5678 4321');
  await ann.getByText('CN00 1234 5678 4321').waitFor();
  await keepPicture(ann, 'settle - cycle set');

  await goTo(ann, 'Settlements');
  await ann.getByRole('link', { name: 'Draft settlements' }).click();
  await ann.getByLabel('Country').selectOption('CN');
  await ann.getByLabel('Day').fill(runDay);
  await ann.getByLabel('Reason').fill('Daily run');
  await ann.getByRole('button', { name: 'Draft settlements' }).click();
  await ann.getByRole('link', { name: 'See the drafts' }).click();
  const row = ann.getByRole('row').filter({ hasText: merchantId });
  await row.getByText('1,209.00').waitFor();
  await keepPicture(ann, 'settle - drafts');
  await row.getByRole('link', { name: /^ST/ }).click();
  await ann.getByText('2 entries').first().waitFor();
  await keepPicture(ann, 'settle - draft');
  const settlementNo = new URL(ann.url()).pathname.split('/').at(-1) ?? '';
  await ann.getByRole('button', { name: 'Approve the settlement' }).click();
  await request(ann, 'Approve the settlement', 'The day is closed');
  await keepPicture(ann, 'settle - approval asked');
  await approve(bob, 'Approve the settlement', '1,209.00');
  await ann.getByText('To pay', { exact: true }).waitFor();
  await keepPicture(ann, 'settle - to pay');

  await ann.getByRole('link', { name: 'Create a bank file' }).click();
  await ann.getByRole('button', { name: 'Create a bank file' }).click();
  const create = ann.getByRole('dialog', { name: 'Create a bank file' });
  await create.getByLabel('Country').selectOption('CN');
  await create.getByText('1 settlement', { exact: true }).waitFor();
  await create.getByLabel('Holder').fill('Tidegate');
  await create.getByLabel('Account number or IBAN').fill('CN00 9999 9999 0001');
  await create.getByLabel('Code of the bank').fill('BKCHCNBJ');
  await keepPicture(ann, 'settle - bank file dialog');
  await request(ann, 'Create a bank file', 'Payments of the day');
  await keepPicture(ann, 'settle - bank file asked');
  await approve(bob, 'Create a bank file from another account', 'CN00 9999 9999 0001');
  const download = ann.waitForEvent('download');
  await ann
    .getByRole('row')
    .filter({ hasText: /SFCN\d{6}/ })
    .first()
    .getByRole('button', { name: 'Download' })
    .click();
  const content = await textOf(await download);
  expect(content).toContain(settlementNo);
  expect(content).toContain('1209.00');
  await keepPicture(ann, 'settle - bank file');

  await goTo(ann, 'Settlements');
  await ann
    .getByRole('tab', { name: 'To confirm' })
    .or(ann.getByRole('link', { name: 'To confirm' }))
    .click();
  await ann.getByRole('link', { name: settlementNo }).click();
  await ann.getByText('Paid, to confirm').waitFor();
  await keepPicture(ann, 'settle - paid');
  await ann.getByRole('button', { name: 'Confirm the payment' }).click();
  await ann.getByRole('dialog').getByLabel("Reference on the bank's statement").fill(settlementNo);
  await keepPicture(ann, 'settle - confirm dialog');
  await request(ann, 'Confirm the payment', 'On the statement of today');
  await approve(bob, 'Mark the settlement paid', '1,209.00');
  await ann.getByText('Confirmed', { exact: true }).first().waitFor();
  await keepPicture(ann, 'settle - confirmed');
  await goTo(ann, 'Wallets');
  await ann.getByRole('link', { name }).click();
  await ann.getByRole('cell', { name: settlementNo }).first().waitFor();
  await keepPicture(ann, 'settle - wallet settled');
  expect(errors.filter((error) => !error.includes('503'))).toEqual([]);
});
