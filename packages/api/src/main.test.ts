import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { addOperatorToken, createOperator, makeToken } from '@tidegate/domain';
import { aMerchant, openTestDomain, placePayin } from '@tidegate/domain/testing';
import { createTestDatabase, createTestRedis } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ask } from '../test/api-ground.ts';
import { listen } from '../test/event-stream.ts';

const main = fileURLToPath(new URL('./main.ts', import.meta.url));
const children: ChildProcess[] = [];
let environment: Record<string, string>;
beforeAll(async () => {
  const [database, redis] = await Promise.all([createTestDatabase(), createTestRedis()]);
  environment = {
    ...{ PORT: '0', HOST: '127.0.0.1', DATABASE_URL: database.url, REDIS_URL: redis.url },
    ...{
      TIDEGATE_SECRET: randomBytes(32).toString('hex'),
      TIDEGATE_ENV: 'production',
      LOG_LEVEL: 'info',
      PUBLIC_BASE_URL: 'http://127.0.0.1:8080',
    },
  };
});
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

function start(env: Record<string, string>) {
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  return { child, ended: once(child, 'exit').then(([code]) => code as number | null), errors: text(child.stderr) };
}

/** The address from the line that says so. */
async function addressOf({ child, ended, errors }: ReturnType<typeof start>): Promise<string> {
  let seen = '';
  const told = new Promise<string>((resolve) => {
    child.stdout.on('data', (chunk) => {
      seen += String(chunk);
      const address = /"address":"([^"]+)"/.exec(seen)?.[1];
      if (address !== undefined) resolve(address);
    });
  });
  const tooEarly = ended.then(async (code) =>
    Promise.reject(new Error(`it ended with ${code}: ${seen}${await errors}`)),
  );
  return Promise.race([told, tooEarly]);
}

test.each(['SIGTERM', 'SIGINT'] as const)('it becomes ready, answers, and at %s ends in order', async (signal) => {
  const api = start(environment);
  const url = await addressOf(api);
  const ready = await fetch(`${url}/readyz`);
  expect([ready.status, await ready.json()]).toEqual([200, { status: 'ok', checks: { database: 'ok', redis: 'ok' } }]);
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"query":"{ __typename }"}' };
  expect(await (await fetch(`${url}/graphql`, init)).json()).toEqual({ data: { __typename: 'Query' } });
  const told = performance.now();
  api.child.kill(signal);
  expect(await api.ended).toBe(0);
  expect(performance.now() - told).toBeLessThan(10_000);
});

test('what one process commits is heard at another, whose streams end in order when it does', {
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
  // Its connections to Redis stand by then.
  await vi.waitFor(async () => expect((await fetch(`${two}/readyz`)).status).toBe(200), 10_000);
  const query = 'subscription { orderChanged { orderNo status } }';
  const stream = await vi.waitFor(async () => {
    const opened = await listen(one, query, { token });
    // Right after the start it may not hear yet.
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
  const told = performance.now();
  for (const { child } of apis) child.kill('SIGTERM');
  expect(await stream.next()).toEqual({ event: 'complete', data: {} });
  expect(await stream.next()).toBeUndefined();
  for (const { ended } of apis) expect(await ended).toBe(0);
  expect(performance.now() - told).toBeLessThan(10_000);
});

test('it ends in order even when nobody reads its log any more', async () => {
  const api = start({ ...environment, TIDEGATE_ENV: 'sandbox' });
  await addressOf(api);
  api.child.stdout.destroy();
  api.child.kill('SIGTERM');
  expect(await api.ended).toBe(0);
});

test('an environment that is not right is told in whole, and nothing starts', async () => {
  const { ended, errors } = start({ ...environment, PORT: 'none', TIDEGATE_SECRET: 'short' });
  expect(await ended).toBe(1);
  expect(await errors).toMatch(/PORT has to be a port number\n\s*TIDEGATE_SECRET has to be 64 hexadecimal digits/);
});
