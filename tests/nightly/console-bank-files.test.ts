import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { askAsOperator } from '../../tools/sandbox/src/demo/operator-client.ts';
import { chromiumPath, closeBrowser, textOf } from '../browser.ts';
import { buildConsole, keepPicture, openConsole } from '../console/console-page.ts';
import { openToLook } from '../console/look-at-screens.ts';
import { draftSettlements, letTodayCount, placeCycle } from '../console/place-settlement.ts';
import { agree, approveAll, request, runDialog } from '../console/work-page.ts';
import { borrowSandbox } from '../run-services/ask-services.ts';
import type { SharedSandbox } from '../run-services/shared-sandboxes.ts';

// Bank files in the operators' console: two operators create one for an account of ours, and finance downloads it.
// In India: the runs of other test files are in Pakistan.

vi.setConfig({ testTimeout: 180_000 });
const withBrowser = test.skipIf(chromiumPath === undefined);

let sandbox: SharedSandbox;
let settlementNo = '';
let merchantId = '';
beforeAll(async () => {
  if (chromiumPath === undefined) return;
  [sandbox] = await Promise.all([
    borrowSandbox({ merchants: [{ country: 'IN', payouts: 'upstream' }] }),
    buildConsole(),
  ]);
  merchantId = sandbox.file.merchants[0]?.merchantNo ?? '';
  await placeCycle(sandbox.file, merchantId);
  await draftSettlements(sandbox.file, 'IN');
  settlementNo = await letTodayCount(sandbox.file, merchantId);
  const ask = askAsOperator(sandbox.file.graphqlUrl, sandbox.file.adminToken);
  const approved = { input: { merchantId, settlementNo }, reason: 'The days are closed' };
  await ask.mutate('approveSettlement', 'ApproveSettlementInput', approved);
  await approveAll(sandbox.file, merchantId);
});
afterAll(closeBrowser);

withBrowser(
  'a bank file from a new account needs two operators, and is downloaded with its payment',
  async (context) => {
    const path = '/settlements/files?countries=IN';
    const [{ page: ann, errors }, { page: bob }, { page: viewer }] = await Promise.all([
      openConsole(context, sandbox, { role: 'Admin', path }),
      openConsole(context, sandbox, { role: 'Approver', path }),
      openConsole(context, sandbox, { role: 'Support', path }),
    ]);
    await ann.getByRole('button', { name: 'Create a bank file' }).click();
    const dialog = ann.getByRole('dialog', { name: 'Create a bank file' });
    await dialog.getByLabel('Country').selectOption('IN');
    await dialog.getByText('1 settlement', { exact: true }).waitFor();
    await dialog.getByLabel('Day of payment').fill('2026-12-01');
    await dialog.getByLabel('Holder').fill('Tidegate');
    await dialog.getByLabel('Account number or IBAN').fill('PK36 SCBL 0000 0099 9999 9999');
    await dialog.getByLabel('Code of the bank').fill('SCBLPKKX');
    await dialog.getByText('Needed: another operator').waitFor();
    await keepPicture(ann, 'bank file dialog');
    await request(ann, 'Create a bank file', 'Daily payments');
    await bob.getByText('admin requested Create a bank file from another account').waitFor();
    await bob.getByRole('link', { name: 'See the approval' }).click();
    await bob.getByText('PK36 SCBL 0000 0099 9999 9999').waitFor();
    await bob.goBack();
    await agree(bob);

    const row = ann.getByRole('row').filter({ hasText: /SFIN\d{6}/ });
    await row.getByText('1 payment').waitFor();
    await row.getByText('•••• 9999').waitFor();
    await keepPicture(ann, 'bank files');
    const download = ann.waitForEvent('download');
    await row.getByRole('button', { name: 'Download' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^SFIN\d{6}\.xml$/);
    const content = await textOf(file);
    expect(content).toContain(`<EndToEndId>${settlementNo}</EndToEndId>`);
    expect(content).toContain('2026-12-01');

    await ann.getByRole('button', { name: 'Create a bank file' }).click();
    await ann.getByRole('dialog').getByLabel('Country').selectOption('IN');
    await runDialog(ann, 'Create a bank file', 'Daily payments');
    await ann.getByRole('dialog').getByRole('alert').first().waitFor();
    await ann.keyboard.press('Escape');

    await viewer.reload();
    await viewer.getByRole('row').filter({ hasText: /SFIN/ }).getByText('Ready').waitFor();
    expect(await viewer.getByRole('button', { name: 'Download' }).count()).toBe(0);
    await ann.goto(new URL(`/console/settlements/${merchantId}/${settlementNo}`, ann.url()).href);
    await ann.getByText('Paid, to confirm').waitFor();
    await ann.getByRole('link', { name: /^SFIN\d{6}$/ }).waitFor();
    expect(errors.filter((error) => !error.includes('503'))).toEqual([]);
  },
);

withBrowser.for(['light', 'dark'] as const)(
  'the screen of bank files is accessible in %s',
  async (colorScheme, context) => {
    const at = { colorScheme, role: 'Admin', path: '/settlements/files', isPhoneInDark: true } as const;
    const { page, look } = await openToLook(context, sandbox, at);
    await page.getByText(/^\d+ bank files?$/).waitFor();
    await look('bank files');
    await page.getByRole('button', { name: 'Create a bank file' }).click();
    await page.getByRole('dialog').getByLabel('Holder').waitFor();
    await look('bank file dialog');
  },
);
