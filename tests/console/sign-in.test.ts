import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { chromiumPath, closeBrowser } from '../browser.ts';
import { borrowSandbox } from '../run-services/ask-services.ts';
import type { SharedSandbox } from '../run-services/shared-sandboxes.ts';
import { buildConsole } from './console-page.ts';
import { onceEach, signInWhile } from './sign-in-while.ts';

// Signing in to a service that is busy. Each kind of failure by itself is in the nightly tests.

vi.setConfig({ testTimeout: 180_000 });
const withBrowser = test.skipIf(chromiumPath === undefined);

let sandbox: SharedSandbox;
beforeAll(async () => {
  if (chromiumPath === undefined) return;
  [sandbox] = await Promise.all([borrowSandbox({ merchants: [] }), buildConsole()]);
});
afterAll(closeBrowser);

withBrowser('the console signs in by itself if each request of the sign-in fails once', async (context) => {
  expect(await signInWhile(context, sandbox, onceEach, 'answers 503')).toBe(onceEach.length);
});
