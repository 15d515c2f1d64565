import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Page } from 'playwright-core';

/** Where Chromium is; undefined where there is none, and then what needs it is skipped. */
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
  asked: string[];
  /** What it said on its console as errors, or threw. */
  errors: string[];
  close(): Promise<void>;
}

/** A page in a browser of its own, which talks to nobody by itself. */
export async function openPage(): Promise<OpenPage> {
  const quiet = ['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-component-update', '--disable-sync'];
  const browser = await chromium.launch({
    ...(chromiumPath !== undefined && { executablePath: chromiumPath }),
    // Tests run as root too, where Chromium has no sandbox; it is shown nothing but our own pages.
    args: ['--no-sandbox', '--disable-background-networking', ...quiet],
  });
  const page = await browser.newPage({ viewport: { width: 1600, height: 1000 } });
  const asked: string[] = [];
  const errors: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  return { page, asked, errors, close: () => browser.close() };
}
