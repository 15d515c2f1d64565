import { text } from 'node:stream/consumers';
import { type Browser, type BrowserContextOptions, chromium, type Download, type Page } from 'playwright-core';
import { launchBrowser } from './start-browser.ts';

export { chromiumPath } from './start-browser.ts';

export interface OpenPage {
  page: Page;
  /** Every address that the page has asked for. */
  requests: string[];
  /** Errors that it wrote to its console or threw. */
  errors: string[];
  close(): Promise<void>;
}

let browser: Promise<Browser> | undefined;

/** The browser of the whole test run; of this process alone outside of a test run. */
async function findBrowser(): Promise<Browser> {
  if (process.env.VITEST === undefined) return launchBrowser();
  const { runServices } = await import('./run-services/ask-services.ts');
  return chromium.connect(await runServices.browser());
}

/**
 * A page that shares nothing with other pages but the browser. Its user prefers no motion: fading menus and dialogs in would be a large part of what the
 * browser draws in a test.
 */
export async function openPage(options: BrowserContextOptions = {}): Promise<OpenPage> {
  browser ??= findBrowser();
  const context = await (await browser).newContext({
    viewport: { width: 1600, height: 1000 },
    reducedMotion: 'reduce',
    ...options,
  });
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

/** Closes the pages of this file that are still open. The run's browser goes on. */
export async function closeBrowser(): Promise<void> {
  await (await browser)?.close();
  browser = undefined;
}

/** The content of a file that the browser downloaded. The browser is in another process, so its path is not known here. */
export async function textOf(download: Download): Promise<string> {
  return text(await download.createReadStream());
}
