import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { merchantClient } from '../../tools/sandbox/src/demo/merchant-client.ts';
import { waitUntil } from '../../tools/sandbox/src/wait-until.ts';
import { chromiumPath, closeBrowser, type OpenPage, openPage } from '../browser.ts';
import { payinRequest } from '../payin-requests.ts';
import { type RunningSandbox, startSandbox } from '../running-sandbox.ts';

// GraphiQL and the board of queues in a real browser, nearly all of it by clicking, on a new sandbox. It has its own
// sandbox, because the first examples show the newest order, the first figures and every order that changes.

vi.setConfig({ testTimeout: 180_000 });
const withBrowser = test.skipIf(chromiumPath === undefined);
const tabs = [
  'NewestOrder',
  'OrdersOfToday',
  'Dashboard',
  'TopUpWallet',
  'AdjustWallet',
  'PendingApprovals',
  'Approve',
  'LiveOrders',
  'Queues',
];

let sandbox: RunningSandbox;
let browser: OpenPage;
beforeAll(async () => {
  if (chromiumPath === undefined) return;
  [sandbox, browser] = await Promise.all([startSandbox(), openPage()]);
  await browser.page.goto(sandbox.file.graphqlUrl);
});
afterAll(async () => {
  await closeBrowser();
  await sandbox?.stop();
});

const tabNames = () => browser.page.locator('.graphiql-tab-button').allTextContents();
const openTab = async (name: string): Promise<void> => {
  await browser.page.locator('.graphiql-tab-button').filter({ hasText: name }).click();
  await browser.page.locator('.graphiql-tab-active').filter({ hasText: name }).waitFor();
};
const stopButton = () => browser.page.getByRole('button', { name: 'Stop query' });

/** Runs the document of the tab. Right after it was opened, GraphiQL may still run the document of the tab before. */
async function run(): Promise<void> {
  const hasBegun = async () => (await stopButton().isVisible()) || (await shown()) !== '';
  const isRun = async () => {
    await browser.page.getByRole('button', { name: 'Execute query' }).click();
    await waitUntil('the operation begins', hasBegun, { timeoutMs: 20_000 });
    return !(await shown()).includes('Cannot infer operation');
  };
  await waitUntil('the operation is run', isRun, { timeoutMs: 20_000 });
}

/** The shown answer. The editor shows blanks as U+00A0. */
const shown = async () =>
  (await browser.page.locator('.graphiql-response').textContent())?.replaceAll('\u00a0', ' ') ?? '';

/** Waits until the answer that is shown says this; gives what it caught. */
async function untilShown(pattern: RegExp): Promise<string> {
  let caught: RegExpExecArray | null = null;
  const look = async () => {
    caught = pattern.exec(await shown());
    return caught !== null;
  };
  await waitUntil(`an answer like ${pattern}`, look, { timeoutMs: 20_000 }).catch(async (error: Error) => {
    throw new Error(`${error.message}; it is: ${await shown()}`);
  });
  return caught?.[1] ?? '';
}

let placed = 0;

/** A payin of China, as its merchant creates it; its service order number. */
async function placePayin(): Promise<string> {
  const [merchant] = sandbox.file.merchants;
  if (!merchant) throw new Error('no merchant');
  const client = merchantClient(sandbox.file.restUrl, merchant.merchantNo, merchant.privateKeyPem);
  placed += 1;
  const notifyUrl = `${sandbox.file.receiverUrl}/notify/${merchant.merchantNo}`;
  const { data } = await client.post('/payin/create', payinRequest.CN?.(`G-${placed}`, '88.00', notifyUrl) ?? {});
  return String(data?.orderNo);
}

withBrowser('the first example shows an order after one click, and nothing is loaded from another origin', async () => {
  const orderNo = await placePayin();
  expect(await tabNames()).toEqual(tabs);
  await run();
  expect(await untilShown(/"orderNo": "(PI\w+)"/)).toBe(orderNo);
  expect(await shown()).toContain('"__typename": "OrderMoved"');
  const origin = new URL(sandbox.file.graphqlUrl).origin;
  expect(browser.requests.length).toBeGreaterThan(2);
  expect(browser.requests.filter((url) => new URL(url.replace(/^blob:/, '')).origin !== origin)).toEqual([]);
  expect(browser.errors).toEqual([]);
});

