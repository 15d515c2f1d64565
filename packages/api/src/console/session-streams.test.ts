import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Browser, consoleOptions, openBrowser } from '../../test/console-fixture.ts';
import { listen } from '../../test/event-stream.ts';
import { type LiveFixture, openLiveFixture } from '../../test/live-fixture.ts';

// A page that stays open hears nothing more once its session is over, also while nothing happens.

let fixture: LiveFixture;
let url: string;
beforeAll(async () => {
  fixture = await openLiveFixture();
  ({ url } = await fixture.serveLive({ console: consoleOptions('no folder') }));
});
afterAll(() => fixture.close());

const sql = (text: string) => async (operatorId: string) => {
  await fixture.domain.database.pool.query(text, [operatorId]);
};

test.concurrent.each<[string, (operatorId: string, browser: Browser) => Promise<unknown>]>([
  ['the token is revoked', sql('update operator_token set revoked_at = clock_timestamp() where operator_id = $1')],
  ['the operator is disabled', sql('update operator set enabled = false where operator_id = $1')],
  ['the operator signs out', (_operatorId, browser) => browser.send('DELETE', '/console/session')],
  ['the operator signs out everywhere', (_operatorId, browser) => browser.send('DELETE', '/console/sessions')],
])('a stream ends within 5 s, with the reason, after %s', async (_what, end) => {
  const browser = openBrowser(url);
  await browser.signIn(await fixture.letIn('viewer'));
  const operatorId = (await browser.session()).operator?.id ?? '';
  const headers = { cookie: browser.cookie, 'x-tidegate-console': '1' };
  const stream = await listen(url, 'subscription { orderChanged { orderNo } }', { headers });
  expect(stream.response.status).toBe(200);
  const since = performance.now();
  await end(operatorId, browser);
  const last = await stream.next();
  expect(performance.now() - since).toBeLessThan(5_000);
  expect(last?.data.errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
  expect(await stream.next()).toEqual({ event: 'complete', data: {} });
});

test('an open stream alone does not keep an idle session alive', async () => {
  const { url: at } = await fixture.serveLive({ console: { ...consoleOptions('no folder'), idleMs: 1_500 } });
  const browser = openBrowser(at);
  await browser.signIn(await fixture.letIn('viewer'));
  const headers = { cookie: browser.cookie, 'x-tidegate-console': '1' };
  const stream = await listen(at, 'subscription { orderChanged { orderNo } }', { headers });
  expect((await stream.next())?.data.errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
});
