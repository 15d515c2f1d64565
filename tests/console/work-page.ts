import type { Page } from 'playwright-core';
import { merchantClient } from '../../packages/sandbox/src/demo/merchant-client.ts';
import { askAsOperator } from '../../packages/sandbox/src/demo/operator-client.ts';
import type { SandboxFile } from '../../packages/sandbox/src/sandbox-file.ts';
import { waitUntil } from '../../packages/sandbox/src/wait-until.ts';
import { payoutRequest } from '../payout-requests.ts';
import { placePayin } from './console-page.ts';

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

export interface PlacedCase {
  merchantId: string;
  caseNo: number;
  orderNo: string;
}

/** Opens a case: the fake upstream chooses by the cents what the payer does, `.41` pays twice, `.51` pays 1.00 less. */
export async function placeCase(file: SandboxFile, country: string, amount: string): Promise<PlacedCase> {
  const orderNo = await placePayin(file, country, { amount });
  const ask = askAsOperator(file.graphqlUrl, file.adminToken);
  const query = `query ($orderNo: String!) {
    moneyCases(first: 1, filter: { orderNo: $orderNo }) { edges { node { merchantId caseNo } } }
  }`;
  interface Cases {
    moneyCases: { edges: { node: { merchantId: string; caseNo: number } }[] };
  }
  const find = async () => (await ask<Cases>(query, { orderNo })).moneyCases.edges[0]?.node;
  await waitUntil(`the case of ${orderNo}`, async () => (await find()) !== undefined, {
    ...{ timeoutMs: 60_000, everyMs: 200 },
  });
  const found = await find();
  if (!found) throw new Error(`${orderNo} has no case`);
  return { ...found, orderNo };
}

let placed = 0;

/** Creates a payout as a merchant does; its order number. */
export async function placePayout(file: SandboxFile, country: string, amount: string): Promise<string> {
  const merchant = file.merchants.find((one) => one.country === country);
  if (!merchant) throw new Error(`no merchant of ${country}`);
  const client = merchantClient(file.restUrl, merchant.merchantNo, merchant.privateKeyPem);
  placed += 1;
  const number = `W-${process.pid}-${Date.now().toString(36)}-${placed}`;
  const { code, msg, data } = await client.post('/payout/create', payoutRequest[country]?.(number, amount) ?? {});
  if (code !== 0) throw new Error(`payout of ${country}: ${code} ${msg}`);
  return String(data?.orderNo);
}

/** Enters the reason in the open dialog and runs its action. */
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
