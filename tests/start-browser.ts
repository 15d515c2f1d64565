import { type Browser, type BrowserServer, chromium, type LaunchOptions } from 'playwright-core';
import { findBrowser } from '../scripts/programs.mjs';

/** Path of Chromium; undefined if it is not installed. Then the tests that need it are skipped. */
export const chromiumPath = findBrowser();

// As root Chromium cannot use its sandbox. It loads only our own pages.
const options: LaunchOptions = {
  ...(chromiumPath !== undefined && { executablePath: chromiumPath }),
  args: [
    '--no-sandbox',
    '--disable-background-networking',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-component-update',
    '--disable-sync',
  ],
};

/** A browser for this process alone. It opens no connections by itself. */
export const launchBrowser = (): Promise<Browser> => chromium.launch(options);

/** The same for several processes, which connect to it. */
export const serveBrowser = (): Promise<BrowserServer> => chromium.launchServer(options);
