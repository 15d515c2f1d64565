import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, type TestContext, test, vi } from 'vitest';
import { askAsOperator } from '../../tools/sandbox/src/demo/operator-client.ts';
import { waitUntil } from '../../tools/sandbox/src/wait-until.ts';
import { queryDatabase } from '../../tools/sandbox/test/own-postgres.ts';
import { chromiumPath, closeBrowser } from '../browser.ts';
import { addressOf, barriersOf, buildConsole, keepPicture, openConsole, placePayin } from '../console/console-page.ts';
import { caseOf, closeDialog, type PlacedCase, runDialog } from '../console/work-page.ts';
import { type RunningSandbox, startSandbox } from '../running-sandbox.ts';

// Money of a case that its channel sends back (ADR 0019), decided by two operators in two browsers. The channel never
// says whether it was refunded.

vi.setConfig({ testTimeout: 240_000 });
const withBrowser = test.skipIf(chromiumPath === undefined);

let sandbox: RunningSandbox;
let opnUrl = '';
beforeAll(async () => {
  if (chromiumPath === undefined) return;
  // A minute is six seconds.
  [sandbox] = await Promise.all([startSandbox({ scale: 0.1, channels: ['opn'] }), buildConsole()]);
  const [row] = await queryDatabase<{ url: string }>(
    sandbox.file.databaseUrl,
    "select base_url as url from channel where channel_id = 'opn'",
  );
  opnUrl = row?.url ?? '';
}, 240_000);
afterAll(async () => {
  await closeBrowser();
  await sandbox?.stop();
});

/** Uses a control of the fake of Opn. */
async function control(name: string, input: object): Promise<void> {
  const reply = await fetch(`${opnUrl}/_control/${name}`, { method: 'POST', body: JSON.stringify(input) });
  expect([reply.status, await reply.text()]).toMatchObject([200, expect.any(String)]);
}

interface CaseNow {
  state: string;
  reference: string;
  refund: { state: string; nextAttemptAt: string | null } | null;
}

async function caseNow({ merchantId, caseNo }: PlacedCase): Promise<CaseNow> {
  const query = `query ($merchantId: String!, $caseNo: Int!) {
    moneyCase(merchantId: $merchantId, caseNo: $caseNo) { state reference refund { state nextAttemptAt } }
  }`;
  const { graphqlUrl, adminToken } = sandbox.file;
  return (await askAsOperator(graphqlUrl, adminToken)<{ moneyCase: CaseNow }>(query, { merchantId, caseNo })).moneyCase;
}

/**
 * A case of money that was paid after its order had expired. It is more than an operator may move alone, and Opn answers
 * nothing about its refunds.
 */
async function aLatePayment(): Promise<PlacedCase> {
  // With these cents the payer lets the charge expire.
  const orderNo = await placePayin(sandbox.file, 'TH', { amount: '20000.22' });
  const { graphqlUrl, adminToken } = sandbox.file;
  const statusOf = async () =>
    (
      await askAsOperator(graphqlUrl, adminToken)<{ order: { status: string } }>(
        'query ($orderNo: String!) { order(orderNo: $orderNo) { status } }',
        { orderNo },
      )
    ).order.status;
  await waitUntil(`${orderNo} expired`, async () => (await statusOf()) === 'TIMEOUT', { timeoutMs: 60_000 });
  await control('change', { charge: orderNo, to: 'pay' });
  const placed = await caseOf(sandbox.file, orderNo);
  const { reference } = await caseNow(placed);
  await control('faults', { fault: 'server_error', times: 1_000_000, path: `/charges/${reference}/refunds` });
  return placed;
}

/** The second operator approves what an open dialog says is waiting, once the page says what it is about. */
async function approveAsSecond(context: TestContext, page: Page, says: string): Promise<void> {
  const approvalLink = page.getByRole('dialog').getByRole('link', { name: 'See the approval' });
  const path = await approvalLink.getAttribute('href');
  const { page: second, errors } = await openConsole(context, sandbox, { role: 'Approver' });
  await second.goto(new URL(path ?? '', addressOf(sandbox, '/')).href);
  await second.getByText(says).first().waitFor();
  await second.getByRole('button', { name: 'Approve', exact: true }).click();
  await runDialog(second, 'Approve', null);
  await second.getByText('Approved and carried out').waitFor();
  expect(errors).toEqual([]);
}

