import { createPayin, createPayout, type MerchantProfile } from '@tidegate/domain';
import { setChannel, setRoute } from '@tidegate/domain/admin';
import type { ChannelAnswer } from '@tidegate/domain/channels';
import { aFundedMerchant, FakeChannel, openTestDomain, type TestDomain } from '@tidegate/domain/testing';
import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type OwnRedis, startOwnRedis } from '../test/own-redis.ts';
import { silent } from '../test/test-listener.ts';
import { openChannelOutcomes } from './channel-outcomes.ts';
import { connectRedis, type RedisConnection } from './connection.ts';

/** In the first process outcomes count for 3 s, in the second one for 5 minutes. */
const scales = [0.01, 1] as const;
const accepted: ChannelAnswer = { outcome: 'accepted', channelRef: 'R' };
const down: ChannelAnswer = { outcome: 'unknown', why: 'no_answer', detail: 'HTTP 503' };

let redis: OwnRedis;
let connections: RedisConnection[];
/** Two processes on one database and one Redis. */
let processes: [TestDomain, TestDomain];
const [steady, shaky] = [new FakeChannel(), new FakeChannel()];
beforeAll(async () => {
  redis = await startOwnRedis();
  connections = [1, 2].map(() => connectRedis(redis.url, 'commands', silent));
  for (const connection of connections) await vi.waitFor(() => connection.ping(), { timeout: 10_000 });
  const { url } = await createTestDatabase();
  const open = (nth: 0 | 1) =>
    openTestDomain(url, {
      scheduleScale: scales[nth],
      hasChannel: nth === 1,
      adapters: { steady: () => steady, shaky: () => shaky },
      channelOutcomes: openChannelOutcomes(connections[nth] as RedisConnection),
    });
  processes = [await open(0), await open(1)];
  for (const channelId of ['steady', 'shaky'])
    await setChannel(processes[0].domain, {
      channelId,
      adapter: channelId,
      baseUrl: `http://${channelId}.test`,
      credentials: {},
    });
  steady.answers.create = accepted;
});
afterAll(async () => {
  for (const { close } of processes) await close();
  for (const connection of connections) connection.disconnect();
  await redis.remove();
});

let createdCount = 0;
const request = () => {
  createdCount += 1;
  return { merchantOrderNo: `R-${createdCount}`, amount: '100.00', bankCode: 'QR', notifyUrl: null, details: {} };
};
/** Creates payins one after another in one process, and counts the orders of each channel. */
async function create(nth: 0 | 1, merchantId: string, count: number): Promise<{ shaky: number; steady: number }> {
  const { domain } = processes[nth];
  const merchant = (await domain.directory.merchant(merchantId)) as MerchantProfile;
  const before = [shaky.calls.length, steady.calls.length] as const;
  for (let i = 0; i < count; i += 1) {
    const created = await createPayin(domain, merchant, request());
    // No request is refused before a channel was called: the only failure is that this channel did not answer.
    if (!created.ok) expect(created).toMatchObject({ rejection: 'upstream_timeout', detail: expect.any(String) });
  }
  const callCounts = { shaky: shaky.calls.length - before[0], steady: steady.calls.length - before[1] };
  expect(callCounts.shaky + callCounts.steady).toBe(count);
  return callCounts;
}
async function payoutAt(nth: 0 | 1, merchantId: string): Promise<string> {
  const { domain } = processes[nth];
  const created = await createPayout(
    domain,
    (await domain.directory.merchant(merchantId)) as MerchantProfile,
    request(),
  );
  if (!created.ok) throw new Error(created.rejection);
  return created.value.channelId;
}
async function merchantWith(...channelIds: string[]): Promise<string> {
  const { domain } = processes[0];
  const { merchantId } = await aFundedMerchant(domain, 'IN', '10000.00');
  for (const [i, channelId] of channelIds.entries())
    for (const [nth, kind] of (['payin', 'payout'] as const).entries())
      await setRoute(domain, merchantId, 1 + 2 * i + nth, { kind, channelId });
  return merchantId;
}
const breakerIn = async (nth: 0 | 1) => (await processes[nth].domain.channelRouting.health())?.get('shaky')?.breaker;

