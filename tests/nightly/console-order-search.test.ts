import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import {
  addressOf,
  barriersOf,
  desk,
  keepPicture,
  openConsole,
  phone,
  placePayin,
  widthOf,
} from '../console/console-page.ts';
import { useConsole, withBrowser } from '../console/use-console.ts';

// A search for orders that ended before its page was full, in a real browser.

const sandbox = useConsole({ merchants: [{ country: 'CN' }] });

/** The list's first page as if its search had ended after two hours, with these rows of it. */
async function cutFirstPage(page: Page, rows: number): Promise<void> {
  await page.route('**/graphql', async (route, request) => {
    const body = request.postData() ?? '';
    if (!body.includes('"operationName":"OrderList"') || body.includes('"after":"')) return route.fallback();
    const response = await route.fetch();
    const answer = JSON.parse(await response.text());
    const { orders } = answer.data;
    const cursors = orders.edges.map(({ cursor }: { cursor: string }) => cursor);
    orders.edges = orders.edges.slice(0, rows);
    orders.pageInfo = { ...orders.pageInfo, hasNextPage: true, endCursor: cursors[rows - 1] ?? null };
    orders.searchedUntil = '2026-11-20T06:30:00.000Z';
    return route.fulfill({ response, json: answer });
  });
}

const looks = [
  { look: 'desk', options: desk },
  { look: 'desk dark', options: { ...desk, colorScheme: 'dark' } },
  { look: 'phone', options: phone },
  { look: 'phone dark', options: { ...phone, colorScheme: 'dark' } },
] as const;

withBrowser('a search that ended early shows how far it came, and can be continued', async (context) => {
  const older = await placePayin(sandbox.file, 'CN');
  const newer = await placePayin(sandbox.file, 'CN');
  for (const { look, options } of looks) {
    const { page, errors } = await openConsole(context, sandbox, { ...options, timezoneId: 'Asia/Kolkata' });
    await cutFirstPage(page, 1);
    await page.goto(addressOf(sandbox, `/orders?merchantIds=${sandbox.merchantNo}&amountFrom=1`));
    await page.getByRole('link', { name: newer }).waitFor();
    const notice = page.getByRole('status').filter({ hasText: 'Searched until' });
    await notice.getByText(/^20 Nov.*12:00$/).waitFor();
    expect(await page.getByRole('link', { name: older }).count()).toBe(0);
    expect(await widthOf(page)).toBe(options.viewport?.width);
    expect(await barriersOf(page)).toEqual([]);
    await notice.scrollIntoViewIfNeeded();
    await keepPicture(page, `orders searched until ${look}`);
    await notice.getByRole('button', { name: 'Search further' }).click();
    await page.getByRole('link', { name: older }).waitFor();
    expect(await notice.count()).toBe(0);
    expect(errors).toEqual([]);
  }
});

withBrowser('an unfinished search without a result so far does not claim that there is none', async (context) => {
  const { page } = await openConsole(context, sandbox);
  await cutFirstPage(page, 0);
  await page.goto(addressOf(sandbox, `/orders?merchantIds=${sandbox.merchantNo}&amountFrom=1`));
  await page.getByRole('button', { name: 'Search further' }).waitFor();
  expect(await page.getByText('No order matches').count()).toBe(0);
  await keepPicture(page, 'orders searched until empty');
});
