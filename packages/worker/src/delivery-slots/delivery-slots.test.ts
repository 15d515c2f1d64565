import { connectRedis, type RedisConnection } from '@tidegate/queue';
import { createTestRedis } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type DeliverySlot, type DeliverySlots, openDeliverySlots } from './delivery-slots.ts';
import { keyOfFailing } from './failing-hosts.ts';
import { keysOfSlot } from './slot-scripts.ts';

// Two workers on one real Redis. At this time scale an open breaker lets a probe through every 600 ms.
// A third worker, `shortLease`, has slots that expire after 500 ms, as those of a killed worker do.

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
let connections: RedisConnection[];
let [one, other, shortLease]: DeliverySlots[] = [];
let hosts = 0;
let host: string;

beforeAll(async () => {
  const { url } = await createTestRedis();
  connections = [1, 2, 3].map(() => connectRedis(url, 'producer', silent));
  await vi.waitFor(() => expect(connections.every((redis) => redis.status === 'ready')).toBe(true), 30_000);
  const [a, b, c] = connections as [RedisConnection, RedisConnection, RedisConnection];
  one = openDeliverySlots(a, { scheduleScale: 0.01 });
  other = openDeliverySlots(b, { scheduleScale: 0.01 });
  shortLease = openDeliverySlots(c, { scheduleScale: 0.01, leaseMs: 500 });
});
afterAll(() => {
  for (const redis of connections) redis.disconnect();
});
beforeEach(() => {
  hosts += 1;
  host = `host-${hosts}.test:443`;
});

const workers = (): [DeliverySlots, DeliverySlots] => {
  if (!one || !other) throw new Error('not open');
  return [one, other];
};
const enter = (merchantId = 'M1', how: Parameters<DeliverySlots['enter']>[1] = 'first', slots = workers()[0]) =>
  slots.enter({ host, merchantId }, how);

async function slot(merchantId = 'M1', slots = workers()[0]): Promise<DeliverySlot> {
  const entered = await enter(merchantId, 'first', slots);
  if (typeof entered === 'string') throw new Error(entered);
  return entered;
}

/** Slots of a merchant, half of them in each worker. */
const several = (count: number, merchantId = 'M1'): Promise<DeliverySlot[]> =>
  Promise.all(Array.from({ length: count }, (_, i) => slot(merchantId, workers()[i % 2])));
const leave = (taken: DeliverySlot, outcome: Parameters<DeliverySlots['leave']>[1] = 'delivered', wantsNext = false) =>
  workers()[1].leave(taken, outcome, wantsNext);
const room = async (merchantId = 'M1') => (await workers()[0].room([{ host, merchantId }]))[0];

async function failures(count: number, merchantId = 'M1'): Promise<void> {
  for (let i = 0; i < count; i++) await leave(await slot(merchantId), 'failed');
}

test('at most 8 deliveries are in flight at one host, over all workers', async () => {
  const slots = await several(8);
  expect(await room()).toBe(0);
  expect([await enter(), await enter('M1', 'backlog', workers()[1])]).toEqual(['host_full', 'host_full']);
  await leave(slots[0] as DeliverySlot);
  expect(await room()).toBe(1);
  expect(await enter()).toMatchObject({ host, merchantId: 'M1', isProbe: false });
  expect(await enter()).toBe('host_full');
});

test('another host, and another port of the same host, have their own slots', async () => {
  await several(8);
  const elsewhere = { host: host.replace('443', '8443'), merchantId: 'M1' };
  expect(await workers()[0].enter(elsewhere, 'first')).toMatchObject(elsewhere);
});

test('of fifty concurrent requests eight get a slot', async () => {
  const responses = await Promise.all(Array.from({ length: 50 }, (_, i) => enter('M1', 'first', workers()[i % 2])));
  expect(responses.filter((answer) => typeof answer === 'object')).toHaveLength(8);
});

test('the slots of a killed worker become free', async () => {
  for (let i = 0; i < 8; i++) await shortLease?.enter({ host, merchantId: 'M1' }, 'first');
  expect(await enter()).toBe('host_full');
  await vi.waitFor(async () => expect(await room()).toBe(8), { timeout: 3_000, interval: 50 });
  const again = await several(8);
  expect(again).toHaveLength(8);
});

