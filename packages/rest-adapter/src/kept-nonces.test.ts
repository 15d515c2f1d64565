import type { MerchantProfile } from '@tidegate/domain';
import { createTestRedis } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aBody, ask, createPath, type Fixture, signedPost, spentBucket, startFixture } from '../test/rest-fixture.ts';
import { openAdmission } from './request/admission.ts';

// Redis stores a short hash of each admitted nonce, for 15 to 18 minutes, and nothing of other requests.

/** In seconds. */
const PERIOD = 180;
let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture({ redisUrl: (await createTestRedis()).url });
});
afterAll(() => fixture.close());

const generous = { requestsPerSecond: 5_000, requestBurst: 5_000 };
const setsOf = (merchantId: string): Promise<string[]> => fixture.redis.keys(`tidegate:{${merchantId}}:nonces:*`);

async function keptOf(merchantId: string): Promise<number> {
  const counts = (await setsOf(merchantId)).map((key) => fixture.redis.scard(key));
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

/** Returns the time of Redis's clock. */
async function periodNow(): Promise<number> {
  const [seconds] = await fixture.redis.time();
  return Math.floor(Number(seconds) / PERIOD);
}

test.each<[which: string, change: Partial<MerchantProfile>, code: number]>([
  ['of a disabled merchant', { status: 'disabled' }, 40301],
  ['from an address that is not allowed', { ipAllowList: ['192.0.2.1'] }, 40302],
  ['over the limit', { requestsPerSecond: 1, requestBurst: 1 }, 42900],
])('600 refused requests store no nonce: %s', async (_, change, code) => {
  const { merchantId } = fixture.merchant(change);
  if (code === 42900) await fixture.redis.set(`tidegate:{${merchantId}}:rate`, spentBucket(), 'EX', 60);
  for (let wave = 0; wave < 6; wave += 1) {
    const responses = Array.from({ length: 100 }, async () =>
      ask(`${fixture.url}${createPath}`, await signedPost(merchantId, aBody())),
    );
    expect(new Set((await Promise.all(responses)).map((answer) => answer.code))).toEqual(new Set([code]));
  }
  expect(await keptOf(merchantId)).toBe(0);
  expect((await fixture.redis.keys(`*${merchantId}*`)).length).toBe(code === 42900 ? 1 : 0);
});

test('a refused request that is repeated after its merchant is enabled again takes effect at most once', async () => {
  const profile = fixture.merchant({ status: 'disabled' });
  const seen = await signedPost(profile.merchantId, aBody());
  const send = async () => (await ask(`${fixture.url}${createPath}`, seen)).code;
  expect([await send(), await send()]).toEqual([40301, 40301]);
  fixture.profiles.set(profile.merchantId, { ...profile, status: 'active' });
  const codes = await Promise.all(Array.from({ length: 10 }, send));
  expect(codes.toSorted()).toEqual([0, ...Array(9).fill(40103)]);
  fixture.profiles.set(profile.merchantId, { ...profile, status: 'disabled' });
  expect(await send()).toBe(40103);
});

test('a nonce is stored as 16 bytes of a hash, whatever its length; the hash differs between merchants', async () => {
  const admission = openAdmission(fixture.redis, () => undefined);
  const nonce = 'n'.repeat(64);
  await Promise.all(['SHORT-1', 'SHORT-2'].map((merchantId) => admission.ask(merchantId, nonce, generous)));
  const members = await Promise.all(
    ['SHORT-1', 'SHORT-2'].map(async (merchantId) => {
      const [key = ''] = await setsOf(merchantId);
      const [member] = await fixture.redis.smembersBuffer(key);
      return member ?? Buffer.alloc(0);
    }),
  );
  expect(members.map((member) => member.length)).toEqual([16, 16]);
  expect(members[0]).not.toEqual(members[1]);
});

test('a nonce takes less than 100 bytes of Redis', async () => {
  const admission = openAdmission(fixture.redis, () => undefined);
  const used = async () => Number(/used_memory:(\d+)/.exec(await fixture.redis.info('memory'))?.[1]);
  const before = await used();
  for (let wave = 0; wave < 10; wave += 1) {
    const responses = Array.from({ length: 2_000 }, (_, i) =>
      admission.ask('MEMORY', `nonce-${wave}-${i}-${'x'.repeat(40)}`, { requestsPerSecond: 1e6, requestBurst: 1e6 }),
    );
    expect(new Set(await Promise.all(responses))).toEqual(new Set(['admitted']));
  }
  const each = ((await used()) - before) / 20_000;
  console.info(`${each.toFixed(0)} bytes of Redis for each nonce`);
  expect(await keptOf('MEMORY')).toBe(20_000);
  expect(each).toBeLessThan(100);
});

test('a nonce counts as used for 15 to 18 minutes', async () => {
  const admission = openAdmission(fixture.redis, () => undefined);
  const merchantId = 'PERIODS';
  const period = await periodNow();
  expect(await admission.ask(merchantId, 'nonce', generous)).toBe('admitted');
  const [key = ''] = await setsOf(merchantId);
  const expiresAt = Number(await fixture.redis.call('EXPIRETIME', key));
  expect([900, 900 + PERIOD]).toContain(expiresAt - (period + 1) * PERIOD);
  const name = (at: number): string => `tidegate:{${merchantId}}:nonces:${at % 8}`;
  // Moves nonces this many periods into the past. One period ahead: Redis's clock has stepped back.
  const answers: unknown[] = [];
  for (const ago of [-1, 0, 1, 2, 3, 4, 5, 6]) {
    const now = await periodNow();
    const [at = ''] = await setsOf(merchantId);
    if (at !== '' && at !== name(now - ago)) await fixture.redis.rename(at, name(now - ago));
    answers.push(await admission.ask(merchantId, 'nonce', generous));
  }
  expect(answers).toEqual([...Array(7).fill('nonce_used'), 'admitted']);
});

test.each([0, 1, 4, 7])(
  'a list in the place of nonces stops only its merchant, and no longer than requests could be repeated: set %i',
  async (at) => {
    const failures: unknown[] = [];
    const admission = openAdmission(fixture.redis, (error) => failures.push(error));
    const merchantId = `LIST-${at}`;
    const ask = (nonce: string) => admission.ask(merchantId, nonce, generous);
    expect(await ask('used')).toBe('admitted');
    const key = `tidegate:{${merchantId}}:nonces:${((await periodNow()) + at) % 8}`;
    await fixture.redis.del(key);
    await fixture.redis.rpush(key, 'x');
    // A copy of what was used, and a new one: which is which is lost.
    expect([await ask(at === 0 ? 'used' : 'other'), await ask('new')]).toEqual(['unavailable', 'unavailable']);
    expect(String(failures[0])).toContain(`lost nonces of ${merchantId}`);
    expect(await admission.ask('ANOTHER', `${at}`, generous)).toBe('admitted');
    const left = await fixture.redis.ttl(key);
    expect(left).toBeGreaterThan(590);
    expect(left).toBeLessThanOrEqual(600);
    await fixture.redis.del(key);
    expect(await ask('new')).toBe('admitted');
  },
);

test('only the merchant that fills its set of nonces is refused', async () => {
  const failures: unknown[] = [];
  const admission = openAdmission(fixture.redis, (error) => failures.push(error), 5);
  const slow = { requestsPerSecond: 0.001, requestBurst: 1 };
  const answers: unknown[] = [];
  // Resets its bucket after each request, so that no limit applies.
  for (let i = 0; i < 8; i += 1) {
    answers.push(await admission.ask('FULL', `nonce-${i}`, slow));
    await fixture.redis.del('tidegate:{FULL}:rate');
  }
  expect(answers).toEqual([...Array(5).fill('admitted'), ...Array(3).fill('unavailable')]);
  expect(await admission.ask('FULL', 'nonce-0', slow)).toBe('nonce_used');
  expect(await admission.ask('EMPTY', 'nonce-0', slow)).toBe('admitted');
});

test('requests within the rate limit never fill the nonce set', async () => {
  const admission = openAdmission(fixture.redis, () => undefined, 5);
  const limits = { requestsPerSecond: 100, requestBurst: 400 };
  const responses = Array.from({ length: 400 }, (_, i) => admission.ask('LIMIT', `nonce-${i}`, limits));
  expect(new Set(await Promise.all(responses))).toEqual(new Set(['admitted']));
});
