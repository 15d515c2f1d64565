import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { barriersOf, desk, keepPicture, openConsole, phone, widthOf } from '../console/console-page.ts';
import { useConsole, withBrowser } from '../console/use-console.ts';
import { approveAll, askForFee, closeDialog, placeCase, runDialog } from '../console/work-page.ts';

// What operators read about money that arrived and is not credited, and about what was changed a moment ago.

const sandbox = useConsole({ merchants: [{ country: 'CN' }, { country: 'IN' }] });

/** Keeps pictures of the page in light, dark, and on a phone, and looks for barriers in each. */
async function lookAround(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.mouse.move(0, 0);
    await keepPicture(page, `${name} ${colorScheme}`);
    expect([name, colorScheme, await barriersOf(page, colorScheme)]).toEqual([name, colorScheme, []]);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(phone.viewport ?? { width: 390, height: 844 });
  await keepPicture(page, `${name} phone`);
  expect([name, await widthOf(page)]).toEqual([name, 390]);
  await page.setViewportSize(desk.viewport ?? { width: 1280, height: 860 });
}

withBrowser('an underpaid order says how much arrived and is held, and later that it was returned', async (context) => {
  const { orderNo, merchantId, caseNo } = await placeCase(sandbox.file, 'CN', '100.51');
  const { page, errors } = await openConsole(context, sandbox, { role: 'Admin', path: `/orders/${orderNo}` });
  await page.getByText('99.51 CNY of 100.51 CNY arrived, and 99.51 CNY is in suspense.').waitFor();
  await page.getByText('Decide the open cases of this order').first().waitFor();
  await page.getByRole('table', { name: 'Payments' }).getByText('In suspense').waitFor();
  expect(await page.getByText('The order failed').count()).toBe(0);
  await lookAround(page, 'order with held money');
  await page.goto(page.url().replace(`/orders/${orderNo}`, `/cases/${merchantId}/${caseNo}`));
  await page.getByRole('heading', { name: 'Money of the order' }).waitFor();
  await lookAround(page, 'case with held money');
  await page.getByRole('button', { name: 'Returned by hand' }).click();
  await runDialog(page, 'Returned by hand', 'Sent back today');
  await page.getByRole('dialog').getByText('the money is returned').waitFor();
  await closeDialog(page);
  await page.getByRole('table', { name: 'Payments' }).getByText('Sent back').waitFor();
  await page.goBack();
  await page.getByText('99.51 CNY of 100.51 CNY arrived, and 99.51 CNY was sent back to the payer.').waitFor();
  expect(await page.getByRole('table', { name: 'Payments' }).getByText('In suspense').count()).toBe(0);
  expect(errors).toEqual([]);
});

withBrowser('today shows payins and payouts apart', async (context) => {
  await placeCase(sandbox.file, 'CN', '40.51');
  const { page, errors } = await openConsole(context, sandbox, { role: 'Admin', path: '/' });
  await page.getByRole('region', { name: 'Today in each currency' }).getByText('Payins').first().waitFor();
  await page.getByRole('columnheader', { name: 'Kind' }).waitFor();
  await lookAround(page, 'today');
  expect(errors).toEqual([]);
});

withBrowser('a fee that another operator approves is shown at once', async (context) => {
  const merchantId = sandbox.file.merchants.find(({ country }) => country === 'IN')?.merchantNo ?? '';
  const { page, errors } = await openConsole(context, sandbox, { role: 'Admin', path: `/merchants/${merchantId}` });
  const fees = page.getByRole('table', { name: 'Fees' });
  await fees.waitFor();
  await askForFee(sandbox.file, merchantId, '3.21');
  await approveAll(sandbox.file, merchantId);
  await fees.getByText('3.21 %').waitFor({ timeout: 10_000 });
  expect(await page.getByText('the beginning').count()).toBe(0);
  await lookAround(page, 'merchant after approval');
  expect(errors).toEqual([]);
});

withBrowser('an amount may be typed with commas, and one that can be misread is refused', async (context) => {
  const merchantId = sandbox.file.merchants.find(({ country }) => country === 'IN')?.merchantNo ?? '';
  const { page, errors } = await openConsole(context, sandbox, { role: 'Admin', path: `/wallets/${merchantId}` });
  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: /^Top up/ }).click();
  const dialog = page.getByRole('dialog');
  const amount = dialog.getByLabel(/\(INR\)/);
  await amount.fill('1.500');
  await dialog.getByLabel('Number of the bank transfer').fill(`H-${Date.now()}`);
  await dialog.getByLabel('Remark for the merchant').fill('Transfer of today');
  await dialog.getByLabel('Reason').fill('a test');
  await dialog.getByRole('button', { name: 'Top up' }).click();
  await dialog.getByText('1.500 can mean 1,500 or 1.500').waitFor();
  await keepPicture(page, 'amount refused');
  await amount.fill('1,500.00');
  await dialog.getByRole('button', { name: 'Top up' }).click();
  await dialog.getByText('Booked. Available now').waitFor();
  expect(errors).toEqual([]);
});
