import { afterAll, beforeAll } from 'vitest';
import { chromiumPath, closeBrowser } from '../browser.ts';
import { type ServedCheckouts, serveCheckouts, testEveryState } from '../checkout-states.ts';

// The checkout page in the languages that tests/checkout.test.ts leaves out.

let served: ServedCheckouts;
beforeAll(async () => {
  if (chromiumPath !== undefined) served = await serveCheckouts();
});
afterAll(async () => {
  await closeBrowser();
  await served?.close();
});

testEveryState(() => served, ['ur', 'zh', 'th', 'hi']);
