import { expect } from 'vitest';
import { aPng } from '../../packages/domain/src/testing/small-files.ts';
import { keepPicture, openConsole } from '../console/console-page.ts';
import { openToLook } from '../console/look-at-screens.ts';
import { useConsole, withBrowser } from '../console/use-console.ts';
import { closeDialog, type PlacedCase, placeCase, runDialog } from '../console/work-page.ts';

// Cases in the operators' console, with two operators in two browsers.

const sandbox = useConsole({ merchants: [{ country: 'CN' }] });

const pathOf = ({ merchantId, caseNo }: PlacedCase) => `/cases/${merchantId}/${caseNo}`;
const mine = (screen: string, more = '') => `/${screen}?merchantIds=${sandbox.merchantNo}${more}`;

withBrowser(
  'one operator requests a decision, another approves it, and the first sees the result at once',
  async (context) => {
    await placeCase(sandbox.file, 'CN', '100.51');
    const requester = await openConsole(context, sandbox, { role: 'Admin', path: mine('cases') });
    await requester.page.getByRole('link', { name: 'Wrong amount' }).click();
    await requester.page.getByRole('button', { name: 'Credit the money' }).click();
    const dialog = requester.page.getByRole('dialog', { name: 'Credit the money' });
    await dialog.getByText('Missing').waitFor();
    await dialog.getByLabel('Credit it to').selectOption('wallet');
    await dialog.getByText('no order says what the merchant is owed').waitFor();
    await runDialog(requester.page, 'Credit the money', 'The merchant agrees to the smaller amount');
    await dialog.getByText('This waits for a second operator').waitFor();
    await keepPicture(requester.page, 'case asked');
    await closeDialog(requester.page);
    await requester.page.getByText('admin requested').waitFor();

    const { page, errors } = await openConsole(context, sandbox, { role: 'Approver', path: mine('approvals') });
    await page.getByRole('link', { name: /Approvals \d+ waiting for you/ }).waitFor();
    await page.getByRole('link', { name: 'Credit to the wallet of' }).click();
    const changes = page.getByRole('table', { name: 'What approving changes' });
    await changes
      .getByRole('row', { name: /Available/ })
      .getByText('99.51')
      .waitFor();
    await page.getByText('It can be carried out now').waitFor();
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await runDialog(page, 'Approve', null);
    await page.getByRole('dialog').getByText('Approved and carried out').waitFor();
    await closeDialog(page);
    await page.getByText('approver approved it, and it was carried out').waitFor();

    await requester.page.getByText('Credited', { exact: true }).first().waitFor();
    await requester.page.getByText('by admin and approver').waitFor();
    expect(await requester.page.getByText('admin requested').count()).toBe(0);
    expect([errors, requester.errors]).toEqual([[], []]);
  },
);

withBrowser(
  'if two operators decide the same case, the second one sees who was first, and keeps the typed text',
  async (context) => {
    const path = pathOf(await placeCase(sandbox.file, 'CN', '200.51'));
    const [{ page: first }, { page: second }] = await Promise.all([
      openConsole(context, sandbox, { role: 'Admin', path }),
      openConsole(context, sandbox, { role: 'Approver', path }),
    ]);
    for (const page of [first, second]) await page.getByRole('button', { name: 'Returned by hand' }).click();
    await runDialog(first, 'Returned by hand', 'The payer wants it back');
    await first.getByRole('dialog').getByText('the money is returned').waitFor();
    await runDialog(second, 'Returned by hand', 'I was about to do the same');
    await second.getByRole('alert').getByText('Changed last by admin').waitFor();
    expect(await second.getByLabel('Reason').inputValue()).toBe('I was about to do the same');
    await keepPicture(second, 'case decided by another');
    await second.getByRole('button', { name: 'Not now' }).click();
    await second.getByText('Returned', { exact: true }).waitFor();
    expect(await second.getByRole('button', { name: 'Returned by hand' }).count()).toBe(0);
  },
);

withBrowser('others see that a case was assigned, and its new note and proof', async (context) => {
  const placed = await placeCase(sandbox.file, 'CN', '300.51');
  const { page } = await openConsole(context, sandbox, { role: 'Support', path: pathOf(placed) });
  await page.getByRole('button', { name: 'Take' }).click();
  await page.getByText('Assigned to you').waitFor();
  await page.getByLabel('New note').fill('The payer called: 1.00 was a bank fee.');
  await page.getByRole('button', { name: 'Add note' }).click();
  await page.getByRole('listitem').filter({ hasText: 'The payer called' }).getByText('support').waitFor();
  expect(await page.getByLabel('New note').inputValue()).toBe('');
  const file = { name: 'call.txt', mimeType: 'text/plain', buffer: Buffer.from('no picture') };
  await page.getByLabel('Add a file').setInputFiles(file);
  await page.getByRole('alert').waitFor();
  await page.getByLabel('Add a file').setInputFiles({ name: 'slip.png', mimeType: 'image/png', buffer: aPng() });
  await page.getByRole('button', { name: 'slip.png' }).waitFor();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'slip.png' }).click();
  expect((await download).suggestedFilename()).toBe('slip.png');
  await keepPicture(page, 'case with evidence');

  const other = await openConsole(context, sandbox, { role: 'Approver', path: mine('cases', '&assignee=support') });
  await other.page.getByRole('row').filter({ hasText: 'support' }).getByText('299.51').waitFor();
  await other.page.getByRole('link', { name: 'Mine' }).click();
  await other.page.getByText('No case matches').waitFor();
});

withBrowser.for(['light', 'dark'] as const)(
  'the screens of cases have no accessibility problem in %s',
  async (colorScheme, context) => {
    const placed = await placeCase(sandbox.file, 'CN', '500.51');
    const { page, look } = await openToLook(context, sandbox, { colorScheme, role: 'Admin', path: mine('cases') });
    await page.getByRole('link', { name: 'Wrong amount' }).first().waitFor();
    await look('cases');
    await page.getByRole('link', { name: 'Wrong amount' }).first().click();
    await page.getByText(placed.merchantId).first().waitFor();
    await page.getByRole('button', { name: 'Credit the money' }).click();
    await page.getByRole('dialog').getByLabel('Credit it to').waitFor();
    await look('credit a case');
    await page.keyboard.press('Escape');
    await look('case');
  },
);
