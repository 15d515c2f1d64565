import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { chromiumPath, closeBrowser } from '../browser.ts';
import { buildConsole, keepPicture, openConsole } from '../console/console-page.ts';
import { openToLook } from '../console/look-at-screens.ts';
import { draftSettlements, letTodayCount, placeCycle, runDay, showPayment } from '../console/place-settlement.ts';
import { agree, closeDialog, request, runDialog } from '../console/work-page.ts';
import { borrowSandbox } from '../run-services/ask-services.ts';
import type { SharedSandbox } from '../run-services/shared-sandboxes.ts';

// Settlements in the operators' console, with two operators in two browsers.

vi.setConfig({ testTimeout: 180_000 });
const withBrowser = test.skipIf(chromiumPath === undefined);

/** A merchant with payouts gets a wallet with money. */
const funded = { country: 'PK', payouts: 'upstream' } as const;
let sandbox: SharedSandbox;
let paid = '';
let failing = '';
beforeAll(async () => {
  if (chromiumPath === undefined) return;
  [sandbox] = await Promise.all([borrowSandbox({ merchants: [funded, funded] }), buildConsole()]);
  [paid, failing] = sandbox.file.merchants.map(({ merchantNo }) => merchantNo) as [string, string];
});
afterAll(closeBrowser);

withBrowser('two operators set a cycle, approve, pay and confirm a settlement', async (context) => {
  const cycle = `/settlements/cycles/${paid}`;
  const [{ page: ann, errors }, { page: bob }] = await Promise.all([
    openConsole(context, sandbox, { role: 'Admin', path: cycle }),
    openConsole(context, sandbox, { role: 'Approver', path: cycle }),
  ]);
  await ann.getByRole('button', { name: 'Set the cycle' }).click();
  const dialog = ann.getByRole('dialog', { name: 'Set the cycle' });
  await dialog.getByLabel('Fri').uncheck();
  await dialog.getByLabel('Fri').check();
  await dialog.getByLabel('Begins on').fill('2026-11-01');
  await dialog.getByLabel('Holder').fill('Lotus Trading');
  await dialog.getByLabel('Account number or IBAN').fill('PK36 SCBL 0000 0011 2345 6702');
  await dialog.getByLabel('Reason').fill('Contract 7');
  await dialog.getByRole('button', { name: 'Set the cycle' }).click();
  await dialog.getByRole('alert').first().waitFor();
  expect(await dialog.getByLabel('Holder').inputValue()).toBe('Lotus Trading');
  await dialog.getByLabel('Code of the bank').fill('SCBLPKKX');
  await keepPicture(ann, 'settlement cycle dialog');
  await request(ann, 'Set the cycle', 'Contract 7');
  await bob.getByText('admin requested').waitFor();
  await bob.getByRole('link', { name: 'See the approval' }).click();
  await bob.getByText('PK36 SCBL 0000 0011 2345 6702').waitFor();
  await keepPicture(bob, 'settlement cycle approval');
  await bob.goBack();
  await agree(bob);
  await ann.getByText('PK36 SCBL 0000 0011 2345 6702').waitFor();
  await keepPicture(ann, 'settlement cycle');

  await ann.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Settlements' }).click();
  await ann.getByRole('link', { name: 'Draft settlements' }).click();
  await ann.getByLabel('Country').selectOption('PK');
  await ann.getByLabel('Day').fill(runDay);
  await ann.getByLabel('Reason').fill('Daily run');
  await ann.getByRole('button', { name: 'Draft settlements' }).click();
  await ann.getByText(/settlements? (is|are) drafted/).waitFor();
  await keepPicture(ann, 'settlement run');
  const settlementNo = await letTodayCount(sandbox.file, paid);
  await ann.getByRole('link', { name: 'See the drafts' }).click();
  await ann.getByRole('link', { name: settlementNo }).click();
  const path = new URL(ann.url()).pathname;
  await ann.getByText('What it is made of').waitFor();
  await ann.getByText('PK36 SCBL 0000 0011 2345 6702').waitFor();
  await keepPicture(ann, 'settlement draft');

  await ann.getByRole('button', { name: 'Approve the settlement' }).click();
  await request(ann, 'Approve the settlement', 'The days are closed');
  await ann.getByText('admin requested Approve the settlement').waitFor();
  await bob.goto(new URL(path, bob.url()).href);
  await agree(bob);
  await ann.getByText('To pay', { exact: true }).waitFor();

  // Of two who claim the payment one transfers it.
  await Promise.all([ann, bob].map((page) => page.getByRole('button', { name: 'Claim the payment' }).click()));
  await runDialog(bob, 'Claim the payment', 'I transfer it');
  await bob.getByRole('dialog').getByText('The payment is yours').waitFor();
  await closeDialog(bob);
  await runDialog(ann, 'Claim the payment', 'I transfer it');
  await ann.getByRole('dialog').getByRole('alert').first().waitFor();
  await keepPicture(ann, 'settlement claimed by another');
  await ann.keyboard.press('Escape');
  await ann.getByText('Paid, to confirm').waitFor();

  await bob.getByRole('button', { name: 'Confirm the payment' }).click();
  const confirm = bob.getByRole('dialog', { name: 'Confirm the payment' });
  expect(await confirm.getByLabel("Reference on the bank's statement").inputValue()).toBe(settlementNo);
  await request(bob, 'Confirm the payment', 'On the statement of today');
  await ann.getByText('approver requested Mark the settlement paid').waitFor();
  await agree(ann);
  await ann.getByText('Confirmed', { exact: true }).first().waitFor();
  await ann.getByText('Confirm settlement by approver and admin').waitFor();
  await keepPicture(ann, 'settlement confirmed');
  expect(errors.filter((error) => !error.includes('503'))).toEqual([]);
});

