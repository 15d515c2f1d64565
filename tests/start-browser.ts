import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, type BrowserServer, chromium, type LaunchOptions } from 'playwright-core';

/**
 * Path of Chromium; undefined if it is not installed. Then the tests that need it are skipped. The shell without windows comes first: a page takes it
 * three quarters of the processor time.
 */
export const chromiumPath = ['chromium-headless-shell', 'chromium']
  .flatMap((program) => (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, program)))
  .find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });

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
