import type { Order } from '@tidegate/domain';
import {
  aMerchant,
  makeDue,
  openTestDomain,
  orderNow,
  placePayin,
  type TestDomain,
  testKeysOf,
} from '@tidegate/domain/testing';
import { addJobs, connectRedis, openQueue, type QueueName, type RedisConnection } from '@tidegate/queue';
import { createTestDatabase } from '@tidegate/sandbox/testing';
import { workerSettings } from '@tidegate/settings';
import type { Queue } from 'bullmq';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type OwnRedis, startOwnRedis } from '../../../queue/test/own-redis.ts';
import { openDeliverySlots } from '../delivery-slots/delivery-slots.ts';
import { queuesOf, type RunningQueues, runQueues } from '../run-queues.ts';
import { keepScheduled } from '../schedules.ts';
import { openFullChannels } from './full-channels.ts';

// Two channels: `hangs` never answers, `fake` answers at once. The worker has 16 jobs of each kind. The dispatcher
// finds all work.

const concurrency = 16;
const shareOfOneChannel = 4;
const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const accepted = { outcome: 'accepted', channelRef: 'R' } as const;

let fixture: TestDomain;
let redis: OwnRedis;
let connections: RedisConnection[];
let running: RunningQueues;
let dispatching: ReturnType<typeof keepScheduled>;
/** Merchants of the hanging channel: a single one would not get its whole share. */
const merchantIds: string[] = [];
let other: string;
const hanging = new Set<string>();
const ended: string[] = [];
/** The open hanging calls, and their highest number so far. */
let open = 0;
let most = 0;
let letGo: () => void = () => undefined;
let released: Promise<void>;

beforeAll(async () => {
  redis = await startOwnRedis();
  fixture = await openTestDomain((await createTestDatabase()).url);
  const { domain, channel } = fixture;
  const { pool } = domain.database;
  await pool.query(
    `insert into channel (channel_id, adapter, base_url, payin_expiry_seconds) select 'hangs', adapter, base_url, payin_expiry_seconds from channel`,
  );
  for (let n = 0; n < 8; n += 1) merchantIds.push((await aMerchant(domain, 'CN')).merchantId);
  ({ merchantId: other } = await aMerchant(domain, 'CN'));
  const answer = async (orderNo: string) => {
    if (!hanging.has(orderNo)) return accepted;
    open += 1;
    most = Math.max(most, open);
    await released;
    open -= 1;
    ended.push(orderNo);
    return { outcome: 'unknown', why: 'no_answer', detail: 'it hangs' } as const;
  };
  Object.assign(channel.answers, { create: answer, query: answer });
  const [blocking, producing] = [
    connectRedis(redis.url, 'worker', silent),
    connectRedis(redis.url, 'producer', silent),
  ] as const;
  connections = [blocking, producing];
  const queues = new Map<QueueName, Queue>(queuesOf([]).map((name) => [name, openQueue(name, producing)]));
  const queue = (name: QueueName) => queues.get(name) as Queue;
  running = runQueues({
    queues: ['submit', 'poll', 'expire', 'dispatch'],
    connection: blocking,
    context: {
      domain,
      deliver: () => Promise.reject(new Error('nothing is delivered here')),
      slots: openDeliverySlots(producing, { scheduleScale: 1 }),
      notified: () => undefined,
      fullChannels: openFullChannels(producing),
      add: (name, works) => addJobs(queue(name), works),
      countWaiting: (name) => queue(name).getWaitingCount(),
    },
    settings: workerSettings.schema.parse({
      PORT: '0',
      TIDEGATE_KEYS: testKeysOf('worker'),
      TIDEGATE_ENV: 'sandbox',
      PUBLIC_BASE_URL: 'http://pay.test',
      DATABASE_URL: 'postgres://x',
      REDIS_URL: 'redis://x',
      WORKER_SUBMIT_CONCURRENCY: `${concurrency}`,
      WORKER_POLL_CONCURRENCY: `${concurrency}`,
      WORKER_EXPIRE_CONCURRENCY: `${concurrency}`,
    }),
    done: () => undefined,
  });
  dispatching = keepScheduled('dispatch', queue('dispatch'), 0.1, silent);
});
afterAll(async () => {
  dispatching.stop();
  letGo();
  await running.drain();
  for (const connection of connections) connection.disconnect();
  await fixture.close();
  await redis.remove();
});
beforeEach(async () => {
  // The orders of the test before are no longer due.
  await fixture.domain.database.pool.query('update orders set next_action = null, next_action_at = null');
  letGo();
  await vi.waitFor(() => expect(open).toBe(0), { timeout: 30_000, interval: 20 });
  released = new Promise((resolve) => {
    letGo = resolve;
  });
  hanging.clear();
  ended.length = 0;
  most = 0;
});