test('the late release of an expired slot frees no other slot', async () => {
  const late = (await shortLease?.enter({ host, merchantId: 'M1' }, 'first')) as DeliverySlot;
  await vi.waitFor(async () => expect(await room()).toBe(8), { timeout: 3_000, interval: 50 });
  await several(8);
  expect(await enter()).toBe('host_full');
  expect(await leave(late, 'delivered', true)).toMatchObject({ kept: false, hasBacklog: true });
  expect(await enter()).toBe('host_full');
});

test('a slot is kept for the next notification of the backlog, if there is one', async () => {
  const slots = await several(8);
  expect(await leave(slots[0] as DeliverySlot, 'delivered', true)).toEqual({
    kept: false,
    hasBacklog: false,
    breaker: null,
  });
  await slot();
  expect(await enter()).toBe('host_full');
  expect(await leave(slots[1] as DeliverySlot, 'delivered', true)).toEqual({
    kept: true,
    hasBacklog: true,
    breaker: null,
  });
  expect(await leave(slots[1] as DeliverySlot, 'delivered', false)).toEqual({
    kept: false,
    hasBacklog: true,
    breaker: null,
  });
  await workers()[0].markBacklog(host, false);
  expect(await leave(slots[2] as DeliverySlot, 'delivered', true)).toMatchObject({ kept: false, hasBacklog: false });
});

test('a new retry waits behind a backlog, and the next notification of the backlog does not', async () => {
  expect(await enter('M1', 'retry')).toMatchObject({ isProbe: false });
  await workers()[0].markBacklog(host, true);
  expect(await enter('M1', 'retry')).toBe('host_full');
  expect(await enter('M1', 'first')).toMatchObject({ isProbe: false });
  expect(await enter('M1', 'backlog')).toMatchObject({ isProbe: false });
});

test('merchants at one host share its slots: the first merchant frees slots for the second', async () => {
  const slots = await several(8, 'HOG');
  expect(await enter('M2')).toBe('host_full');
  for (const one of slots.slice(0, 4))
    expect(await leave(one, 'delivered', true)).toMatchObject({ kept: false, hasBacklog: true });
  expect(await leave(slots[4] as DeliverySlot, 'delivered', true)).toMatchObject({ kept: true });
  expect([await room('HOG'), await room('M2')]).toEqual([0, 4]);
  expect(await enter('HOG')).toBe('host_full');
  await several(4, 'M2');
  expect(await enter('M2')).toBe('host_full');
});

test('each of many merchants at one host may have two slots', async () => {
  for (const merchantId of ['A', 'B', 'C', 'D']) await several(1, merchantId);
  await several(1, 'A');
  expect(await enter('A')).toBe('host_full');
  expect(await room('E')).toBe(2);
});

test('with more merchants than shares, a slot passes on to the next merchant after a while', async () => {
  const mine = await slot('A');
  for (const merchantId of ['B', 'C', 'D', 'E']) await several(1, merchantId);
  await workers()[0].markBacklog(host, true);
  expect(await leave(mine, 'delivered', true)).toMatchObject({ kept: true });
  const hadLongAgo = { ...mine, since: performance.now() - 1_000 };
  expect(await leave(hadLongAgo, 'delivered', true)).toMatchObject({ kept: false, hasBacklog: true });
});

test('ten failures in a row open the breaker; then one attempt a minute goes through, until one succeeds', async () => {
  await failures(9);
  await leave(await slot(), 'delivered');
  await failures(9);
  expect(await leave(await slot(), 'failed')).toMatchObject({ kept: false, breaker: 'opened' });
  expect(await enter()).toBe('breaker_open');
  expect(await room()).toBe(0);
  const probe = async (): Promise<DeliverySlot> => {
    await vi.waitFor(async () => expect(await room()).toBe(1), { timeout: 3_000, interval: 20 });
    const responses = await Promise.all(Array.from({ length: 10 }, (_, i) => enter('M1', 'backlog', workers()[i % 2])));
    const [won, ...more] = responses.filter((answer) => typeof answer === 'object');
    expect(more).toEqual([]);
    return won as DeliverySlot;
  };
  const first = await probe();
  expect(first.isProbe).toBe(true);
  const began = performance.now();
  expect(await leave(first, 'failed', true)).toMatchObject({ kept: false, breaker: null });
  expect(await enter()).toBe('breaker_open');
  const second = await probe();
  expect(performance.now() - began).toBeGreaterThan(500);
  expect(await leave(second, 'delivered', true)).toEqual({ kept: true, hasBacklog: true, breaker: 'closed' });
  await several(7);
});

