import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { ensureConsole } from '../../scripts/console.mjs';
import { keepSecrets } from '../../tools/sandbox/src/data-dir.ts';
import { merchantClient } from '../../tools/sandbox/src/demo/merchant-client.ts';
import { leaveOpenWork } from '../../tools/sandbox/src/demo/open-work.ts';
import type { SandboxFile } from '../../tools/sandbox/src/sandbox-file.ts';
import { closeBrowser, openPage } from '../browser.ts';
import { draftSettlements, letTodayCount, payByFile, placeCycle } from '../console/place-settlement.ts';
import { payinRequest } from '../payin-requests.ts';
import { portBlocks } from '../run-services/port-blocks.ts';
import { type RunningSandbox, startSandbox } from '../running-sandbox.ts';

// npm run pictures: the pictures of README.md and docs/operators, taken by Chromium in a sandbox that is started for them.

const folder = fileURLToPath(new URL('../../docs/images/', import.meta.url));
const phone = { viewport: { width: 390, height: 780 }, isMobile: true, locale: 'en-GB' };

if ((await ensureConsole(process.execPath)) !== 0) throw new Error('The console cannot be built.');
const ports = portBlocks();
const sandbox = await startSandbox({}, { reservePorts: ports.reserve });
try {
  await takeCheckout(sandbox);
  await takeConsole(sandbox);
} finally {
  await closeBrowser();
  await sandbox.stop();
  ports.release();
}

/** A payer's phone: a Thai payin with its QR code. Cents of 23 keep it unpaid. */
async function takeCheckout(sandbox: RunningSandbox): Promise<void> {
  const payUrl = await createPayin(sandbox, 'TH', '1250.23');
  const { page } = await openPage(phone);
  await page.goto(payUrl);
  await page.getByText('1,250.23').first().waitFor();
  await save(page, 'checkout-phone.png');
}

/** An operator's desk in the console: a payin of each country, and the work that the demo leaves. */
async function takeConsole(sandbox: RunningSandbox): Promise<void> {
  const { file, dataDir } = sandbox;
  for (const country of ['CN', 'TH', 'IN', 'PK']) await createPayin(sandbox, country, '250.00');
  const work = await leaveOpenWork(file, keepSecrets(dataDir).keys);
  const failing = work.find(({ where }) => where === 'Notifications')?.orderNo ?? '';
  const { page } = await openPage({
    viewport: { width: 1040, height: 560 },
    locale: 'en-GB',
    timezoneId: 'Asia/Kolkata',
  });
  const { origin } = new URL(file.graphqlUrl);
  const visitAndSave = async (path: string, text: string | RegExp, name: string) => {
    await page.goto(`${origin}/console${path}`);
    await page.getByText(text).first().waitFor();
    await page.getByRole('status').filter({ hasText: 'Live' }).waitFor();
    await save(page, name);
  };
  await page.goto(`${origin}/console/`);
  await page.getByRole('button', { name: 'Admin' }).click();
  await page.getByRole('navigation', { name: 'Screens' }).waitFor();
  await visitAndSave('/', 'Completed', 'console-today.png');
  // Pictures are at most 100 kB.
  await page.setViewportSize({ width: 1040, height: 440 });
  await visitAndSave('/orders', failing, 'console-orders.png');
  await page.setViewportSize({ width: 1040, height: 500 });
  await visitAndSave(`/orders/${failing}`, /answered HTTP 500/, 'console-order.png');
  await page.setViewportSize({ width: 1040, height: 560 });
  await page.goto(`${origin}/console/approvals`);
  await page.getByRole('link', { name: /fee/i }).first().click();
  await page.getByText('Afterwards').waitFor();
  await save(page, 'console-approval.png');
  await takeReconciliation(page, `${origin}/console`);
  await takeSettlements(page, file, `${origin}/console`);
  await takeConsoleOnPhone(`${origin}/console`, `/orders/${failing}`);
}

