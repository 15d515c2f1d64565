import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { queryDatabase } from '../../tools/sandbox/test/own-postgres.ts';
import { chromiumPath, closeBrowser, textOf } from '../browser.ts';
import { buildConsole, keepPicture, openConsole, phone, widthOf } from '../console/console-page.ts';
import { openToLook } from '../console/look-at-screens.ts';
import { askForFee, closeDialog, runDialog } from '../console/work-page.ts';
import { borrowSandbox } from '../run-services/ask-services.ts';
import type { SharedSandbox } from '../run-services/shared-sandboxes.ts';

// Approvals and the audit log in the operators' console. Merchants of its own: other approvals may wait as well.

vi.setConfig({ testTimeout: 180_000 });
const withBrowser = test.skipIf(chromiumPath === undefined);

let sandbox: SharedSandbox;
let merchants: string[] = [];
beforeAll(async () => {
  if (chromiumPath === undefined) return;
  const own = Array.from({ length: 4 }, () => ({ country: 'CN' as const }));
  [sandbox] = await Promise.all([borrowSandbox({ merchants: own }), buildConsole()]);
  merchants = sandbox.file.merchants.map(({ merchantNo }) => merchantNo);
});
afterAll(closeBrowser);

const of = (at: number, more = '') => `/approvals?merchantIds=${merchants[at]}${more}`;

withBrowser('a request is approved by keyboard alone, and the requester sees it at once', async (context) => {
  await askForFee(sandbox.file, merchants[0] ?? '', '2.2');
  const { page: asking } = await openConsole(context, sandbox, { role: 'Admin', path: of(0, '&view=asked') });
  await asking.getByRole('row').filter({ hasText: 'Set the fee of payins' }).getByText('Waiting').waitFor();
  const { page, errors } = await openConsole(context, sandbox, { role: 'Approver', path: of(0) });
  const { keyboard } = page;
  await page.getByRole('link', { name: /Approvals \d+\+? waiting for you/ }).waitFor();
  await page.getByRole('link', { name: 'Set the fee of payins' }).waitFor();
  await keyboard.press('j');
  await keyboard.press('Enter');
  const changes = page.getByRole('table', { name: 'What approving changes' });
  await changes
    .getByRole('row', { name: /Percent/ })
    .getByText('2.2 %')
    .waitFor();
  await page.getByText('It can be carried out now').waitFor();
  await keepPicture(page, 'approval');
  await keyboard.press('a');
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  await expect
    .poll(() => page.evaluate('document.activeElement.textContent'))
    .toBe('Set the fee of payins to 2.2 % + 0.10');
  await keyboard.press('Enter');
  await dialog.getByText('Approved and carried out').waitFor();
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Close');
  await keyboard.press('Enter');
  await page.getByText('approver approved it, and it was carried out').waitFor();
  await asking.getByRole('row').filter({ hasText: 'Set the fee of payins' }).getByText('Approved').waitFor();
  expect(errors).toEqual([]);
});

withBrowser('an operator withdraws a request, and the page of another operator changes', async (context) => {
  await askForFee(sandbox.file, merchants[1] ?? '', '2.3');
  const [{ page }, { page: other }] = await Promise.all([
    openConsole(context, sandbox, { role: 'Admin', path: of(1, '&view=asked') }),
    openConsole(context, sandbox, { role: 'Approver', path: of(1) }),
  ]);
  await other.getByRole('link', { name: 'Set the fee of payins' }).click();
  await other.getByRole('button', { name: 'Approve', exact: true }).waitFor();
  await page.getByRole('link', { name: 'Set the fee of payins' }).click();
  await page.getByText('New contract').first().waitFor();
  expect(await page.getByRole('button', { name: 'Approve', exact: true }).count()).toBe(0);
  await page.getByRole('button', { name: 'Withdraw' }).click();
  await runDialog(page, 'Withdraw', 'A typing error');
  await page.getByText('Withdrawn. Nothing was changed.').waitFor();
  await other.getByText('admin withdrew it: A typing error').waitFor();
  expect(await other.getByRole('button', { name: 'Approve', exact: true }).count()).toBe(0);
});

withBrowser('of two operators who decide the second is refused, and keeps the typed text', async (context) => {
  await askForFee(sandbox.file, merchants[2] ?? '', '2.4');
  const [{ page: first }, { page: second }] = await Promise.all([
    openConsole(context, sandbox, { role: 'Approver', path: of(2) }),
    openConsole(context, sandbox, { role: 'Approver', path: of(2) }),
  ]);
  for (const page of [first, second]) {
    await page.getByRole('link', { name: 'Set the fee of payins' }).click();
    await page.getByRole('button', { name: 'Reject' }).click();
  }
  await runDialog(first, 'Reject', 'The contract says 2.1');
  await first.getByText('Rejected. Nothing was changed.').waitFor();
  await runDialog(second, 'Reject', 'I was about to reject it too');
  await second.getByRole('alert').getByText('approver').first().waitFor();
  expect(await second.getByLabel('Reason').inputValue()).toBe('I was about to reject it too');
});