test('a closed breaker counts its failures from zero', async () => {
  await failures(10);
  await vi.waitFor(async () => leave(await slot(), 'delivered'), { timeout: 3_000, interval: 20 });
  await failures(9);
  expect(await slot()).toMatchObject({ isProbe: false });
});

test('with an open breaker a slot is not kept, however many wait', async () => {
  const slots = await several(8);
  await workers()[0].markBacklog(host, true);
  await Promise.all(slots.map((one) => leave(one, 'failed')));
  const [ninth, tenth] = (await several(2)) as [DeliverySlot, DeliverySlot];
  expect(await leave(ninth, 'failed', true)).toMatchObject({ kept: true });
  expect(await leave(tenth, 'failed', true)).toMatchObject({ kept: false, breaker: 'opened' });
  expect(await leave(ninth, 'failed', true)).toMatchObject({ kept: false, breaker: null });
});

test('a probe that had nothing to deliver is given to the next delivery', async () => {
  await failures(10);
  await vi.waitFor(async () => leave(await slot(), 'unused'), { timeout: 3_000, interval: 20 });
  expect(await enter()).toMatchObject({ isProbe: true });
  expect(await enter()).toBe('breaker_open');
});

test('failures of one merchant do not open the breakers of other merchants at the same host', async () => {
  await failures(10, 'WRONG-PATH');
  expect(await enter('WRONG-PATH')).toBe('breaker_open');
  expect(await enter('M2')).toMatchObject({ isProbe: false });
});

test('above the limit of failing hosts the other hosts of a merchant share one breaker, and leave no keys in Redis', async () => {
  const redis = connections[0] as RedisConnection;
  await redis.flushdb();
  const slots = openDeliverySlots(redis, { scheduleScale: 0.01, maxFailingHosts: 3 });
  const at = (n: number, merchantId = 'MANY') => slots.enter({ host: `${n}.${host}`, merchantId }, 'first');
  const ends = async (n: number, outcome: 'failed' | 'delivered') => {
    const entered = await at(n);
    if (typeof entered === 'string') throw new Error(entered);
    return (await slots.leave(entered, outcome, false)).breaker;
  };
  for (let n = 0; n < 12; n++) expect(await ends(n, 'failed')).toBeNull();
  expect(await ends(12, 'failed')).toBe('opened');
  expect(await redis.keys('*:breaker:MANY')).toHaveLength(3);
  expect([await at(13), await at(0), await at(13, 'M2')]).toEqual([
    'breaker_open',
    expect.objectContaining({ isSharedProbe: false }),
    expect.objectContaining({ isProbe: false }),
  ]);
  expect(await slots.room([{ host: `13.${host}`, merchantId: 'MANY' }])).toEqual([0]);
  await vi.waitFor(async () => expect(await ends(13, 'delivered')).toBe('closed'), { timeout: 3_000, interval: 20 });
  expect(await at(12)).toMatchObject({ isSharedProbe: false });
  // A host that works again gives its place to another.
  await ends(0, 'delivered');
  expect(await redis.zrange(keyOfFailing('MANY'), 0, -1)).toEqual([1, 2].map((n) => `${n}.${host}`));
});

test('failures are remembered for an hour, an open breaker for a day', async () => {
  const redis = connections[0] as RedisConnection;
  const hoursKept = async () => {
    const key = keysOfSlot(host, 'M1')[3];
    const ms = [await redis.pttl(key), Number(await redis.zscore(keyOfFailing('M1'), host)) - Date.now()];
    return ms.map((one) => Math.round(one / 3_600_000));
  };
  await failures(9);
  expect(await hoursKept()).toEqual([1, 1]);
  await failures(1);
  expect(await hoursKept()).toEqual([24, 24]);
});

