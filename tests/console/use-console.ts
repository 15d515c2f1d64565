import { afterAll, beforeAll, test, vi } from 'vitest';
import { chromiumPath, closeBrowser } from '../browser.ts';
import { borrowSandbox } from '../run-services/ask-services.ts';
import type { SandboxRequest, SharedSandbox } from '../run-services/shared-sandboxes.ts';
import { buildConsole } from './console-page.ts';

/** A test that needs Chromium, and is skipped without it. */
export const withBrowser = test.skipIf(chromiumPath === undefined);

/** What the tests of a file have once the first one begins. */
export interface ConsoleSandbox extends SharedSandbox {
  /** Number of the first merchant that the file asked for. */
  readonly merchantNo: string;
}

/**
 * A shared sandbox and the built console for the tests of a file. Call it once, at the top level of the file. Without
 * Chromium nothing is started.
 */
export function useConsole(request: Partial<SandboxRequest>): ConsoleSandbox {
  vi.setConfig({ testTimeout: 180_000 });
  let borrowed: SharedSandbox | undefined;
  beforeAll(async () => {
    if (chromiumPath !== undefined) [borrowed] = await Promise.all([borrowSandbox(request), buildConsole()]);
  });
  afterAll(closeBrowser);
  const sandbox = (): SharedSandbox => {
    if (borrowed === undefined) throw new Error('the sandbox is not ready before the first test');
    return borrowed;
  };
  return {
    get file() {
      return sandbox().file;
    },
    get portBase() {
      return sandbox().portBase;
    },
    get dataDir() {
      return sandbox().dataDir;
    },
    get merchantNo() {
      return sandbox().file.merchants[0]?.merchantNo ?? '';
    },
  };
}
