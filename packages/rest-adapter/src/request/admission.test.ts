import { connectRedis } from '@tidegate/queue';
import { createTestRedis } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { aBody, ask, createPath, type Fixture, signedPost, startFixture } from '../../test/rest-fixture.ts';
import { openAdmission } from './admission.ts';

/** Two servers, as of two processes, that share a Redis. */
let fixtures: [Fixture, Fixture];
let redisUrl: string;
beforeAll(async () => {
  redisUrl = (await createTestRedis()).url;
  fixtures = [await startFixture({ redisUrl }), await startFixture({ redisUrl })];
});
afterAll(async () => {
  for (const fixture of fixtures) await fixture.close();
});

/** A merchant that both servers know. */
function merchant(limits: { requestsPerSecond: number; requestBurst: number }): string {
  const profile = fixtures[0].merchant(limits);
  fixtures[1].profiles.set(profile.merchantId, profile);
  return profile.merchantId;
}

async function create(merchantId: string, fixture: Fixture) {
  const init = await signedPost(merchantId, aBody());
  const from = performance.now();
  const answer = await ask(`${fixture.url}${createPath}`, init);
  return { ...answer, from, to: performance.now() };
}

const alternating = (i: number): Fixture => fixtures[i % 2 === 0 ? 0 : 1];

// These three wait for budgets to refill, so they run concurrently.
test.concurrent('a burst of requests is admitted on any server; further requests get a Retry-After, and are admitted after it', async () => {
  const merchantId = merchant({ requestsPerSecond: 1, requestBurst: 10 });
  const answers = await Promise.all(Array.from({ length: 40 }, (_, i) => create(merchantId, alternating(i))));
  const passed = answers.filter(({ code }) => code === 0);
  const refused = answers.filter(({ code }) => code === 42900);
  const seconds = (Math.max(...answers.map(({ to }) => to)) - Math.min(...answers.map(({ from }) => from))) / 1000;
  expect(passed.length + refused.length).toBe(40);
  expect(passed.length).toBeGreaterThanOrEqual(10);
  expect(passed.length).toBeLessThanOrEqual(10 + Math.floor(seconds + 0.5));
  for (const { response, msg } of refused) {
    expect([response.status, msg]).toEqual([429, 'too many requests']);
    expect(response.headers.get('retry-after')).toBe('1');
  }
  for (const fixture of fixtures) {
    expect((await create(merchant({ requestsPerSecond: 1, requestBurst: 1 }), fixture)).code).toBe(0);
  }
  await vi.waitFor(async () => expect((await create(merchantId, fixtures[1])).code).toBe(0), {
    timeout: 5_000,
    interval: 100,
  });
});

test.concurrent('over two servers no interval admits more than the burst and the steady rate', async () => {
  // A limit so low that even a busy machine exceeds it.
  const limits = { requestsPerSecond: 5, requestBurst: 10 };
  const merchantId = merchant(limits);
  const until = performance.now() + 2_500;
  const passed: { from: number; to: number }[] = [];
  let refused = 0;
  const caller = async (fixture: Fixture) => {
    while (performance.now() < until || refused === 0) {
      const { code, ...times } = await create(merchantId, fixture);
      if (code === 0) passed.push(times);
      else refused += 1;
    }
  };
  await Promise.all(Array.from({ length: 6 }, (_, i) => caller(alternating(i))));
  // Every request that began and was answered within an interval was counted within it. Half a request is tolerance.
  for (const { from } of passed) {
    for (const { to } of passed) {
      const within = passed.filter((request) => request.from >= from && request.to <= to).length;
      const allowed = limits.requestBurst + ((to - from) / 1000) * limits.requestsPerSecond;
      expect(within).toBeLessThanOrEqual(Math.max(0, allowed + 0.5));
    }
  }
  expect(passed.length).toBeGreaterThanOrEqual(limits.requestBurst);
});

