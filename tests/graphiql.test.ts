import { afterAll, beforeAll, expect, test } from 'vitest';
import { chromiumPath, type OpenPage, openPage } from './browser.ts';
import { type RunningSandbox, startSandbox } from './running-sandbox.ts';

let sandbox: RunningSandbox;
let browser: OpenPage;
beforeAll(async () => {
  sandbox = await startSandbox();
  browser = await openPage();
}, 180_000);
afterAll(async () => {
  await browser.close();
  await sandbox.stop();
});

test.skipIf(chromiumPath === undefined)('explore', { timeout: 120_000 }, async () => {
  const { page } = browser;
  await page.goto(sandbox.file.graphqlUrl);
  await page.getByRole('button', { name: /execute query/i }).waitFor();
  await page.screenshot({ path: '/tmp/g1.png' });
  await page.getByRole('button', { name: /execute query/i }).click();
  await page.waitForTimeout(4000);
  await page.screenshot({ path: '/tmp/g2.png' });
  await page.reload();
  await page.waitForTimeout(3000);
  await page.screenshot({ path: '/tmp/g3.png' });
  console.log(browser.asked.slice(0, 20), browser.errors);
  console.log(await page.locator('[role=tab], .graphiql-tab').allInnerTexts());
  console.log(await page.locator('.graphiql-response').innerText());
});
