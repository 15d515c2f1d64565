import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { merchantClient } from '../../packages/sandbox/src/demo/merchant-client.ts';
import { closeBrowser, openPage } from '../browser.ts';
import { payinRequest } from '../payin-requests.ts';
import { portBlocks } from '../run-services/port-blocks.ts';
import { type RunningSandbox, startSandbox } from '../running-sandbox.ts';

// npm run pictures: the pictures of README.md, taken in Chromium of a sandbox that is started for it.

const folder = fileURLToPath(new URL('../../docs/images/', import.meta.url));
const phone = { viewport: { width: 390, height: 780 }, isMobile: true, locale: 'en-GB' };
const desktop = { viewport: { width: 1040, height: 640 }, locale: 'en-GB' };

const ports = portBlocks();
const sandbox = await startSandbox({}, { reservePorts: ports.reserve });
try {
  await takeCheckout(sandbox);
  await takeGraphiql(sandbox);
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

/** An operator's desk: the orders of today, found by GraphQL. */
async function takeGraphiql(sandbox: RunningSandbox): Promise<void> {
  for (const country of ['CN', 'TH', 'IN', 'PK']) await createPayin(sandbox, country, '250.00');
  const { page } = await openPage(desktop);
  await page.goto(sandbox.file.graphqlUrl);
  // The headers hold an operator's token.
  await page.getByRole('button', { name: 'Hide editor tools' }).click();
  await page.getByRole('button', { name: /Execute query/ }).click();
  await page.locator('.result-window').getByText('"data"').waitFor();
  await save(page, 'graphiql-desktop.png');
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
