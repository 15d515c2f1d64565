import { afterAll, beforeAll, expect, test } from 'vitest';
import { listen } from '../packages/api/test/event-stream.ts';
import { queueNames } from '../packages/domain/src/index.ts';
import { connectRedis, openQueue, type RedisConnection } from '../packages/queue/src/index.ts';
import { merchantClient } from '../tools/sandbox/src/demo/merchant-client.ts';
import { type Fleet, startFleet } from './fleet.ts';
import type { Member } from './fleet-member.ts';
import { hostileTexts, randomOf, randomValue } from './hostile-data.ts';
import { payinRequest } from './payin-requests.ts';

// A program that can write to Redis sends what no process of ours would send. Each process drops it, and goes on.

const seed = Number(process.env.TIDEGATE_TEST_SEED ?? Date.now() % 1_000_000);
const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
let fleet: Fleet;
let members: Record<'rest' | 'api' | 'worker', Member>;
let redis: RedisConnection;

beforeAll(async () => {
  console.log(`hostile messages: seed ${seed}`);
  fleet = await startFleet({ scale: 0.2 });
  const [rest, api, worker] = await Promise.all([fleet.start('rest'), fleet.start('api'), fleet.start('worker')]);
  members = { rest, api, worker };
  redis = connectRedis(fleet.redisUrl, 'worker', quiet);
});
afterAll(async () => {
  redis?.disconnect();
  await Promise.all(Object.values(members ?? {}).map((member) => member.terminate()));
  await fleet?.stop();
});

const topic = (): string => `tidegate:changes:${new URL(fleet.redisUrl).pathname.slice(1) || 0}`;

let placed = 0;
/** A payin in China is submitted by the worker; one in Thailand by the REST adapter, which answers with its page. */
async function placePayin(country: 'CN' | 'TH'): Promise<{ orderNo: string; payUrl: string }> {
  const merchant = fleet.merchants.find((one) => one.country === country);
  if (!merchant) throw new Error(`no merchant of ${country}`);
  const client = merchantClient(members.rest.url, merchant.merchantNo, merchant.privateKeyPem);
  const notifyUrl = `${fleet.receiverUrl}/notify/${merchant.merchantNo}`;
  const { code, data } = await client.post(
    '/payin/create',
    payinRequest[country]?.(`H-${seed}-${++placed}`, '50.00', notifyUrl) ?? {},
  );
  expect(code).toBe(0);
  return { orderNo: String(data?.orderNo), payUrl: String(data?.payUrl) };
}

const subscription = 'subscription { orderChanged { orderNo status } }';

/** An order is created, submitted, paid and reported, and a new stream of the API hears of it. */
async function expectService(): Promise<void> {
  const stream = await listen(members.api.url, subscription, { token: fleet.adminToken });
  const { orderNo } = await placePayin('CN');
  const heard = async () =>
    ((await stream.next())?.data.data?.orderChanged as { orderNo?: string } | undefined)?.orderNo;
  while ((await heard()) !== orderNo);
  await expect.poll(() => fleet.received.some((one) => one.orderNo === orderNo), { timeout: 60_000 }).toBe(true);
  stream.leave();
}

/** Each process is the one that was started, and ready. */
async function expectAlive(): Promise<void> {
  for (const { name, url, pid, output } of Object.values(members)) {
    expect(() => process.kill(pid, 0), `${name}:\n${output().slice(-2_000)}`).not.toThrow();
    await expect.poll(async () => (await fetch(`${url}/readyz`)).status, { message: name }).toBe(200);
  }
}

/** The sum of the samples of a counter, over its labels. */
async function countOf({ url }: Member, sample: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return text
    .split('\n')
    .filter((line) => line.startsWith(sample))
    .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

test('messages that no process of ours publishes are dropped and counted, while streams of the API and of a checkout page are open', async () => {
  const stream = await listen(members.api.url, subscription, { token: fleet.adminToken });
  const leave = new AbortController();
  const { payUrl } = await placePayin('TH');
  const page = await fetch(`${members.rest.url}${new URL(payUrl).pathname}/events`, { signal: leave.signal });
  expect(page.headers.get('content-type')).toBe('text/event-stream');
  const random = randomOf(seed);
  for (const text of hostileTexts) await redis.publish(topic(), text);
  for (let n = 0; n < 300; n += 1) {
    const value = n % 2 === 0 ? randomValue(random) : { from: `r${n}`, no: n, changes: randomValue(random) };
    await redis.publish(topic(), JSON.stringify(value));
  }
  for (const member of [members.rest, members.api])
    await expect
      .poll(() => countOf(member, 'tidegate_data_rejected_total{source="changes"'), { message: member.name })
      .toBeGreaterThan(200);
  await expectAlive();
  stream.leave();
  leave.abort();
  await expectService();
});

test('jobs that no process of ours adds, in every queue, end as unreadable and hold up no other job', async () => {
  const random = randomOf(seed + 1);
  for (const name of queueNames) {
    const queue = openQueue(name, redis);
    const data = [null, 1, 'text', [], { merchantId: 1 }, { merchantId: 'x'.repeat(500_000), orderNo: 'PI' }];
    const randoms = Array.from({ length: 20 }, () => randomValue(random));
    const jobs = [...data, ...randoms].map((one, n) => ({ name, data: one, opts: { jobId: `hostile-${n}` } }));
    await queue.addBulk(jobs);
    await queue.close();
    // Jobs that are not even JSON.
    const key = `{tidegate-${name}}:${name}`;
    for (const [n, text] of ['{', deepText, '\u0000', ''].entries()) {
      await redis.hset(`${key}:broken-${n}`, { name, data: text, opts: n === 3 ? '{' : '{}', timestamp: 'x' });
      await redis.lpush(`${key}:wait`, `broken-${n}`);
    }
  }
  await expect
    .poll(() => countOf(members.worker, 'tidegate_data_rejected_total{source="jobs"'), { timeout: 60_000 })
    .toBeGreaterThan(50);
  await expectService();
  await expectAlive();
});

const deepText = '['.repeat(100_000);

test('hostile entries in the state that processes share through Redis change no answer', async () => {
  const outcomes = 'tidegate:{channel-outcomes}';
  await redis.zadd(outcomes, Date.now(), 'sandbox', Date.now(), 'x'.repeat(100_000), Date.now(), '__proto__');
  await redis.rpush(`${outcomes}:sandbox`, 'a', 'u-1', 'anever', 'x'.repeat(100_000), '__proto__');
  await redis.zadd('tidegate:full-channels', '+inf', '', '+inf', 'submit', '+inf', 'y'.repeat(100_000));
  await redis.zadd('tidegate:breakers-open', '+inf', '', '+inf', 'z'.repeat(100_000));
  for (const { merchantNo } of fleet.merchants) await redis.set(`tidegate:{${merchantNo}}:rate`, 'never');
  await expectService();
  await expectAlive();
});
