import { createHash, randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import { beforeAll, expect } from 'vitest';
import { askAsOperator } from '../../tools/sandbox/src/demo/operator-client.ts';
import { waitUntil } from '../../tools/sandbox/src/wait-until.ts';
import { queryDatabase } from '../../tools/sandbox/test/own-postgres.ts';
import { chromiumPath, openPage } from '../browser.ts';
import { addressOf, desk, keepPicture, openConsole, placePayin } from '../console/console-page.ts';
import { useConsole, withBrowser } from '../console/use-console.ts';

// What happens to a page and to what was typed in it when its session ends, an answer is lost, or another site shows it.

const sandbox = useConsole({ merchants: [{ country: 'CN' }] });
let orderNo = '';
beforeAll(async () => {
  if (chromiumPath === undefined) return;
  orderNo = await placePayin(sandbox.file, 'CN', { answer: '500' });
  await waitUntil(`${orderNo} was notified`, async () => (await attemptsOf(orderNo)) > 0, {
    timeoutMs: 60_000,
    everyMs: 200,
  });
});

async function attemptsOf(number: string): Promise<number> {
  const query = `query ($orderNo: String!) {
    order(orderNo: $orderNo) { notifications(first: 1) { edges { node { attemptCount } } } }
  }`;
  interface Found {
    order: { notifications: { edges: { node: { attemptCount: number } }[] } };
  }
  const { order } = await askAsOperator(sandbox.file.graphqlUrl, sandbox.file.adminToken)<Found>(query, {
    orderNo: number,
  });
  return order.notifications.edges[0]?.node.attemptCount ?? 0;
}

const action = 'Send the notification again';

async function openDialog(page: Page) {
  await page.getByRole('status').filter({ hasText: 'answered HTTP 500' }).getByRole('button', { name: action }).click();
  const dialog = page.getByRole('dialog', { name: action });
  await dialog.waitFor();
  return dialog;
}

/** Ends the session of a page as if it had run out: the page itself does not know of it. */
const endSession = (page: Page) =>
  page.evaluate(`fetch('/console/session', { method: 'DELETE', headers: { 'x-tidegate-console': '1' } })`);

const signInAs = (page: Page, role: string) => page.getByRole('button', { name: role }).click();

withBrowser(
  'text that was typed when a session expired is still there after signing in again, but only for the same operator',
  async (context) => {
    const path = `/orders/${orderNo}`;
    const { page } = await openConsole(context, sandbox, { path });
    await page.getByLabel('New note').fill('The merchant called at nine');
    await (await openDialog(page)).getByLabel('Reason').fill('The merchant has mended its shop');
    await endSession(page);
    await page.getByRole('button', { name: 'Approver' }).waitFor();
    expect(await page.getByText(orderNo).count()).toBe(0);

    await signInAs(page, 'Approver');
    const others = await openDialog(page);
    expect(await others.getByLabel('Reason').inputValue()).toBe('');
    await page.keyboard.press('Escape');
    expect(await page.getByLabel('New note').inputValue()).toBe('');
    await endSession(page);

    await signInAs(page, 'Support');
    const own = await openDialog(page);
    expect(await own.getByLabel('Reason').inputValue()).toBe('The merchant has mended its shop');
    await own.getByRole('button', { name: 'Not now' }).click();
    expect(await page.getByLabel('New note').inputValue()).toBe('The merchant called at nine');
    // What was dropped by its operator does not come back.
    expect(await (await openDialog(page)).getByLabel('Reason').inputValue()).toBe('');
  },
);

withBrowser('if an answer is lost, the typed text is kept, and the next try takes effect once', async (context) => {
  const { page } = await openConsole(context, sandbox, { path: `/orders/${orderNo}` });
  const dialog = await openDialog(page);
  let isLost = false;
  await page.route('**/graphql', async (route, request) => {
    if (isLost || !request.postData()?.includes('"operationName":"ResendNotification"')) return route.fallback();
    isLost = true;
    await route.fetch();
    return route.abort('connectionreset');
  });
  await dialog.getByLabel('Reason').fill('The merchant asked by phone');
  await dialog.locator('button[type=submit]').click();
  await dialog.getByRole('alert').getByText('cannot be reached').waitFor();
  expect(await dialog.getByLabel('Reason').inputValue()).toBe('The merchant asked by phone');
  await keepPicture(page, 'answer lost');
  await dialog.locator('button[type=submit]').click();
  await dialog.getByText('This request was already carried out').waitFor();
  expect(isLost).toBe(true);
});

withBrowser('while the service is slow, pages say so until the answer is there', async (context) => {
  const { page, close } = await openPage({ ...desk, locale: 'en-GB' });
  context.onTestFinished(close);
  const busy = page.getByText('this takes longer than usual');
  /** Holds the next request of this kind until the page has said that it takes longer. */
  const hold = async (
    path: string,
    isHeld: (body: string, method: string) => boolean,
    isSaid = () => busy.waitFor(),
  ) => {
    let isDone = false;
    await page.route(path, async (route, request) => {
      if (isDone || !isHeld(request.postData() ?? '', request.method())) return route.fallback();
      isDone = true;
      await isSaid();
      return route.fallback();
    });
  };
  await hold('**/console/session', (_, method) => method === 'POST');
  await page.goto(addressOf(sandbox, `/orders/${orderNo}`));
  await signInAs(page, 'Support');
  const dialog = await openDialog(page);
  expect(await busy.count()).toBe(0);
  await hold(
    '**/graphql',
    (body) => body.includes('"operationName":"ResendNotification"'),
    async () => {
      await busy.waitFor();
      // Under the dialog.
      await page.getByText('Busy', { exact: true }).waitFor({ state: 'attached' });
    },
  );
  await dialog.getByLabel('Reason').fill('The merchant asked by phone');
  await dialog.locator('button[type=submit]').click();
  await dialog
    .getByText('This request was already carried out')
    .or(dialog.getByRole('button', { name: 'Close' }))
    .first()
    .waitFor();
  expect(await busy.count()).toBe(0);
});

withBrowser('the page of an operator whose token is revoked shows the sign-in page by itself', async (context) => {
  const operatorId = `leaves-${randomBytes(4).toString('hex')}`;
  const token = `tgo_${randomBytes(32).toString('base64url')}`;
  const { databaseUrl } = sandbox.file;
  await queryDatabase(
    databaseUrl,
    `insert into operator (operator_id, name, roles) values ($1, 'Leaves', '{support}')`,
    [operatorId],
  );
  await queryDatabase(databaseUrl, 'insert into operator_token (token_hash, operator_id) values ($1, $2)', [
    createHash('sha256').update(token).digest('hex'),
    operatorId,
  ]);
  const { page, close } = await openPage({ ...desk, locale: 'en-GB' });
  context.onTestFinished(close);
  await page.goto(addressOf(sandbox, `/orders/${orderNo}`));
  await page.getByLabel('Operator token').fill(token);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('status').filter({ hasText: 'Live' }).waitFor();
  const revoke = 'update operator_token set revoked_at = clock_timestamp() where operator_id = $1';
  await queryDatabase(databaseUrl, revoke, [operatorId]);
  await page.getByLabel('Operator token').waitFor();
  expect(await page.getByText(orderNo).count()).toBe(0);
  await page.goBack().catch(() => null);
  expect(await page.getByRole('table').count()).toBe(0);
});

withBrowser('a page of another site cannot show the console in a frame', async (context) => {
  const { page, close } = await openPage(desk);
  context.onTestFinished(close);
  const refused = page.waitForEvent('requestfailed', (request) => request.isNavigationRequest());
  await page.setContent(`<iframe src="${addressOf(sandbox, '/')}" width="800" height="600"></iframe>`);
  expect((await refused).failure()?.errorText).toContain('BLOCKED_BY_RESPONSE');
  expect(await page.frameLocator('iframe').getByRole('button').count()).toBe(0);
});

withBrowser('the sign-in page works by keyboard while it still reads the ways to sign in', async (context) => {
  const { page, close } = await openPage({ ...desk, locale: 'en-GB' });
  context.onTestFinished(close);
  let reads = 0;
  await page.route('**/console/session', async (route, request) => {
    if (request.method() === 'GET') reads += 1;
    // The page reads them once before it is drawn, and once more.
    if (request.method() === 'GET' && reads === 2) return;
    await route.fallback();
  });
  await page.goto(addressOf(sandbox, '/orders'));
  await page.getByRole('button', { name: 'Support' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Orders', level: 1 }).waitFor();
  expect(reads).toBeGreaterThan(2);
});
