import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

/** Path of Chromium; undefined if it is not installed. Then the tests that need it are skipped. */
export const chromiumPath = (process.env.PATH ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'chromium'))
  .find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });

export interface OpenPage {
  page: Page;
  /** Every address that the page has asked for. */
  requests: string[];
  /** Errors that it wrote to its console or threw. */
  errors: string[];
  close(): Promise<void>;
}

let browser: Promise<Browser> | undefined;

/** The browser of this test file. It opens no connections by itself. */
function startBrowser(): Promise<Browser> {
  const quiet = ['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-component-update', '--disable-sync'];
  return chromium.launch({
    ...(chromiumPath !== undefined && { executablePath: chromiumPath }),
    // As root Chromium cannot use its sandbox. It loads only our own pages.
    args: ['--no-sandbox', '--disable-background-networking', ...quiet],
  });
}

/** A page that shares nothing with other pages but the browser, which closeBrowser ends. */
export async function openPage(options: BrowserContextOptions = {}): Promise<OpenPage> {
  browser ??= startBrowser();
  const context = await (await browser).newContext({ viewport: { width: 1600, height: 1000 }, ...options });
  const page = await context.newPage();
  // On a busy machine a page may take long.
  page.setDefaultTimeout(90_000);
  const requests: string[] = [];
  const errors: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  const close = async (): Promise<void> => {
    // A route of the test may still be answering a request of the page.
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.close();
  };
  return { page, requests, errors, close };
}

export async function closeBrowser(): Promise<void> {
  await (await browser)?.close();
  browser = undefined;
}
