import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { merchantClient } from '../packages/sandbox/src/demo/merchant-client.ts';
import { waitUntil } from '../packages/sandbox/src/wait-until.ts';
import { chromiumPath, type OpenPage, openPage } from './browser.ts';
import { payinRequest } from './payin-requests.ts';
import { type RunningSandbox, startSandbox } from './running-sandbox.ts';

// GraphiQL as somebody finds it who has just started a sandbox: in a real browser, nearly all of it by clicking.

vi.setConfig({ testTimeout: 60_000 });
const withBrowser = test.skipIf(chromiumPath === undefined);
const tabs = [
  ...['NewestOrder', 'OrdersOfToday', 'Dashboard', 'TopUpWallet', 'AdjustWallet', 'PendingApprovals', 'Approve'],
  ...['LiveOrders', 'Queues'],
];

let sandbox: RunningSandbox;
let browser: OpenPage;
beforeAll(async () => {
  if (chromiumPath === undefined) return;
  [sandbox, browser] = await Promise.all([startSandbox(), openPage()]);
  await browser.page.goto(sandbox.file.graphqlUrl);
});
afterAll(async () => {
  await browser?.close();
  await sandbox?.stop();
});

const tabNames = () => browser.page.locator('.graphiql-tab-button').allTextContents();
const openTab = async (name: string): Promise<void> => {
  await browser.page.locator('.graphiql-tab-button').filter({ hasText: name }).click();
  await browser.page.locator('.graphiql-tab-active').filter({ hasText: name }).waitFor();
};
const stopButton = () => browser.page.getByRole('button', { name: 'Stop query' });

/** Runs what is in the tab. Quicker than any hand after it was opened, GraphiQL still looks for what was in the tab before. */
async function run(): Promise<void> {
  const hasBegun = async () => (await stopButton().isVisible()) || (await shown()) !== '';
  const isRun = async () => {
    await browser.page.getByRole('button', { name: 'Execute query' }).click();
    await waitUntil('the operation begins', hasBegun, { timeoutMs: 20_000 });
    return !(await shown()).includes('Cannot infer operation');
  };
  await waitUntil('the operation is run', isRun, { timeoutMs: 20_000 });
}

/** The answer that is shown; an editor's blanks are hard ones. */
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

withBrowser('the first example gives an order at one click, and nothing comes from elsewhere', async () => {
  const orderNo = await placePayin();
  expect(await tabNames()).toEqual(tabs);
  await run();
  expect(await untilShown(/"orderNo": "(PI\w+)"/)).toBe(orderNo);
  expect(await shown()).toContain('"__typename": "OrderMoved"');
  const origin = new URL(sandbox.file.graphqlUrl).origin;
  expect(browser.asked.length).toBeGreaterThan(2);
  expect(browser.asked.filter((url) => new URL(url.replace(/^blob:/, '')).origin !== origin)).toEqual([]);
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

withBrowser('a wallet is topped up at one click', async () => {
  await openTab('TopUpWallet');
  await run();
  expect(await untilShown(/"available": "([0-9.]+)"/)).toBe('1000500.00');
});

withBrowser('a large adjustment waits for the second operator, whose tabs show it and agree to it', async () => {
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
});

withBrowser('orders are shown as they move, until somebody stops it', async () => {
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

withBrowser('another visit begins anew, with the tokens filled in', async () => {
  await browser.page.goto(sandbox.file.graphqlUrl);
  expect(await tabNames()).toEqual(tabs);
  await openTab('Queues');
  await run();
  await untilShown(/"name": "(submit)"/);
  expect(browser.errors).toEqual([]);
});