test.concurrent('a request that waits for Retry-After is admitted', async () => {
  const merchantId = merchant({ requestsPerSecond: 1, requestBurst: 1 });
  // The state that a bucket of another size left: 4 requests are used, and one a second is refilled.
  const [seconds = '0'] = await fixtures[0].redis.time().then((time) => time.map(String));
  const from = performance.now();
  await fixtures[0].redis.set(`tidegate:{${merchantId}}:rate`, String((Number(seconds) + 4) * 1e6), 'PX', 10_000);
  const { code, response, to } = await create(merchantId, fixtures[0]);
  const retryAfter = Number(response.headers.get('retry-after'));
  expect(code).toBe(42900);
  // Redis' second may be nearly over, so a busy machine may need another one.
  expect(retryAfter).toBeGreaterThanOrEqual(Math.max(1, Math.floor(3 - (to - from) / 1000)));
  expect(retryAfter).toBeLessThanOrEqual(4);
  await new Promise((resolve) => setTimeout(resolve, 1000 * retryAfter));
  expect((await create(merchantId, fixtures[0])).code).toBe(0);
});

test('a burst setting below the steady rate does not lower the rate', async () => {
  const merchantId = merchant({ requestsPerSecond: 20, requestBurst: 1 });
  const answers = await Promise.all(Array.from({ length: 20 }, () => create(merchantId, fixtures[0])));
  expect(answers.map(({ code }) => code)).toEqual(Array(20).fill(0));
});

test.each([
  [3, 10],
  [7, 7],
  [999, 1_000],
])(
  'with %i requests a second and a burst of %i no request is refused by rounding',
  async (requestsPerSecond, requestBurst) => {
    const limits = { requestsPerSecond, requestBurst };
    const admission = openAdmission(fixtures[0].redis, () => undefined);
    const answers = Array.from({ length: requestBurst }, (_, i) =>
      admission.ask(`M-${requestBurst}`, `N-${i}`, limits),
    );
    expect((await Promise.all(answers)).filter((answer) => answer !== 'admitted')).toEqual([]);
  },
);

test('requests of one tick are checked in order, separately for each merchant', async () => {
  const admission = openAdmission(fixtures[0].redis, () => undefined);
  const limits = { requestsPerSecond: 1, requestBurst: 2 };
  const [one, other] = ['TURN-1', 'TURN-2'];
  const answers = await Promise.all([
    admission.ask(one, 'A', limits),
    admission.ask(one, 'A', limits),
    // Refused for another reason: it uses neither a nonce nor budget.
    admission.ask(one, 'B', null),
    admission.ask(other, 'A', limits),
    admission.ask(one, 'B', limits),
    admission.ask(one, 'D', limits),
    admission.ask(one, 'B', limits),
    admission.ask(one, 'A', null),
  ]);
  expect(answers).toEqual([
    'admitted',
    'nonce_used',
    'admitted',
    'admitted',
    'admitted',
    { retryAfterSeconds: 1 },
    'nonce_used',
    'nonce_used',
  ]);
});

test('a request is refused if Redis does not answer', async () => {
  const nothing = () => undefined;
  const silentLog = { debug: nothing, info: nothing, warn: nothing, error: nothing };
  const failures: unknown[] = [];
  const silent = connectRedis('redis://127.0.0.1:1', 'commands', silentLog);
  Object.assign(silent, { defineCommand: () => undefined, admitRequests: async () => [0] });
  const admission = openAdmission(silent, (error) => failures.push(error));
  const answers = await Promise.all(['A', 'B'].map((nonce) => admission.ask('TURN-4', nonce, null)));
  expect(answers).toEqual(['unavailable', 'unavailable']);
  expect(failures).toHaveLength(2);
  silent.disconnect();
});

