import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, type TestContext, test, vi } from 'vitest';
import { openDomain } from '../../packages/domain/src/index.ts';
import { fillWithOrders } from '../../tools/bench/src/many-orders.ts';
import { keepSecrets } from '../../tools/sandbox/src/data-dir.ts';
import { queryDatabase } from '../../tools/sandbox/test/own-postgres.ts';
import { chromiumPath, closeBrowser } from '../browser.ts';
import { buildConsole, openConsole, reportFolder } from '../console/console-page.ts';
import { byChoice, byText, nextPage, openList, type TimedSearch, timeSearch } from '../console/search-times.ts';
import { type RunningSandbox, startSandbox } from '../running-sandbox.ts';

// An operator searches among very many orders. The times go into the report; they are no limits, because machines differ.

vi.setConfig({ testTimeout: 300_000, hookTimeout: 580_000 });
const withBrowser = test.skipIf(chromiumPath === undefined);
const orders = 100_000;
const rounds = 3;

interface Sample {
  orderNo: string;
  merchantOrderNo: string;
  reference: string;
  account: string;
  phone: string;
  name: string;
}

let sandbox: RunningSandbox;
let samples: Sample[] = [];
beforeAll(async () => {
  if (chromiumPath === undefined) return;
  [sandbox] = await Promise.all([startSandbox(), buildConsole()]);
  await fill();
  // Numbers with which no other number begins: the box opens the only order that it finds.
  samples = await queryDatabase<Sample>(
    sandbox.file.databaseUrl,
    `select o.order_no as "orderNo", o.merchant_order_no as "merchantOrderNo", p.reference, o.details->'party'->>'account' as account,
       o.details->'party'->>'mobile' as phone, o.details->'party'->>'name' as name
     from (select * from orders where starts_with(merchant_id, 'MANY-') and status = 'completed' and details->'party'->>'account' <> 'POOL000001'
         and merchant_order_no ~ '^M-[2-9][0-9]{4}$'
       order by md5(order_no) limit $1) o join payment p using (merchant_id, order_no) order by md5(o.order_no)`,
    [rounds],
  );
  expect(samples).toHaveLength(rounds);
});
afterAll(async () => {
  await closeBrowser();
  await sandbox?.stop();
});

async function fill(): Promise<void> {
  const { databaseUrl, restUrl: publicBaseUrl } = sandbox.file;
  const { keys } = keepSecrets(sandbox.dataDir);
  const log = { debug: () => undefined, info: () => undefined, warn: console.warn, error: console.error };
  const domain = await openDomain({ databaseUrl, keys, adapters: {}, publicBaseUrl, wakeUp: () => undefined, log });
  try {
    await fillWithOrders(domain, databaseUrl, { orders, merchants: 40, days: 30 });
  } finally {
    await domain.close();
  }
}

const times: Record<string, number[]> = {};
/** Searches once per round from the list without filters. Resolves to the page of the last round. */
async function searchAll(context: TestContext, name: string, searchOf: (sample: Sample) => TimedSearch) {
  const { page, errors } = await openConsole(context, sandbox, { role: 'Support' });
  const address = page.url();
  for (const sample of samples) {
    await openList(page, address);
    const ms = await timeSearch(page, searchOf(sample));
    times[name] = [...(times[name] ?? []), ms];
  }
  mkdirSync(reportFolder, { recursive: true });
  writeFileSync(join(reportFolder, 'search times.json'), `${JSON.stringify({ orders, times }, undefined, 2)}\n`);
  expect(errors).toEqual([]);
  return page;
}

/** The order opens by itself. On a busy machine the search or its count may end early. Then an operator goes on by hand. */
async function openFound(page: Page, orderNo: string): Promise<void> {
  const opens = () =>
    page.waitForURL(`**/orders/${orderNo}`, { timeout: 10_000 }).then(
      () => true,
      () => false,
    );
  const byHand = page.getByRole('link', { name: orderNo }).or(page.getByRole('button', { name: 'Search further' }));
  for (let tries = 0; tries < 5 && !(await opens()); tries += 1) {
    // The order may open just now. Then there is nothing to click any more.
    await byHand
      .first()
      .click({ timeout: 10_000 })
      .catch(() => undefined);
  }
  expect(page.url()).toContain(`/orders/${orderNo}`);
}

const last = () => samples.at(-1) as Sample;

withBrowser.for(['orderNo', 'merchantOrderNo', 'reference'] as const)(
  'an order is opened by its %s in the search box',
  async (part, context) => {
    const page = await searchAll(context, part, (sample) => byText(sample[part]));
    await openFound(page, last().orderNo);
    await page.getByText(last().merchantOrderNo, { exact: true }).first().waitFor();
  },
);

withBrowser.for(['account', 'phone', 'name'] as const)(
  'orders are found by the %s of the payer',
  async (part, context) => {
    const { databaseUrl } = sandbox.file;
    const page = await searchAll(context, part, (sample) => byText(sample[part]));
    const [found] = await queryDatabase<{ count: number }>(
      databaseUrl,
      `select count(*)::integer as count from orders where details->'party'->>$1 = $2`,
      [part === 'phone' ? 'mobile' : part, last()[part]],
    );
    const count = found?.count ?? 0;
    if (count === 1) await openFound(page, last().orderNo);
    else
      await page
        .getByRole('status')
        .filter({ hasText: /^(More than )?[\d,]+ orders$/ })
        .waitFor();
    expect(count).toBeGreaterThan(0);
  },
);

withBrowser.for([
  ['Status', 'Failed', 'Failed'],
  ['Notified', 'Given up', 'Given up'],
  ['Country', 'India', 'MANY-IN'],
  ['Sort', 'Largest amounts first', ''],
] as const)('orders are filtered or sorted by %s, and paged', async ([filter, choice, shown], context) => {
  const page = await searchAll(context, `${filter}: ${choice}`, () => byChoice(filter, choice));
  const rows = page.locator('main section tbody tr');
  const first = await rows.first().textContent();
  times['next page'] = [...(times['next page'] ?? []), await timeSearch(page, nextPage)];
  expect(await rows.first().textContent()).not.toBe(first);
  expect(await rows.filter({ hasText: shown }).count()).toBe(await rows.count());
});
