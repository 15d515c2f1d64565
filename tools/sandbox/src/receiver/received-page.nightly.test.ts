import axe from 'axe-core';
import { expect, onTestFinished, test, vi } from 'vitest';
import { chromiumPath, openPage } from '../../../../tests/browser.ts';
import { buildReceiver } from './server.ts';

// The page of received notifications in a real browser.

vi.setConfig({ testTimeout: 120_000 });

test.skipIf(chromiumPath === undefined)(
  'the page of received notifications unfolds a message, and is accessible on a desktop and a phone',
  async () => {
    const server = buildReceiver({ findKey: async () => undefined });
    onTestFinished(() => server.close());
    const url = await server.listen({ port: 0, host: '127.0.0.1' });
    const order = { orderType: 'payin', orderNo: 'PI1M7Y9XBYVV5FV69QPWNHTKZ5X', status: 'completed', amount: '100.00' };
    for (const merchantOrderNo of ['IN-1', 'IN-2'])
      await fetch(`${url}/notify/IN10001`, { method: 'POST', body: JSON.stringify({ ...order, merchantOrderNo }) });
    const { page, errors, close } = await openPage();
    onTestFinished(close);
    await page.goto(`${url}/received`);
    await page.getByRole('heading', { name: 'Received notifications' }).waitFor();
    expect(await page.locator('summary .number').allTextContents()).toEqual([
      expect.stringContaining('IN-2'),
      expect.stringContaining('IN-1'),
    ]);
    expect(await page.locator('pre').first().isVisible()).toBe(false);
    await page.locator('summary').first().click();
    await page.getByText('"merchantOrderNo": "IN-2"').waitFor();
    for (const [colorScheme, width] of [
      ['dark', 1280],
      ['light', 360],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      await page.evaluate(axe.source);
      const { violations } = (await page.evaluate('axe.run()')) as axe.AxeResults;
      expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
    }
    expect(errors).toEqual([]);
  },
);
