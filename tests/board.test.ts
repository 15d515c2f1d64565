import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { waitUntil } from '../packages/sandbox/src/wait-until.ts';
import { chromiumPath, type OpenPage, openPage } from './browser.ts';
import { type RunningSandbox, startSandbox } from './running-sandbox.ts';

// The board of queues as an operator finds it: in a real browser, by clicking.

vi.setConfig({ testTimeout: 60_000 });
const withBrowser = test.skipIf(chromiumPath === undefined);

let sandbox: RunningSandbox;
let browser: OpenPage;
let board: string;
beforeAll(async () => {
  if (chromiumPath === undefined) return;
  [sandbox, browser] = await Promise.all([startSandbox(), openPage()]);
  board = sandbox.file.graphqlUrl.replace('/graphql', '/board');
});
afterAll(async () => {
  await browser?.close();
  await sandbox?.stop();
});

withBrowser('an operator signs in by a token, sees every queue, pauses one, lets it go on, and signs out', async () => {
  const { page } = browser;
  await page.goto(board);
  expect(page.url()).toBe(`${board}/sign-in`);
  await page.getByLabel('Operator token').fill('tgo_wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').filter({ hasText: 'unknown, expired or revoked' }).waitFor();
  await page.getByLabel('Operator token').fill(sandbox.file.adminToken);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`${board}/manage/`);
  expect(await page.evaluate('document.cookie')).toBe('');

  for (const name of ['submit', 'poll', 'expire', 'notify', 'retry', 'dispatch', 'audit'])
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
  await choose('Pause');
  await waitUntil('a paused queue', () => isPaused('retry'), { timeoutMs: 20_000 });
  await choose('Resume');
  await waitUntil('a queue that goes on', async () => !(await isPaused('retry')), { timeoutMs: 20_000 });

  const origin = new URL(board).origin;
  expect(browser.asked.length).toBeGreaterThan(5);
  expect(browser.asked.filter((url) => new URL(url).origin !== origin)).toEqual([]);
  // The refused token alone.
  expect(browser.errors).toEqual([expect.stringContaining('status of 403')]);

  await page.locator('header [aria-haspopup=menu]').click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL(`${board}/sign-in`);
  await page.goto(`${board}/manage/queue/retry`);
  expect(page.url()).toBe(`${board}/sign-in`);
});

/** An entry of the queue's own menu, and what has to be agreed to. */
async function choose(name: string): Promise<void> {
  const { page } = browser;
  await page.locator('[aria-haspopup=menu]').last().click();
  await page.getByRole('menuitem', { name, exact: true }).click();
  await page.getByRole('button', { name: 'Confirm' }).click();
}

/** As the API says it to the page. */
async function isPaused(name: string): Promise<boolean> {
  const answer = await browser.page.request.get(`${board}/manage/api/queues`);
  const { queues } = (await answer.json()) as { queues: { name: string; isPaused: boolean }[] };
  return queues.find((queue) => queue.name === name)?.isPaused ?? false;
}