withBrowser.each([
  ['OrdersOfToday', /"pageInfo": (\{)/],
  ['Dashboard', /"orders": (1)/],
  ['PendingApprovals', /"edges": (\[\])/],
  ['Queues', /"name": "(submit)"/],
])('%s is answered at one click', async (name, pattern) => {
  await openTab(name);
  await run();
  await untilShown(pattern);
  expect(await shown()).not.toContain('"errors"');
});

withBrowser('a wallet is topped up with one click', async () => {
  await openTab('TopUpWallet');
  await run();
  expect(await untilShown(/"available": "([0-9.]+)"/)).toBe('1000500.00');
});

withBrowser(
  'a large adjustment waits for the second operator, who sees and approves it in their own tabs',
  async () => {
    await openTab('AdjustWallet');
    await run();
    const approvalId = await untilShown(/"approvalId": "(AP\w+)"/);
    expect(await shown()).toContain('"state": "PENDING"');
    await openTab('PendingApprovals');
    await run();
    expect(await untilShown(/"approvalId": "(AP\w+)"/)).toBe(approvalId);
    await openTab('Approve');
    await browser.page.getByRole('button', { name: 'Variables' }).click();
    await browser.page.locator('.graphiql-editor-tool .monaco-editor:visible').first().click();
    await browser.page.keyboard.press('ControlOrMeta+A');
    await browser.page.keyboard.type(JSON.stringify({ approvalId }));
    // What the editor has closed by itself.
    await browser.page.keyboard.press('ControlOrMeta+Shift+End');
    await browser.page.keyboard.press('Delete');
    await run();
    expect(await untilShown(/"decidedBy": "(\w+)"/)).toBe('approver');
    expect(await shown()).toContain('"state": "EXECUTED"');
  },
);

withBrowser('changed orders are shown until the operator stops the subscription', async () => {
  await openTab('LiveOrders');
  await run();
  await waitUntil('an open stream', async () => (await openStreams()) === 1, { timeoutMs: 20_000 });
  const orderNo = await placePayin();
  expect(await untilShown(/"orderNo": "(PI\w+)"/)).toBe(orderNo);
  await untilShown(/"status": "(COMPLETED)"/);
  await stopButton().click();
  await waitUntil('no open stream', async () => (await openStreams()) === 0, { timeoutMs: 20_000 });
});

async function openStreams(): Promise<number> {
  const metrics = await (await fetch(sandbox.file.graphqlUrl.replace('/graphql', '/metrics'))).text();
  return Number(/^tidegate_api_streams (\d+)$/m.exec(metrics)?.[1]);
}

withBrowser('on a phone the answer is below the query, as wide as the screen', async ({ onTestFinished }) => {
  const { page, close } = await openPage({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
  onTestFinished(close);
  await page.goto(sandbox.file.graphqlUrl);
  await page.locator('.graphiql-response').waitFor();
  const [editors, answer] = [
    await page.locator('.graphiql-editors').boundingBox(),
    await page.locator('.graphiql-response').boundingBox(),
  ];
  if (!editors || !answer) throw new Error('GraphiQL shows no editor or no answer');
  expect(answer.y).toBeGreaterThanOrEqual(editors.y + editors.height);
  expect(Math.min(editors.width, answer.width)).toBeGreaterThan(280);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
});

withBrowser('a later visit begins with the examples again, with the tokens filled in', async () => {
  await browser.page.goto(sandbox.file.graphqlUrl);
  expect(await tabNames()).toEqual(tabs);
  await openTab('Queues');
  await run();
  await untilShown(/"name": "(submit)"/);
  expect(browser.errors).toEqual([]);
});

withBrowser('an operator signs in by token, sees every queue, pauses and resumes one, and signs out', async () => {
  const opened = await openPage();
  const { page } = opened;
  const board = sandbox.file.graphqlUrl.replace('/graphql', '/board');
  await page.goto(board);
  expect(page.url()).toBe(`${board}/sign-in`);
  await page.getByLabel('Operator token').fill('tgo_wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').filter({ hasText: 'unknown, expired or revoked' }).waitFor();
  await page.getByLabel('Operator token').fill(sandbox.file.adminToken);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`${board}/manage/`);
  expect(await page.evaluate('document.cookie')).toBe('');

  for (const name of ['submit', 'poll', 'expire', 'refund', 'notify', 'retry', 'dispatch', 'audit'])
    await page
      .getByRole('link', { name: new RegExp(`^${name}`) })
      .first()
      .waitFor();
  await page
    .getByRole('link', { name: /^retry/ })
    .first()
    .click();
  await page.waitForURL(/\/board\/manage\/queue\/retry/);
  await page.getByText('No latest jobs').waitFor();
  await choose(page, 'Pause');
  await waitUntil('a paused queue', () => isPaused(page, board), { timeoutMs: 20_000 });
  await choose(page, 'Resume');
  await waitUntil('a queue that goes on', async () => !(await isPaused(page, board)), { timeoutMs: 20_000 });

  const origin = new URL(board).origin;
  expect(opened.requests.length).toBeGreaterThan(5);
  expect(opened.requests.filter((url) => new URL(url).origin !== origin)).toEqual([]);
  // The refused token alone.
  expect(opened.errors).toEqual([expect.stringContaining('status of 403')]);

  await page.locator('header [aria-haspopup=menu]').click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL(`${board}/sign-in`);
  await page.goto(`${board}/manage/queue/retry`);
  expect(page.url()).toBe(`${board}/sign-in`);
});

/** An entry of the queue's own menu, and what has to be agreed to. */
async function choose(page: Page, name: string): Promise<void> {
  await page.locator('[aria-haspopup=menu]').last().click();
  await page.getByRole('menuitem', { name, exact: true }).click();
  await page.getByRole('button', { name: 'Confirm' }).click();
}

/** Whether the queue of retries is paused, as the API says it to the page. */
async function isPaused(page: Page, board: string): Promise<boolean> {
  const answer = await page.request.get(`${board}/manage/api/queues`);
  const { queues } = (await answer.json()) as { queues: { name: string; isPaused: boolean }[] };
  return queues.find((queue) => queue.name === 'retry')?.isPaused ?? false;
}
