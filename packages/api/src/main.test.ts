import { randomBytes } from 'node:crypto';
import { addOperatorToken, createOperator, makeToken } from '@tidegate/domain/admin';
import { aMerchant, makeProductionDatabase, openTestDomain, placePayin } from '@tidegate/domain/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ask } from '../test/api-fixture.ts';
import { addressOf, apiProcesses, ownEnvironment } from '../test/api-process.ts';
import { listen } from '../test/event-stream.ts';

let environment: Record<string, string>;
let inProduction: Record<string, string>;
const { start, killAll } = apiProcesses();
beforeAll(async () => {
  environment = await ownEnvironment();
  const { DATABASE_URL = '', ...own } = await ownEnvironment();
  inProduction = { ...own, DATABASE_URL: await makeProductionDatabase(DATABASE_URL) };
});
afterAll(killAll);

// In production the shutdown notice takes 5 s, so both run at the same time.
test.concurrent.each(['SIGTERM', 'SIGINT'] as const)(
  'the API process becomes ready, answers, and shuts down at %s',
  async (signal) => {
    const api = start(inProduction);
    const url = await addressOf(api);
    const ready = await fetch(`${url}/readyz`);
    expect(api.logged()).toMatch(/listening/);
    expect([ready.status, await ready.json()]).toEqual([
      200,
      { status: 'ok', checks: { database: 'ok', redis: 'ok' } },
    ]);
    expect(await ask(url, '{ __typename }')).toMatchObject({ status: 401 });
    const signalledAt = performance.now();
    api.child.kill(signal);
    expect(await api.ended).toBe(0);
    expect(performance.now() - signalledAt).toBeLessThan(10_000);
  },
);

test('commits of one process reach another, whose streams end at its shutdown', {
  timeout: 90_000,
}, async () => {
  const { domain, close } = await openTestDomain(environment.DATABASE_URL ?? '');
  const token = makeToken(randomBytes(32));
  await createOperator(domain, { operatorId: 'ann', name: 'Ann', roles: ['operator'] });
  await addOperatorToken(domain, 'ann', token);
  const { merchantId } = await aMerchant(domain, 'TH');
  const order = await placePayin(domain, merchantId, 'TH', { mode: 'manual' });
  await close();
  const apis = ['one', 'two'].map(() => start({ ...environment, TIDEGATE_ENV: 'sandbox' }));
  const [one = '', two = ''] = await Promise.all(apis.map(addressOf));
  // When the second API is ready, its connections to Redis are ready too.
  await vi.waitFor(async () => expect((await fetch(`${two}/readyz`)).status).toBe(200), 10_000);
  const query = 'subscription { orderChanged { orderNo status } }';
  const stream = await vi.waitFor(async () => {
    const opened = await listen(one, query, { token });
    // Right after the start it may not be subscribed yet.
    if (!(await opened.isQuiet(200))) throw new Error(JSON.stringify(await opened.next()));
    return opened;
  }, 10_000);
  const cancel = `mutation { cancelOrder(input: { orderNo: "${order.orderNo}" }, reason: "a test") { __typename } }`;
  expect(await ask(two, cancel, { token })).toMatchObject({
    data: { cancelOrder: { __typename: 'CancelOrderPayload' } },
  });
  expect((await stream.next())?.data).toEqual({
    data: { orderChanged: { orderNo: order.orderNo, status: 'CANCELLED' } },
  });
  const signalledAt = performance.now();
  for (const { child } of apis) child.kill('SIGTERM');
  const last: Awaited<ReturnType<typeof stream.next>>[] = [];
  for (let event = await stream.next(); event !== undefined; event = await stream.next()) last.push(event);
  // On a busy machine a signal of Redis can be late. The stream then says that it may have missed something, and ends as well.
  const missed = { event: 'next', data: { errors: [{ extensions: { code: 'SERVICE_UNAVAILABLE' } }] } };
  if (last.length > 1) expect(last.shift()).toMatchObject(missed);
  expect(last).toEqual([{ event: 'complete', data: {} }]);
  for (const { ended } of apis) expect(await ended).toBe(0);
  expect(performance.now() - signalledAt).toBeLessThan(10_000);
});
