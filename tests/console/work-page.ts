import type { Page } from 'playwright-core';
import { merchantClient } from '../../tools/sandbox/src/demo/merchant-client.ts';
import { askAsOperator, type OperatorClient } from '../../tools/sandbox/src/demo/operator-client.ts';
import type { SandboxFile } from '../../tools/sandbox/src/sandbox-file.ts';
import { waitUntil } from '../../tools/sandbox/src/wait-until.ts';
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

/** The second operator approves all that waits for a merchant. */
export async function approveAll({ graphqlUrl, approverToken }: SandboxFile, merchantId: string): Promise<void> {
  const ask = askAsOperator(graphqlUrl, approverToken);
  const { approvals } = await ask<{ approvals: { edges: { node: { approvalId: string } }[] } }>(
    `query ($merchantId: String!) {
      approvals(first: 20, filter: { states: [PENDING], merchantIds: [$merchantId] }) { edges { node { approvalId } } }
    }`,
    { merchantId },
  );
  for (const { node } of approvals.edges) await approveOne(ask, node.approvalId);
}

async function approveOne(ask: OperatorClient, approvalId: string): Promise<void> {
  const approved = await ask<{ approve: { state?: string } }>(
    'mutation ($approvalId: String!) { approve(approvalId: $approvalId) { ... on Approval { state } } }',
    { approvalId },
  );
  if (approved.approve.state !== 'EXECUTED') throw new Error(`${approvalId} was not carried out`);
}

/** Makes a channel with three credentials, to which no route leads. A second operator approves it. */
export async function placeChannel(
  { graphqlUrl, adminToken, approverToken }: SandboxFile,
  channelId: string,
): Promise<void> {
  const credentials = { merchantId: 'MC1', password: 'first-secret', integritySalt: 'second-secret' };
  const response = await askAsOperator(graphqlUrl, adminToken)<{ setChannel: { approval: { approvalId: string } } }>(
    `mutation ($input: SetChannelInput!) {
      setChannel(input: $input, reason: "New") { ... on SetChannelPayload { approval { approvalId } } }
    }`,
    { input: { channelId, adapter: 'jazzcash', baseUrl: 'http://127.0.0.1:9009', credentials } },
  );
  await approveOne(askAsOperator(graphqlUrl, approverToken), response.setChannel.approval.approvalId);
}

export interface PlacedCase {
  merchantId: string;
  caseNo: number;
  orderNo: string;
}

/** Opens a case: the fake upstream chooses by the cents what the payer does, `.41` pays twice, `.51` pays 1.00 less. */
export async function placeCase(file: SandboxFile, country: string, amount: string): Promise<PlacedCase> {
  return caseOf(file, await placePayin(file, country, { amount }));
}

/** The first case of an order, as soon as there is one. */
export async function caseOf(file: SandboxFile, orderNo: string): Promise<PlacedCase> {
  const ask = askAsOperator(file.graphqlUrl, file.adminToken);
  const query = `query ($orderNo: String!) {
    moneyCases(first: 1, filter: { orderNo: $orderNo }) { edges { node { merchantId caseNo } } }
  }`;
  interface Cases {
    moneyCases: { edges: { node: { merchantId: string; caseNo: number } }[] };
  }
  const find = async () => (await ask<Cases>(query, { orderNo })).moneyCases.edges[0]?.node;
  await waitUntil(`the case of ${orderNo}`, async () => (await find()) !== undefined, {
    timeoutMs: 60_000,
    everyMs: 200,
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

/** Creates a payout that its channel never answers, and waits until it is stuck: 36 s in a sandbox with the scale 0.01. */
export async function placeStuckPayout(file: SandboxFile, country: string, amount: string): Promise<string> {
  const orderNo = await placePayout(file, country, amount);
  const filter = { merchantIds: file.merchants.map(({ merchantNo }) => merchantNo) };
  const query = 'query ($filter: StuckPayoutFilter) { stuckPayouts(first: 1, filter: $filter) { totalCount } }';
  const ask = askAsOperator(file.graphqlUrl, file.adminToken);
  const isStuck = async () => {
    const { stuckPayouts } = await ask<{ stuckPayouts: { totalCount: number } }>(query, { filter });
    return stuckPayouts.totalCount > 0;
  };
  await waitUntil(`${orderNo} is stuck`, isStuck, { timeoutMs: 120_000, everyMs: 500 });
  return orderNo;
}

/** Enters the reason in the open dialog and runs its action. */
export async function runDialog(page: Page, label: string, reason: string | null): Promise<void> {
  const dialog = page.getByRole('dialog', { name: label });
  if (reason !== null) await dialog.getByLabel('Reason').fill(reason);
  // The button may say the outcome.
  await dialog.locator('button[type=submit]').click();
}

/** Closes the dialog that says what happened. */
export async function closeDialog(page: Page): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

/** Asks in the open dialog for something that two operators have to agree on. */
export async function request(page: Page, label: string, reason: string): Promise<void> {
  await runDialog(page, label, reason);
  await page.getByRole('dialog').getByText('This waits for a second operator').waitFor();
  await closeDialog(page);
}

/** Agrees to what another operator asked for, from the page that says so, and comes back. */
export async function agree(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'See the approval' }).click();
  await page.getByRole('button', { name: 'Approve', exact: true }).click();
  await runDialog(page, 'Approve', null);
  await page.getByRole('dialog').getByText('Approved and carried out').waitFor();
  await closeDialog(page);
  await page.goBack();
}
