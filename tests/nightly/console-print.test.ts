import { inflateSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { chromiumPath, closeBrowser } from '../browser.ts';
import { buildConsole, keepPicture, openConsole, placePayin } from '../console/console-page.ts';
import { borrowSandbox } from '../run-services/ask-services.ts';
import type { SharedSandbox } from '../run-services/shared-sandboxes.ts';

// The statement of a wallet on paper: what a merchant gets, and nothing of the screen around it.

vi.setConfig({ testTimeout: 180_000, hookTimeout: 400_000 });
const withBrowser = test.skipIf(chromiumPath === undefined);

/** A4 at 96 pixels an inch. */
const paper = { width: 794, height: 1123 };
/** More than one page of the list. */
const PAYINS = 60;

let sandbox: SharedSandbox;
let few = '';
let many = '';
beforeAll(async () => {
  if (chromiumPath === undefined) return;
  [sandbox] = await Promise.all([
    borrowSandbox({ merchants: [{ country: 'IN', payouts: 'upstream' }, { country: 'PK' }] }),
    buildConsole(),
  ]);
  [few, many] = sandbox.file.merchants.map(({ merchantNo }) => merchantNo) as [string, string];
  for (let placed = 0; placed < PAYINS; placed += 10)
    await Promise.all(Array.from({ length: 10 }, () => placePayin(sandbox.file, 'PK', { amount: '100.00' })));
});
afterAll(closeBrowser);

/** What is on paper, as text. */
// biome-ignore lint/performance/useDomNodeTextContent: what the style sheet hides must not count.
const printed = (page: Page) => page.locator('body').innerText();

/** The pages of a PDF, and whether the first is A4. */
function pagesOf(pdf: Buffer): { count: number; isA4: boolean } {
  const raw = pdf.toString('latin1');
  // Chromium keeps the pages in plain objects, or in compressed streams of objects.
  const streams = [...raw.matchAll(/\/FlateDecode[^>]*>>\s*stream\r?\n([\s\S]*?)endstream/g)].map(([, data = '']) => {
    try {
      return inflateSync(Buffer.from(data, 'latin1')).toString('latin1');
    } catch {
      return '';
    }
  });
  const objects = [raw, ...streams].join('\n');
  const [, width = '', height = ''] = /\/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)/.exec(objects) ?? [];
  return {
    count: [...objects.matchAll(/\/Type\s*\/Page\b(?!s)/g)].length,
    isA4: Math.abs(Number(width) - 595) < 2 && Math.abs(Number(height) - 842) < 2,
  };
}

withBrowser('a statement on paper has balances and entries, and nothing of the screen', async (context) => {
  const options = { role: 'Admin', path: `/wallets/${few}`, colorScheme: 'dark', viewport: paper } as const;
  const { page, errors } = await openConsole(context, sandbox, options);
  await page.getByText('Closing balance').waitFor();
  await page.getByText('1 entry', { exact: true }).waitFor();
  const dark = await page.evaluate('getComputedStyle(document.body).backgroundColor');
  await page.emulateMedia({ media: 'print' });
  const text = await printed(page);
  for (const shown of [
    few,
    'Wallet of',
    'Opening balance',
    'Closing balance',
    '10,00,000.00',
    'Top-up',
    '1 entry',
    'Times are in the time zone ',
  ])
    expect(text).toContain(shown);
  for (const hidden of [
    'Today',
    'Operators',
    'Live',
    'Connected',
    'Print',
    'Export',
    'Actions',
    'Columns',
    'Period',
    'Last 30 days',
    'Settle to the bank',
    'Sign out',
    'not all of the period',
  ])
    expect([hidden, text.split(/\n|\t/).some((line) => line.trim() === hidden)]).toEqual([hidden, false]);
  expect(await page.getByRole('navigation', { name: 'Screens' }).isVisible()).toBe(false);
  expect(await page.getByPlaceholder(/Order, reference/).isVisible()).toBe(false);
  for (const button of await page.getByRole('button').all()) expect(await button.isVisible()).toBe(false);
  // Ink on paper, also for an operator who works in the dark. No column is cut off.
  expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).not.toBe(dark);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(paper.width);
  await keepPicture(page, 'statement on paper');
  expect(pagesOf(await page.pdf({ format: 'A4' }))).toEqual({ count: 1, isA4: true });
  await page.emulateMedia({ media: 'screen' });
  expect(await page.getByRole('button', { name: 'Print' }).isVisible()).toBe(true);
  expect(errors).toEqual([]);
});

withBrowser('a part of a statement says on paper that it is a part, and no row is cut by a page', async (context) => {
  const options = { role: 'Support', path: `/wallets/${many}`, viewport: paper } as const;
  const { page } = await openConsole(context, sandbox, options);
  await expect.poll(() => page.getByText(`${PAYINS} entries`, { exact: true }).count(), { timeout: 60_000 }).toBe(1);
  const note = page.getByText('These are 50 entries, not all of the period.');
  expect(await note.isVisible()).toBe(false);
  await page.emulateMedia({ media: 'print' });
  expect(await note.isVisible()).toBe(true);
  const text = await printed(page);
  expect(text).toContain('5,850.00');
  expect(text.match(/97\.50/g)?.length).toBeGreaterThanOrEqual(50);
  expect(text).not.toContain('Next');
  const breaks = await page.evaluate(
    `[...document.querySelectorAll('section[aria-label=entries] tbody tr')].every((row) => getComputedStyle(row).breakInside === 'avoid')`,
  );
  expect(breaks).toBe(true);
  expect(pagesOf(await page.pdf({ format: 'A4' })).count).toBeGreaterThan(1);
});
