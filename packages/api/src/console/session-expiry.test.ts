import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Browser, type ConsoleFixture, openBrowser, openConsoleFixture } from '../../test/console-fixture.ts';

// Sessions end by themselves. The times are shorter here.

let fixture: ConsoleFixture;
beforeAll(async () => {
  fixture = await openConsoleFixture();
});
afterAll(() => fixture.close());

async function signedIn(at: string): Promise<Browser> {
  const browser = openBrowser(at);
  await browser.signIn(await fixture.letIn('viewer'));
  return browser;
}

const isLetIn = async (browser: Browser): Promise<boolean> =>
  (await browser.graphql('{ me { operatorId } }')).status === 200;

test('a session ends after its idle time; requests extend it, but reading the state of the session does not', async () => {
  const at = await fixture.serveConsole({ idleMs: 3_000 });
  const [unused, used] = [await signedIn(at), await signedIn(at)];
  const first = Date.parse((await used.session()).idleExpiresAt ?? '');
  const began = performance.now();
  while (performance.now() - began < 4_500) {
    expect(await isLetIn(used)).toBe(true);
    await unused.session();
    await delay(100);
  }
  expect(await isLetIn(unused)).toBe(false);
  expect(Date.parse((await used.session()).idleExpiresAt ?? '')).toBeGreaterThan(first);
});

test('a session ends after its maximum time, which nothing extends, and is deleted when another session begins', async () => {
  const at = await fixture.serveConsole({ sessionMs: 1_500 });
  const browser = await signedIn(at);
  await vi.waitFor(async () => expect(await isLetIn(browser)).toBe(false), { timeout: 10_000, interval: 100 });
  expect(await browser.session()).toMatchObject({ signedIn: false });
  await signedIn(await fixture.serveConsole());
  const over = 'select from operator_session where expires_at <= clock_timestamp()';
  expect((await fixture.domain.database.pool.query(over)).rows).toEqual([]);
});