test('an emptied Redis loses breakers and slots, and deliveries continue', async () => {
  await failures(10);
  const slots = await several(2, 'M2');
  const before = await workers()[0].openBreakers();
  expect(before).toBeGreaterThan(0);
  await connections[0]?.flushdb();
  expect(await workers()[0].openBreakers()).toBe(0);
  expect(await leave(slots[0] as DeliverySlot, 'delivered', true)).toEqual({
    kept: false,
    hasBacklog: false,
    breaker: null,
  });
  await several(8);
});

test('open breakers are counted until they close', async () => {
  await connections[0]?.flushdb();
  await failures(10);
  await failures(10, 'M2');
  expect(await workers()[1].openBreakers()).toBe(2);
  await vi.waitFor(async () => leave(await slot(), 'delivered'), { timeout: 3_000, interval: 20 });
  expect(await workers()[1].openBreakers()).toBe(1);
});

test.each(['shop.test:443', '[::1]:80', 'a}b.test:80', '}.test:80', 'a{b.test:80'])(
  'all keys of the host %s are in one slot of a Redis Cluster',
  (name) => {
    // The part of a key that Redis Cluster hashes: between the first { and the first } after it, if not empty.
    const tags = keysOfSlot(name, 'M}1').map((key) => /^[^{]*\{([^}]+)\}/.exec(key)?.[1]);
    expect(new Set(tags).size).toBe(1);
    expect(tags[0]).toMatch(/^notify-/);
  },
);

const farAway = '99999999999999999';
test.each<[string, (redis: RedisConnection, keys: ReturnType<typeof keysOfSlot>) => Promise<unknown>]>([
  ['slots that never end', (redis, [leases]) => addMany(redis, leases, farAway)],
  ['merchants from the far future', (redis, [, merchants]) => addMany(redis, merchants, farAway)],
  ['a breaker that is open for ever', (redis, [, , , breaker]) => redis.hset(breaker, 'probeAt', farAway)],
  ['failures that are no number', (redis, [, , , breaker]) => redis.hset(breaker, 'failures', 'x')],
  ['failures below nothing', (redis, [, , , breaker]) => redis.hset(breaker, 'failures', '-1e300')],
  ['a text in the place of slots', (redis, [leases]) => redis.set(leases, 'x')],
  ['a text in the place of merchants', (redis, [, merchants]) => redis.set(merchants, 'x')],
  ['a list in the place of a breaker', (redis, [, , , breaker]) => redis.rpush(breaker, 'x')],
])(
  'what Redis has in the place of a host neither closes it nor keeps its breaker from opening: %s',
  async (_what, poison) => {
    const [redis] = connections as [RedisConnection];
    await poison(redis, keysOfSlot(host, 'M1'));
    const slots = await several(8);
    expect(await room()).toBe(0);
    for (const taken of slots) await leave(taken, 'failed');
    await failures(2);
    expect(await enter()).toBe('breaker_open');
  },
);

const addMany = (redis: RedisConnection, key: string, score: string) =>
  redis.zadd(key, ...Array.from({ length: 8 }, (_, nth) => [score, `M1 ${nth}`]).flat());

test('a merchant whose failing hosts are full of those from the far future has a breaker at the next one', async () => {
  const [redis] = connections as [RedisConnection];
  await addMany(redis, keyOfFailing('M9'), farAway);
  const few = openDeliverySlots(redis, { scheduleScale: 0.01, maxFailingHosts: 8 });
  for (let i = 0; i < 10; i++) await few.leave(await slot('M9', few), 'failed', false);
  expect(await redis.hget(keysOfSlot(host, 'M9')[3], 'probeAt')).not.toBeNull();
});

test('an open breaker from the far future is not counted', async () => {
  const [redis] = connections as [RedisConnection];
  await redis.flushdb();
  await redis.zadd('tidegate:breakers-open', farAway, 'host.test:443 M1');
  expect(await workers()[0].openBreakers()).toBe(0);
  await redis.del('tidegate:breakers-open');
  await redis.set('tidegate:breakers-open', 'x');
  expect(await workers()[0].openBreakers()).toBe(0);
});