withBrowser('on a phone an operator finds, reads and rejects a waiting approval', async (context) => {
  await askForFee(sandbox.file, merchants[3] ?? '', '2.5');
  const { page } = await openConsole(context, sandbox, { ...phone, role: 'Approver', path: of(3) });
  await page.getByRole('link', { name: 'Set the fee of payins' }).waitFor();
  expect(await widthOf(page)).toBe(390);
  await keepPicture(page, 'approvals phone');
  await page.getByRole('link', { name: 'Set the fee of payins' }).click();
  await page.getByRole('table', { name: 'What approving changes' }).waitFor();
  expect(await widthOf(page)).toBe(390);
  await keepPicture(page, 'approval phone');
  await page.getByRole('button', { name: 'Reject' }).click();
  await runDialog(page, 'Reject', 'The merchant has to be asked first');
  await page.getByText('Rejected. Nothing was changed.').waitFor();
  await closeDialog(page);
  await page.getByText('approver rejected it: The merchant has to be asked first').waitFor();
  expect(await widthOf(page)).toBe(390);
});

withBrowser('the audit log is searched by text, read field by field, and saved as CSV', async (context) => {
  const merchantNo = merchants[3] ?? '';
  await askForFee(sandbox.file, merchantNo, '2.65');
  const { page } = await openConsole(context, sandbox, { role: 'Admin', path: `/audit?merchantIds=${merchantNo}` });
  await page.getByRole('button', { name: 'Text' }).click();
  await page.getByRole('textbox', { name: 'Text' }).fill('2.65');
  await page.keyboard.press('Enter');
  await page.getByText('1 record', { exact: true }).waitFor();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'CSV' }).click();
  const lines = (await textOf(await download)).trim().split('\r\n');
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain('New contract');
  await page.getByRole('link', { name: 'Request approval' }).click();
  const record = page.getByRole('dialog');
  await record
    .getByRole('row', { name: /percent/i })
    .getByText('2.65')
    .waitFor();
  await record.getByText('Ledger batch').waitFor();
  await keepPicture(page, 'audit record');
  await page.reload();
  await record.getByText('New contract').waitFor();
  await page.keyboard.press('Escape');
  await record.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Findings in the ledger' }).click();
  await page.getByRole('heading', { name: 'Audit findings' }).waitFor();
});

withBrowser('an admin closes a finding as repaired, and accepts one with a second operator', async (context) => {
  const merchantNo = merchants[3] ?? '';
  if (!/^\w+$/.test(merchantNo)) throw new Error(`${merchantNo} is no merchant`);
  // As the audit records it: shared sandboxes have nothing broken.
  await queryDatabase(
    sandbox.file.databaseUrl,
    `insert into audit_finding (merchant_id, rule, subject, detail) values
       ('${merchantNo}', 'a test', 'first', 'found 1, expected 2'), ('${merchantNo}', 'a test', 'second', 'found 3, expected 4')`,
  );
  const path = `/audit/findings?merchantIds=${merchantNo}`;
  const { page } = await openConsole(context, sandbox, { role: 'Admin', path });
  const close = async (subject: string, outcome: string) => {
    await page.getByRole('row').filter({ hasText: subject }).getByRole('button', { name: 'Close' }).click();
    const dialog = page.getByRole('dialog', { name: 'Close' });
    await dialog.getByLabel('Close as').selectOption(outcome);
    await dialog.getByLabel('Reason').fill(`It is ${outcome}`);
    await dialog.locator('button[type=submit]').click();
    return dialog;
  };
  const repaired = await close('first', 'REPAIRED');
  await repaired.getByText('The finding is closed: repaired.').waitFor();
  await closeDialog(page);
  await page.getByRole('row').filter({ hasText: 'first' }).waitFor({ state: 'detached' });
  const accepted = await close('second', 'ACCEPTED');
  await accepted.getByText('This waits for a second operator').waitFor();
  await keepPicture(page, 'finding accepted');
  await closeDialog(page);

  const { page: other } = await openConsole(context, sandbox, { role: 'Approver', path: of(3) });
  await other.getByRole('link', { name: 'Close the finding as accepted' }).click();
  await other.getByRole('button', { name: 'Approve', exact: true }).click();
  await runDialog(other, 'Approve', null);
  await other.getByText('Approved and carried out').waitFor();
  await page.getByRole('link', { name: 'Closed' }).click();
  await page.getByRole('row').filter({ hasText: 'first' }).getByText('Repaired').waitFor();
  await page.getByRole('row').filter({ hasText: 'second' }).getByText('Accepted').waitFor();
});

withBrowser.for(['light', 'dark'] as const)(
  'the screens of approvals and audit are accessible in %s',
  async (colorScheme, context) => {
    const path = `/approvals?view=all&merchantIds=${merchants[0]}`;
    const { page, look } = await openToLook(context, sandbox, { colorScheme, role: 'Admin', path });
    await page.getByRole('link', { name: 'Set the fee of payins' }).first().waitFor();
    await look('approvals');
    await page.getByRole('link', { name: 'Set the fee of payins' }).first().click();
    await page.getByText('What was asked for').waitFor();
    await look('approval');
    await page.getByRole('link', { name: 'Audit', exact: true }).click();
    await page.getByRole('link', { name: 'Request approval' }).first().waitFor();
    await look('audit');
    await page.getByRole('link', { name: 'Request approval' }).first().click();
    await page.getByRole('dialog').waitFor();
    await look('audit record');
  },
);