function onHangingChannel(count: number): Promise<Order[]> {
  return Promise.all(
    Array.from({ length: count }, (_, n) =>
      placePayin(fixture.domain, merchantIds[n % merchantIds.length] ?? '', 'CN', { channelId: 'hangs' }),
    ),
  ).then((orders) => {
    for (const { orderNo } of orders) hanging.add(orderNo);
    return orders;
  });
}

/** Makes this action of every order of the channel due since `ms`. */
async function due(channelId: string, action: string, ms: number): Promise<void> {
  await fixture.domain.database.pool.query(
    `update orders set next_action = $2, next_action_at = clock_timestamp() - $3 * interval '1 ms', channel_ref = 'R' where channel_id = $1`,
    [channelId, action, ms],
  );
}

const untilTheHangingOnesHang = () =>
  vi.waitFor(() => expect(open).toBeGreaterThanOrEqual(shareOfOneChannel), { timeout: 30_000, interval: 20 });

test('orders of another channel are submitted while the calls to the hanging one are open', {
  timeout: 60_000,
}, async () => {
  await onHangingChannel(5 * concurrency);
  await untilTheHangingOnesHang();
  const quick = await placePayin(fixture.domain, other, 'CN');
  await vi.waitFor(
    async () => expect(await orderNow(fixture.domain, quick)).toMatchObject({ status: 'processing', channelRef: 'R' }),
    { timeout: 20_000, interval: 20 },
  );
  expect({ open, ended }).toEqual({ open: shareOfOneChannel, ended: [] });
});

test('orders of another channel are polled while the calls to the hanging one are open', {
  timeout: 60_000,
}, async () => {
  await onHangingChannel(5 * concurrency);
  await due('hangs', 'poll', 60_000);
  await untilTheHangingOnesHang();
  const quick = await placePayin(fixture.domain, other, 'CN');
  await vi.waitFor(async () => expect(await orderNow(fixture.domain, quick)).toMatchObject({ nextAction: 'poll' }), {
    timeout: 20_000,
    interval: 20,
  });
  fixture.channel.calls.length = 0;
  await makeDue(fixture.domain, quick);
  await vi.waitFor(() => expect(fixture.channel.calls).toContainEqual({ operation: 'query', orderNo: quick.orderNo }), {
    timeout: 20_000,
    interval: 20,
  });
  expect(ended).toEqual([]);
  // Each kind of work has its own share. Some may have been submitted before they were due to be polled, and some expire.
  expect(most).toBeLessThanOrEqual(3 * shareOfOneChannel);
});

test('many overdue polls of a hanging channel do not delay an expiry of another channel', {
  timeout: 60_000,
}, async () => {
  await onHangingChannel(2_100);
  await due('hangs', 'poll', 3_600_000);
  await untilTheHangingOnesHang();
  const quick = await placePayin(fixture.domain, other, 'CN');
  await fixture.domain.database.pool.query(
    `update orders set expires_at = clock_timestamp(), next_action = 'expire', next_action_at = clock_timestamp(), channel_ref = 'R' where order_no = $1`,
    [quick.orderNo],
  );
  await vi.waitFor(async () => expect(await orderNow(fixture.domain, quick)).toMatchObject({ status: 'cancelled' }), {
    timeout: 20_000,
    interval: 20,
  });
  expect(ended).toEqual([]);
});

test('a shutdown waits for work that has begun, and begins no other work of the backlog', {
  timeout: 60_000,
}, async () => {
  await onHangingChannel(2 * concurrency);
  await untilTheHangingOnesHang();
  letGo();
  await vi.waitFor(() => expect(ended.length).toBeGreaterThan(shareOfOneChannel), { timeout: 30_000, interval: 5 });
  released = new Promise((resolve) => {
    letGo = resolve;
  });
  await vi.waitFor(() => expect(open).toBe(shareOfOneChannel), { timeout: 10_000, interval: 20 });
  const startedCount = open + ended.length;
  dispatching.stop();
  let isDrained = false;
  const drained = running.drain().then(() => {
    isDrained = true;
  });
  // After this number of Redis answers, everything that would begin or end has done so.
  for (let n = 0; n < 100; n += 1) await connections[1]?.ping();
  expect({ isDrained, open }).toEqual({ isDrained: false, open: shareOfOneChannel });
  letGo();
  await drained;
  expect({ open, ended: ended.length }).toEqual({ open: 0, ended: startedCount });
});