test('every process sends orders to other channels while a channel does not answer, and returns to it later; no order is refused', async () => {
  const onBothChannels = await merchantWith('steady', 'shaky');
  const onShakyOnly = await merchantWith('shaky');
  shaky.answers.create = down;
  await create(0, onShakyOnly, 10);
  // The other process learns of the failures from Redis: it made none of these creates itself.
  await vi.waitFor(async () => expect(await breakerIn(1)).toBe('open'), { timeout: 5_000 });
  expect(await create(1, onBothChannels, 20)).toEqual({ shaky: 0, steady: 20 });
  expect(await create(1, onShakyOnly, 2)).toEqual({ shaky: 2, steady: 0 });
  const payouts = await Promise.all(Array.from({ length: 10 }, () => payoutAt(1, onBothChannels)));
  expect(new Set(payouts)).toEqual(new Set(['steady']));
  shaky.answers.create = accepted;
  await create(1, onShakyOnly, 1);
  for (const nth of [0, 1] as const)
    await vi.waitFor(async () => expect(await breakerIn(nth)).toBe('closed'), { timeout: 5_000 });
  // The channel's share of orders grows as its unanswered creates get older.
  await vi.waitFor(async () => expect((await create(0, onBothChannels, 20)).shaky).toBeGreaterThanOrEqual(6), {
    timeout: 10_000,
    interval: 1,
  });
});

test('only the last hundred outcomes of a channel are kept, and without Redis none are known', async () => {
  const [connection] = connections as [RedisConnection];
  const shared = openChannelOutcomes(connection);
  for (let at = 1; at <= 250; at += 1) shared.add('busy', { at, isAnswered: at % 2 === 0 });
  await vi.waitFor(async () => expect((await shared.read()).get('busy')).toHaveLength(100), { timeout: 5_000 });
  for (let at = 251; at <= 260; at += 1) shared.add('busy', { at, isAnswered: false });
  await vi.waitFor(async () => expect((await shared.read()).get('busy')?.at(-1)?.at).toBe(260), { timeout: 5_000 });
  const kept = (await shared.read()).get('busy');
  expect([kept?.length, kept?.[0]]).toEqual([100, { at: 161, isAnswered: false }]);
  await redis.stop();
  await expect(shared.read()).rejects.toThrow();
  expect(await processes[0].domain.channelRouting.view()).toBeDefined();
  await redis.startAgain();
});

test('what Redis has in the place of outcomes hides no other channel, and does not stay', async () => {
  const connection = connectRedis(redis.url, 'commands', silent);
  await vi.waitFor(() => connection.ping(), { timeout: 10_000 });
  const outcomes = openChannelOutcomes(connection);
  const set = 'tidegate:{channel-outcomes}';
  await connection.zadd(set, 99999999999999, 'far');
  await connection.zadd(set, Date.now(), 'text', Date.now(), 'later');
  await connection.set(`${set}:text`, 'x');
  await connection.rpush(`${set}:later`, 'u99999999999999', 'nothing', `a${Date.now()}`);
  const read = await outcomes.read();
  expect([read.has('far'), read.get('text'), read.get('later')?.length]).toEqual([false, [], 1]);
  expect(await connection.exists(`${set}:text`)).toBe(0);
  await connection.set(set, 'x');
  expect([...(await outcomes.read()).keys()]).toEqual([]);
  connection.disconnect();
});

test('values that no process can have written do not leave Redis, and do not stay', async () => {
  const [connection] = connections;
  if (!connection) throw new Error('no connection');
  const channels = 'tidegate:{channel-outcomes}';
  const outcomes = openChannelOutcomes(connection);
  const seen = { at: Date.now(), isAnswered: true };
  outcomes.add('kept', seen);
  await vi.waitFor(async () => expect((await outcomes.read()).get('kept')).toEqual([seen]), { timeout: 10_000 });
  await connection.zadd(channels, Date.now(), 'giant');
  await connection.rpush(`${channels}:giant`, 'a'.repeat(1_000_000));
  expect((await outcomes.read()).get('giant')).toEqual([]);
  expect(await connection.exists(`${channels}:giant`)).toBe(0);
  await connection.zadd(channels, Date.now(), 'x'.repeat(1_000_000));
  expect((await outcomes.read()).size).toBe(0);
  expect(await connection.exists(channels)).toBe(0);
});
