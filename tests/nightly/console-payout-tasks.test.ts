import { expect } from 'vitest';
import { askAsOperator } from '../../tools/sandbox/src/demo/operator-client.ts';
import { keepPicture, openConsole, phone, widthOf } from '../console/console-page.ts';
import { lookAtPayoutTasks } from '../console/look-at-screens.ts';
import { useConsole, withBrowser } from '../console/use-console.ts';
import { closeDialog, placePayout, runDialog } from '../console/work-page.ts';

// Payout tasks in the operators' console.

const sandbox = useConsole({ merchants: [{ country: 'PK', payouts: 'market' }] });

withBrowser('a task is claimed, paid and proved by one operator, and accepted by another', async (context) => {
  const orderNo = await placePayout(sandbox.file, 'PK', '420.00');
  const path = `/payout-tasks?merchantIds=${sandbox.merchantNo}`;
  const { page, errors } = await openConsole(context, sandbox, { role: 'Admin', path });
  await page.getByRole('link', { name: orderNo }).click();
  await page.getByText('No operator pays this payout yet').waitFor();
  await page.getByRole('button', { name: 'Take', exact: true }).click();
  await page.getByText('Assigned to you').waitFor();
  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Assign' }).click();
  await page.getByRole('dialog').getByLabel("Operator's id").fill('approver');
  await runDialog(page, 'Assign', null);
  await page.getByRole('dialog').getByText('Assigned to approver').waitFor();
  await closeDialog(page);
  await page.getByText('Assigned to approver').waitFor();
  await page.getByRole('button', { name: 'Claim', exact: true }).click();
  await runDialog(page, 'Claim', 'I pay it by mobile banking');
  await page.getByText('The task is yours').waitFor();
  await closeDialog(page);
  await page.getByText(/Time left: 2\d min/).waitFor();
  await page.getByText('03001234567').first().waitFor();
  await page.getByRole('button', { name: 'Copy account' }).waitFor();
  await keepPicture(page, 'task claimed');
  await page.getByRole('button', { name: 'Prove the payment' }).click();
  const dialog = page.getByRole('dialog', { name: 'Prove the payment' });
  await dialog.getByLabel('Bank reference').fill(`TRX-${orderNo.slice(-8)}`);
  await dialog.getByLabel('Paid from').fill('Account at HBL');
  await runDialog(page, 'Prove the payment', 'Paid');
  await page.getByText('waits for another operator to review it').waitFor();
  await closeDialog(page);
  await page.getByText('Another operator has to review your proof').waitFor();

  const other = await openConsole(context, sandbox, { role: 'Approver', path: `${path}&view=review` });
  await other.page.getByRole('link', { name: orderNo }).click();
  await other.page.getByText('admin says that it is paid').waitFor();
  await other.page.getByRole('button', { name: 'Accept the proof' }).click();
  await runDialog(other.page, 'Accept the proof', 'The bank has this transfer');
  await other.page.getByText('the payout is completed').waitFor();
  await keepPicture(other.page, 'task accepted');
  // The page of the operator who paid it moves by itself.
  await page.getByText('Completed', { exact: true }).first().waitFor();
  expect([errors, other.errors]).toEqual([[], []]);
});

withBrowser('a rejected proof gives the task back to the operator who claimed it', async (context) => {
  const orderNo = await placePayout(sandbox.file, 'PK', '421.00');
  const path = `/payout-tasks/${orderNo}`;
  const { page } = await openConsole(context, sandbox, { role: 'Admin', path });
  await page.getByRole('button', { name: 'Claim', exact: true }).click();
  await runDialog(page, 'Claim', 'I pay it');
  await closeDialog(page);
  await page.getByRole('button', { name: 'Prove the payment' }).click();
  await page
    .getByRole('dialog')
    .getByLabel('Bank reference')
    .fill(`TRX-${orderNo.slice(-8)}`);
  await page.getByRole('dialog').getByLabel('Paid from').fill('Account at HBL');
  await runDialog(page, 'Prove the payment', 'Paid');
  await closeDialog(page);
  const { page: other } = await openConsole(context, sandbox, { role: 'Approver', path });
  await other.getByRole('button', { name: 'Reject the proof' }).click();
  await runDialog(other, 'Reject the proof', 'The bank knows no such transfer');
  await other.getByText('has to send another one').waitFor();
  await page.getByText(/Pay it and prove it/).waitFor();
  await page.getByRole('button', { name: 'Give back' }).click();
  await runDialog(page, 'Give back', 'I cannot pay it today');
  await page.getByText('available to others again').waitFor();
});

withBrowser('an order that another operator cancelled is not cancelled by an old page', async (context) => {
  const orderNo = await placePayout(sandbox.file, 'PK', '422.00');
  const path = `/orders/${orderNo}`;
  const [{ page: first }, { page: second }] = await Promise.all([
    openConsole(context, sandbox, { role: 'Admin', path }),
    openConsole(context, sandbox, { role: 'Approver', path }),
  ]);
  for (const page of [first, second]) {
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: 'Cancel the order' }).click();
  }
  // Another operator had the task meanwhile: the first sees that it has changed, and goes on.
  const approver = askAsOperator(sandbox.file.graphqlUrl, sandbox.file.approverToken);
  const byMistake = { input: { orderNo }, reason: 'A mistake' };
  await approver.mutate('claimPayoutTask', 'ClaimPayoutTaskInput', byMistake);
  await approver.mutate('giveBackPayoutTask', 'GiveBackPayoutTaskInput', byMistake);
  await runDialog(first, 'Cancel the order', 'The merchant asked for it');
  await first.getByRole('alert').getByText('Changed last by approver').waitFor();
  await keepPicture(first, 'changed meanwhile');
  await first.getByRole('button', { name: 'Go on' }).click();
  await runDialog(first, 'Cancel the order', null);
  await first.getByText('The order is now: cancelled').waitFor();
  await runDialog(second, 'Cancel the order', 'The payee has closed the account');
  await second.getByRole('alert').getByText('Changed last by admin').waitFor();
  await second.getByRole('alert').getByText('It cannot be done any more').waitFor();
  expect(await second.getByLabel('Reason').inputValue()).toBe('The payee has closed the account');
  await second.getByRole('button', { name: 'Not now' }).click();
  await second.getByRole('button', { name: 'Actions' }).click();
  // The reason comes from the API.
  await second
    .getByRole('menuitem', { name: 'Cancel the order' })
    .getByText('The status of the order does not allow this.')
    .waitFor();
});

withBrowser('the screens of tasks and payouts have no accessibility problem in light', (context) =>
  lookAtPayoutTasks(context, sandbox, 'light'),
);

withBrowser('on a phone no screen of work scrolls sideways', async (context) => {
  const orderNo = await placePayout(sandbox.file, 'PK', '424.00');
  const { page } = await openConsole(context, sandbox, { ...phone, role: 'Admin', path: '/payout-tasks' });
  await page.getByRole('link', { name: orderNo }).waitFor();
  const screens = [
    '/payout-tasks',
    `/payout-tasks/${orderNo}`,
    '/stuck-payouts',
    '/audit',
    '/audit/findings',
    '/cases',
  ];
  for (const path of screens) {
    await page.goto(new URL(`/console${path}`, page.url()).href);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expect.poll(() => widthOf(page), { message: path }).toBe(390);
  }
  await keepPicture(page, 'cases phone');
});
