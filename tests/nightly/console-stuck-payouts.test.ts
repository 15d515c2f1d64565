import { expect } from 'vitest';
import { waitUntil } from '../../tools/sandbox/src/wait-until.ts';
import { addressOf, keepPicture, openConsole } from '../console/console-page.ts';
import { useConsole, withBrowser } from '../console/use-console.ts';
import { closeDialog, placePayout, runDialog } from '../console/work-page.ts';

// Stuck payouts in the operators' console.

// A quarter of an hour is nine seconds here.
const fast = useConsole({ scale: 0.01, merchants: [{ country: 'IN', payouts: 'upstream' }] });

withBrowser('a stuck payout is found by its waiting time, and two operators end it with evidence', async (context) => {
  const orderNo = await placePayout(fast.file, 'IN', '640.23');
  const path = `/stuck-payouts?waiting=15&merchantIds=${fast.merchantNo}`;
  const { page } = await openConsole(context, fast, { role: 'Admin', path });
  const row = page.getByRole('row').filter({ hasText: orderNo });
  const isListed = async () => {
    await page.reload();
    await page.getByRole('heading', { name: 'Stuck payouts' }).waitFor();
    return (
      (await row.count()) > 0 ||
      row.waitFor({ timeout: 2_000 }).then(
        () => true,
        () => false,
      )
    );
  };
  await waitUntil(`${orderNo} in the list`, isListed, { timeoutMs: 60_000, everyMs: 500 });
  await keepPicture(page, 'stuck payouts');
  await row.getByRole('button', { name: 'Resolve' }).click();
  const dialog = page.getByRole('dialog', { name: 'Resolve' });
  await dialog.getByLabel('What happened at the bank').selectOption('FAILED');
  await dialog.getByLabel('Evidence').fill('Bank statement of today: no such debit');
  await dialog.getByRole('button', { name: 'Mark failed: 640.23 INR' }).waitFor();
  await runDialog(page, 'Resolve', 'The bank did not pay it');
  await dialog.getByRole('link', { name: 'See the approval' }).waitFor();
  await closeDialog(page);
  // One request at a time waits about an order: its row and its page say which.
  const again = row.getByRole('button', { name: 'Resolve' });
  await expect.poll(() => again.getAttribute('aria-disabled')).toBe('true');
  await page.goto(addressOf(fast, `/orders/${orderNo}`));
  await page.getByText('admin requested Mark failed: 640.23 INR').waitFor();
  await page.getByRole('button', { name: 'Actions' }).click();
  const entry = page.getByRole('menuitem', { name: 'Settle or fail by evidence' });
  expect(await entry.getAttribute('aria-disabled')).toBe('true');
  await entry.getByText('Another request about the same object waits').waitFor();
  await keepPicture(page, 'order with a request');
  await page.keyboard.press('Escape');
  const { page: other } = await openConsole(context, fast, {
    role: 'Approver',
    path: `/approvals?merchantIds=${fast.merchantNo}`,
  });
  await other.getByRole('link', { name: 'Mark failed' }).click();
  await other.getByText('no such debit').first().waitFor();
  await other.getByRole('button', { name: 'Approve', exact: true }).click();
  const decision = other.getByRole('dialog', { name: 'Approve' });
  for (const text of ['Mark failed', '640.23', 'no such debit']) await decision.getByText(text).first().waitFor();
  await decision.getByRole('button', { name: 'Mark failed: 640.23 INR' }).waitFor();
  await keepPicture(other, 'approve stuck payout');
  await runDialog(other, 'Approve', null);
  await other.getByText('Approved and carried out').waitFor();
  await page.getByText('admin requested').waitFor({ state: 'detached' });
  await page.goto(addressOf(fast, path));
  await row.waitFor({ state: 'detached' });
});
