import type { Page } from 'playwright-core';
import { askAsOperator } from '../../packages/sandbox/src/demo/operator-client.ts';
import type { SandboxFile } from '../../packages/sandbox/src/sandbox-file.ts';

// What the tests of several screens do on a page, and work for operators.

/** Asks for a new fee of a merchant as the admin. Another operator has to approve it. */
export async function askForFee(
  { graphqlUrl, adminToken }: SandboxFile,
  merchantId: string,
  percent: string,
): Promise<void> {
  const input = { merchantId, kind: 'PAYIN', percent, fixed: '0.10' };
  await askAsOperator(graphqlUrl, adminToken).mutate('setFeeRule', 'SetFeeRuleInput', {
    input,
    reason: 'New contract',
  });
}

/** Gives the reason of the open dialog and runs its action. */
export async function runDialog(page: Page, label: string, reason: string | null): Promise<void> {
  const dialog = page.getByRole('dialog', { name: label });
  if (reason !== null) await dialog.getByLabel('Reason').fill(reason);
  await dialog.getByRole('button', { name: label }).click();
}

/** Closes the dialog that says what happened. */
export async function closeDialog(page: Page): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}
