import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { graphiqlPolicy, renderGraphiqlPage } from '../packages/api/src/execution/graphiql.ts';
import { chromiumPath, closeBrowser, openPage } from './browser.ts';

// The Content-Security-Policy of GraphiQL, in a real browser.

afterAll(closeBrowser);

test.skipIf(chromiumPath === undefined)('GraphiQL works under its policy, and no other script runs', async () => {
  const html = await renderGraphiqlPage(null, Date.now());
  const server = createServer((request, response) => {
    const isPage = request.method === 'GET';
    response.setHeader('content-type', isPage ? 'text/html; charset=utf-8' : 'application/json');
    response.setHeader('content-security-policy', graphiqlPolicy(html));
    response.end(isPage ? html : '{"data":{"answered":true}}');
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { page, errors } = await openPage();
  try {
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`);
    await page.locator('.graphiql-query-editor .view-line').first().waitFor();
    await page.getByRole('button', { name: 'Execute query' }).click();
    await page.locator('.graphiql-response').filter({ hasText: 'answered' }).waitFor();
    expect(errors.filter((error) => error.includes('Content Security Policy'))).toEqual([]);
    const ran = await page.evaluate(() => {
      const script = document.createElement('script');
      script.textContent = 'document.title = "foreign";';
      document.body.append(script);
      return document.title;
    });
    expect(ran).not.toBe('foreign');
    expect(errors.filter((error) => error.includes('Content Security Policy'))).toHaveLength(1);
  } finally {
    server.close();
  }
});