test('hundreds of requests in one tick are all answered', async () => {
  const admission = openAdmission(fixtures[0].redis, () => undefined);
  const limits = { requestsPerSecond: 1, requestBurst: 230 };
  const answers = await Promise.all(Array.from({ length: 250 }, (_, i) => admission.ask('TURN-3', `N-${i}`, limits)));
  expect(answers.map((answer) => answer === 'admitted')).toEqual([...Array(230).fill(true), ...Array(20).fill(false)]);
});

test('if Redis has lost its scripts they are loaded again, and no request is refused', async () => {
  const merchantId = merchant({ requestsPerSecond: 100, requestBurst: 100 });
  expect((await create(merchantId, fixtures[0])).code).toBe(0);
  await fixtures[0].redis.script('FLUSH');
  const answers = await Promise.all(Array.from({ length: 10 }, () => create(merchantId, fixtures[0])));
  expect(answers.map(({ code }) => code)).toEqual(Array(10).fill(0));
});

test('of concurrent requests with one nonce over all servers one is admitted', async () => {
  const merchantId = merchant({ requestsPerSecond: 100, requestBurst: 100 });
  const init = await signedPost(merchantId, aBody());
  const responses = Array.from({ length: 20 }, (_, i) => ask(`${alternating(i).url}${createPath}`, init));
  const codes = (await Promise.all(responses)).map(({ code }) => code);
  expect(codes.toSorted()).toEqual([0, ...Array(19).fill(40103)]);
});

test('a request without a valid signature uses no budget of the merchant', async () => {
  const [fixture] = fixtures;
  const { merchantId } = fixture.merchant({ requestsPerSecond: 1, requestBurst: 3 });
  const { merchantId: elsewhere } = fixture.merchant({ requestsPerSecond: 1, requestBurst: 1, ipAllowList: ['::1'] });
  const seen = await signedPost(merchantId, aBody());
  expect((await ask(`${fixture.url}${createPath}`, seen)).code).toBe(0);
  const forged = await Promise.all(
    Array.from({ length: 60 }, async () => {
      const init = await signedPost(merchantId, aBody());
      return (await ask(`${fixture.url}${createPath}`, { ...init, body: aBody({ amount: '9.00' }) })).code;
    }),
  );
  const replayed = await Promise.all(
    Array.from({ length: 60 }, async () => (await ask(`${fixture.url}${createPath}`, seen)).code),
  );
  expect([new Set(forged), new Set(replayed)]).toEqual([new Set([40101]), new Set([40103])]);
  for (let i = 0; i < 2; i += 1) expect((await create(merchantId, fixture)).code).toBe(0);
  for (let i = 0; i < 3; i += 1) expect((await create(elsewhere, fixture)).code).toBe(40302);
  expect(await fixture.redis.exists(`tidegate:{${elsewhere}}:rate`)).toBe(0);
});

test.concurrent.each<[string, (redis: ReturnType<typeof connectRedis>, key: string) => Promise<unknown>]>([
  ['a bucket that is full in the far future', (redis, key) => redis.set(key, '99999999999999999')],
  ['a bucket that is never full', (redis, key) => redis.set(key, 'inf')],
  ['a bucket without a time', (redis, key) => redis.set(key, 'nan')],
  ['a list in the place of a bucket', (redis, key) => redis.rpush(key, 'x')],
])('what Redis has in the place of a budget neither stops a merchant nor frees it: %s', async (_what, poison) => {
  const merchantId = merchant({ requestsPerSecond: 2, requestBurst: 4 });
  const redis = connectRedis(redisUrl, 'commands', { ...console, debug: () => undefined, info: () => undefined });
  await vi.waitFor(() => redis.ping());
  await poison(redis, `tidegate:{${merchantId}}:rate`);
  redis.disconnect();
  await vi.waitFor(async () => expect((await create(merchantId, fixtures[0])).code).toBe(0), { timeout: 5_000 });
  const codes = await Promise.all(Array.from({ length: 40 }, async () => (await create(merchantId, fixtures[1])).code));
  expect(codes.filter((code) => code === 42900).length).toBeGreaterThan(20);
});
