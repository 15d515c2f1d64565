import { beforeAll, expect } from 'vitest';
import { chromiumPath } from '../browser.ts';
import { addressOf, keepPicture, openConsole } from '../console/console-page.ts';
import { openToLook } from '../console/look-at-screens.ts';
import { useConsole, withBrowser } from '../console/use-console.ts';
import { askForFee, placeChannel, request, runDialog } from '../console/work-page.ts';

// What the pages of objects show while a request about them waits for its second operator.

const sandbox = useConsole({ merchants: [{ country: 'IN' }] });
beforeAll(async () => {
  if (chromiumPath !== undefined) await askForFee(sandbox.file, sandbox.merchantNo, '2.7');
});

withBrowser.for(['light', 'dark'] as const)(
  'the page of a merchant says which request waits about a part of it, in %s',
  async (colorScheme, context) => {
    const at = {
      colorScheme,
      role: 'Approver',
      path: `/merchants/${sandbox.merchantNo}`,
      isPhoneInDark: true,
    } as const;
    const { page, look, errors } = await openToLook(context, sandbox, at);
    await page.getByText('admin requested Set the fee of payins to 2.7 % + 0.10 (fee payin)').waitFor();
    await look('merchant with a request');
    await page.getByRole('link', { name: 'See the approval' }).click();
    await page.getByRole('heading', { name: 'Set the fee of payins to 2.7 % + 0.10' }).first().waitFor();
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Set the fee of payins to 2.7 % + 0.10' }).waitFor();
    await look('approve a fee');
    expect(errors).toEqual([]);
  },
);

withBrowser('the page of a channel says which request waits, and what is not possible meanwhile', async (context) => {
  const channelId = `wait-${sandbox.merchantNo.toLowerCase()}`;
  await placeChannel(sandbox.file, channelId);
  const { page } = await openConsole(context, sandbox, { role: 'Admin', path: `/channels/${channelId}` });
  const change = page.getByRole('menuitem', { name: 'Change settings' });
  await page.getByRole('button', { name: 'Actions' }).click();
  await change.click();
  await page.getByRole('dialog').getByLabel('A payin expires after, in seconds').fill('600');
  await request(page, 'Change settings', 'Its payers are quick');
  await page.getByText('admin requested Change payin expiry seconds').waitFor();
  await page.getByRole('button', { name: 'Actions' }).click();
  expect(await change.getAttribute('aria-disabled')).toBe('true');
  await change.getByText('Another request about the same object waits').waitFor();
  await keepPicture(page, 'channel with a request');
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'See the approval' }).click();
  await page.getByRole('button', { name: 'Withdraw' }).click();
  await runDialog(page, 'Withdraw', 'It can stay');
  await page.getByText('Withdrawn. Nothing was changed.').waitFor();
  await page.goto(addressOf(sandbox, `/channels/${channelId}`));
  await page.getByRole('button', { name: 'Actions' }).click();
  await change.waitFor();
  expect(await change.getAttribute('aria-disabled')).toBeNull();
});