withBrowser(
  'a statement line confirms a settlement and is linked to it, and a returned settlement opens a case',
  async (context) => {
    await placeCycle(sandbox.file, failing);
    await draftSettlements(sandbox.file, 'PK');
    const settlementNo = await letTodayCount(sandbox.file, failing);
    const path = `/settlements/${failing}/${settlementNo}`;
    const [{ page: ann, errors }, { page: bob }] = await Promise.all([
      openConsole(context, sandbox, { role: 'Admin', path }),
      openConsole(context, sandbox, { role: 'Approver', path }),
    ]);
    await ann.getByRole('button', { name: 'Approve the settlement' }).click();
    await request(ann, 'Approve the settlement', 'The days are closed');
    await bob.getByText('admin requested').waitFor();
    await agree(bob);
    await bob.getByText('To pay', { exact: true }).waitFor();
    const statement = await showPayment(sandbox, settlementNo);
    await bob.getByText('Confirmed', { exact: true }).first().waitFor();
    const line = `Row 1 of statement ${statement}`;
    await ann.getByRole('link', { name: line }).click();
    await ann.getByRole('heading', { name: 'bank out' }).first().waitFor();
    await ann.goBack();
    await ann.getByRole('link', { name: line }).waitFor();
    await keepPicture(ann, 'settlement confirmed by a line');
    await bob.getByRole('button', { name: 'Actions' }).click();
    await bob.getByRole('menuitem', { name: 'Fail the settlement' }).click();
    await bob.getByRole('dialog').getByLabel('Why it was not paid').fill('The account is closed');
    await request(bob, 'Fail the settlement', 'It came back');
    await ann.getByText('approver requested Mark the settlement failed').waitFor();
    await agree(ann);
    await ann.getByText('Failed', { exact: true }).first().waitFor();
    await ann.getByRole('link', { name: /^Case \d+$/ }).click();
    await ann.getByText('Settlement failed').waitFor();
    await ann.getByRole('link', { name: settlementNo }).waitFor();
    await ann.getByRole('button', { name: 'Close the case' }).waitFor();
    expect(await ann.getByText('In suspense').count()).toBe(0);
    await keepPicture(ann, 'case of a failed settlement');
    expect(errors.filter((error) => !error.includes('503'))).toEqual([]);
  },
);

withBrowser.for(['light', 'dark'] as const)(
  'no screen of settlements has an accessibility problem in %s',
  async (colorScheme, context) => {
    const at = { colorScheme, role: 'Admin', path: '/settlements?view=all', isPhoneInDark: true } as const;
    const { page, look } = await openToLook(context, sandbox, at);
    await page.getByText(/^\d+ settlements?$/).waitFor();
    await look('settlements');
    await page.getByRole('link', { name: /^ST/ }).first().click();
    await page.getByText(/^\d+ wallet (entry|entries)$/).waitFor();
    await look('settlement');
    await page.getByRole('link', { name: 'Settlement cycle' }).click();
    await page.getByRole('heading', { name: 'Last settlements' }).waitFor();
    await look('settlement cycle');
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: 'Change the cycle' }).click();
    await page.getByRole('dialog').getByLabel('Weekdays').waitFor();
    await look('settlement cycle change');
    await page.keyboard.press('Escape');
    await page.goto(new URL('/console/settlements/run', page.url()).href);
    await page.getByLabel('Country').waitFor();
    await look('settlement run');
  },
);