/** The days that the demo leaves: the grid, the day with breaks, one of them, and the import. */
async function takeReconciliation(page: Page, address: string): Promise<void> {
  const open = async (text: string | RegExp) => {
    await page.getByRole('link', { name: text }).first().click();
  };
  await page.goto(`${address}/reconciliation`);
  await page.getByRole('link', { name: /4 breaks/ }).waitFor();
  await page.getByRole('status').filter({ hasText: 'Live' }).waitFor();
  await page.setViewportSize({ width: 1040, height: 600 });
  await save(page, 'reconciliation-days.png');
  await page.setViewportSize({ width: 1040, height: 540 });
  await open(/4 breaks/);
  await page.getByText('What is missing').waitFor();
  await save(page, 'reconciliation-day.png');
  await page.setViewportSize({ width: 1040, height: 640 });
  await open('Missing in the ledger');
  await page.getByRole('heading', { name: 'Breaks', exact: true }).waitFor();
  await open('Missing in the ledger');
  await page.getByText('The ledger has nothing of it').waitFor();
  await save(page, 'reconciliation-break.png');
  await page.setViewportSize({ width: 1040, height: 560 });
  await page.goto(`${address}/reconciliation/statements`);
  await page.getByRole('row').filter({ hasText: 'Imported' }).getByRole('link').first().click();
  await page.getByText(/^\d+ lines?$/).waitFor();
  await save(page, 'reconciliation-statement.png');
  await page.goto(`${address}/reconciliation/statements/new`);
  await page.getByLabel('Format').waitFor();
  await save(page, 'reconciliation-import.png');
}

/** What the merchants of Pakistan are paid: the list, one of them, and the cycle of its merchant. */
async function takeSettlements(page: Page, file: SandboxFile, address: string): Promise<void> {
  const merchants = file.merchants.filter(({ country }) => country === 'PK').map(({ merchantNo }) => merchantNo);
  for (const merchantNo of merchants) await placeCycle(file, merchantNo);
  await draftSettlements(file, 'PK');
  const numbers = [];
  for (const merchantNo of merchants) numbers.push(await letTodayCount(file, merchantNo));
  await page.setViewportSize({ width: 1040, height: 440 });
  await page.goto(`${address}/settlements`);
  await page.getByText(/^\d+ settlements?$/).waitFor();
  await save(page, 'settlements.png');
  await page.setViewportSize({ width: 1040, height: 600 });
  await page.goto(`${address}/settlements/${merchants[0]}/${numbers[0]}`);
  await page.getByText(/^\d+ wallet (entry|entries)$/).waitFor();
  await save(page, 'settlement.png');
  await page.setViewportSize({ width: 1040, height: 520 });
  await page.goto(`${address}/settlements/cycles/${merchants[0]}`);
  await page.getByRole('heading', { name: 'Last settlements' }).waitFor();
  await save(page, 'settlement-cycle.png');
  await payByFile(file, 'PK', merchants, numbers);
  await page.setViewportSize({ width: 1040, height: 400 });
  await page.goto(`${address}/settlements/files`);
  await page.getByText(/^\d+ bank files?$/).waitFor();
  await save(page, 'settlement-files.png');
}

/** The same order on an operator's phone, at night. */
async function takeConsoleOnPhone(address: string, path: string): Promise<void> {
  const { page } = await openPage({ ...phone, timezoneId: 'Asia/Kolkata', colorScheme: 'dark' });
  await page.goto(address + path);
  await page.getByRole('button', { name: 'Support' }).click();
  await page
    .getByText(/answered HTTP 500/)
    .first()
    .waitFor();
  await page.getByRole('status').filter({ hasText: 'Live' }).waitFor();
  await save(page, 'console-phone.png');
}

async function createPayin({ file }: RunningSandbox, country: string, amount: string): Promise<string> {
  const merchant = file.merchants.find((one) => one.country === country);
  if (!merchant) throw new Error(`the sandbox has no merchant of ${country}`);
  const client = merchantClient(file.restUrl, merchant.merchantNo, merchant.privateKeyPem);
  const notifyUrl = `${file.receiverUrl}/notify/${merchant.merchantNo}`;
  const request = payinRequest[country]?.(`PICTURE-${country}-${amount}`, amount, notifyUrl) ?? {};
  const { code, msg, data } = await client.post('/payin/create', request);
  if (code !== 0) throw new Error(`payin of ${country}: ${code} ${msg}`);
  return String(data?.payUrl ?? '');
}

async function save(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: folder + name, animations: 'disabled' });
  console.log(`docs/images/${name}`);
}