/** One operator asks that Opn sends the money back, and a second one approves. Their page then waits for an answer. */
async function sendBack(context: TestContext, { merchantId, caseNo }: PlacedCase): Promise<Page> {
  const path = `/cases/${merchantId}/${caseNo}`;
  const { page } = await openConsole(context, sandbox, { role: 'Admin', path });
  await page.getByRole('button', { name: 'Send back through opn' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send back through opn' });
  await dialog.getByText('opn sends the money back to the payer').waitFor();
  await runDialog(page, 'Send back through opn', 'The payer wants it back');
  await dialog.getByText('This waits for a second operator').waitFor();
  await approveAsSecond(context, page, 'The payer wants it back');
  await closeDialog(page);
  await page.getByText('No definite answer yet').waitFor();
  await page.getByText('no_answer: HTTP 503').waitFor();
  return page;
}

/** One operator says what happened to the money, with evidence. */
async function resolve(page: Page, outcome: 'FAILED' | 'REFUNDED', evidence: string): Promise<void> {
  await page.getByRole('button', { name: 'Resolve the refund' }).click();
  const dialog = page.getByRole('dialog', { name: 'Resolve the refund' });
  await dialog.getByText('Needed: another operator').waitFor();
  await dialog.getByLabel('What happened').selectOption(outcome);
  await dialog.getByLabel('Evidence').fill(evidence);
  await keepPicture(page, `resolve refund ${outcome}`);
  expect(await barriersOf(page)).toEqual([]);
  await runDialog(page, 'Resolve the refund', 'Opn does not answer');
  await dialog.getByText('This waits for a second operator').waitFor();
}

withBrowser('two operators end a refund without an answer: the payer has the money', async (context) => {
  const placed = await aLatePayment();
  const page = await sendBack(context, placed);
  expect(await page.getByRole('button', { name: 'Credit the money' }).count()).toBe(0);
  await resolve(page, 'REFUNDED', 'Portal: refunded today at 10:00');
  await approveAsSecond(context, page, 'Portal: refunded today at 10:00');
  await closeDialog(page);
  await page.getByText('Money is back').waitFor();
  await page.getByText('Returned', { exact: true }).first().waitFor();
  await page.getByText('seen by operators: Portal: refunded today at 10:00').waitFor();
  await page.getByText('by admin and approver').first().waitFor();
  expect(await page.getByRole('button', { name: 'Resolve the refund' }).count()).toBe(0);
  expect(await caseNow(placed)).toMatchObject({ state: 'RETURNED', refund: { state: 'REFUNDED' } });
});

withBrowser('a refund that failed by evidence leaves its case open for another decision', async (context) => {
  const placed = await aLatePayment();
  const page = await sendBack(context, placed);
  await resolve(page, 'FAILED', 'Portal: no refund of this charge');
  // While the channel is being called, the refund cannot be ended as failed.
  const isBetweenCalls = async () =>
    Date.parse((await caseNow(placed)).refund?.nextAttemptAt ?? '') > Date.now() + 3_000;
  await waitUntil('a pause between two calls', isBetweenCalls, { timeoutMs: 60_000 });
  await approveAsSecond(context, page, 'Portal: no refund of this charge');
  await closeDialog(page);
  await page.getByText('Nothing was refunded').waitFor();
  await page.getByText('Open', { exact: true }).first().waitFor();
  await page.getByRole('button', { name: 'Send back through opn' }).waitFor();
  await page.getByRole('button', { name: 'Credit the money' }).waitFor();
  expect(await caseNow(placed)).toMatchObject({ state: 'OPEN', refund: { state: 'FAILED' } });
});
