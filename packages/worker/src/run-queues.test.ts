import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createPayin, type Domain, type MerchantProfile, type Order, type Work } from '@tidegate/domain';
import { aMerchant, openTestDomain, orderNow, type TestDomain, testKeysOf } from '@tidegate/domain/testing';
import { addJobs, connectRedis, openQueue, type QueueName, type RedisConnection } from '@tidegate/queue';
import { createTestDatabase } from '@tidegate/sandbox/testing';
import { type WorkerSettings, workerSettings } from '@tidegate/settings';
import type { Queue } from 'bullmq';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type OwnRedis, startOwnRedis } from '../../queue/test/own-redis.ts';
import { openFullChannels } from './channels/full-channels.ts';
import { makeConnector } from './delivery/connector.ts';
import { makeDeliver } from './delivery/deliver.ts';
import { openDeliverySlots } from './delivery-slots/delivery-slots.ts';
import { queuesOf, type RunningQueues, runQueues } from './run-queues.ts';
import { keepScheduled } from './schedules.ts';

// No wake-ups here: `dispatch` finds all work.

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const paid = { outcome: 'paid', payments: [{ reference: 'P1', amount: '100.00' }] } as const;

let fixture: TestDomain;
let redis: OwnRedis;
let blocking: RedisConnection;
let producing: RedisConnection;
let queues: Map<QueueName, Queue>;
let running: RunningQueues;
let dispatching: ReturnType<typeof keepScheduled>;
let receiver: Server;
const received: string[] = [];
const done: { queue: QueueName; outcome: string }[] = [];
let merchant: MerchantProfile;

beforeAll(async () => {
  redis = await startOwnRedis();
  fixture = await openTestDomain((await createTestDatabase()).url, { scheduleScale: 0.01 });
  receiver = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => (text += chunk));
    request.on('end', () => {
      received.push(JSON.parse(text).orderNo);
      response.end('OK');
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { merchantId } = await aMerchant(fixture.domain, 'CN');
  merchant = (await fixture.domain.directory.merchant(merchantId)) as MerchantProfile;
  start();
});
afterAll(async () => {
  await stop();
  receiver.closeAllConnections();
  receiver.close();
  await fixture.close();
  await redis.remove();
});
beforeEach(() => {
  received.length = 0;
  done.length = 0;
  fixture.channel.answers.query = paid;
});

function start(served: readonly QueueName[] = queuesOf([])): void {
  blocking = connectRedis(redis.url, 'worker', silent);
  producing = connectRedis(redis.url, 'producer', silent);
  queues = new Map(queuesOf([]).map((name) => [name, openQueue(name, producing)]));
  const connector = makeConnector();
  const { domain } = fixture;
  running = runQueues({
    queues: served,
    connection: blocking,
    context: {
      domain,
      deliver: makeDeliver(domain, connector),
      slots: openDeliverySlots(producing, { scheduleScale: 0.01 }),
      notified: () => undefined,
      fullChannels: openFullChannels(producing),
      add: (name, works) => addJobs(queue(name), works),
      countWaiting: (name) => queue(name).getWaitingCount(),
    },
    settings: concurrency(),
    done: (name, outcome) => void done.push({ queue: name, outcome }),
  });
  dispatching = keepScheduled('dispatch', queue('dispatch'), 0.01, silent);
}

async function stop(): Promise<void> {
  dispatching.stop();
  await running.drain();
  producing.disconnect();
  blocking.disconnect();
}

function concurrency(): WorkerSettings {
  const url = 'http://pay.test';
  const [DATABASE_URL, REDIS_URL] = ['postgres://x', 'redis://x'];
  const env = { PORT: '0', TIDEGATE_KEYS: testKeysOf('worker'), TIDEGATE_ENV: 'sandbox', PUBLIC_BASE_URL: url };
  return workerSettings.schema.parse({ ...env, DATABASE_URL, REDIS_URL });
}

function queue(name: QueueName): Queue {
  const found = queues.get(name);
  if (!found) throw new Error(`no queue ${name}`);
  return found;
}

function receiverUrl(): string {
  return `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/notify`;
}

let count = 0;
async function aPayin(domain: Domain = fixture.domain): Promise<Order> {
  const created = await createPayin(domain, merchant, {
    merchantOrderNo: `M-${++count}`,
    amount: '100.00',
    bankCode: null,
    details: {},
    notifyUrl: receiverUrl(),
  });
  if (!created.ok) throw new Error(created.rejection);
  expect(created.value.status).toBe('created');
  return created.value;
}

async function completedAndNotified(order: Order, timeout: number): Promise<void> {
  await vi.waitFor(
    async () => {
      expect(await orderNow(fixture.domain, order)).toMatchObject({ status: 'completed' });
      expect(received).toContain(order.orderNo);
    },
    { timeout, interval: 50 },
  );
}

test('without wake-ups a payin is submitted, polled until it is paid, and reported to its merchant', async () => {
  const order = await aPayin();
  await completedAndNotified(order, 30_000);
  await expect.poll(() => done).toContainEqual({ queue: 'notify', outcome: 'delivered' });
  const { rows } = await fixture.domain.database.pool.query(
    'select http_status, reply, error, address from notification_attempt where order_no = $1',
    [order.orderNo],
  );
  expect(rows).toMatchObject([{ http_status: 200, reply: 'OK', error: null }]);
});

test('work that is in ten jobs is done once', async () => {
  const order = await aPayin();
  await completedAndNotified(order, 30_000);
  await expect.poll(() => done).toContainEqual({ queue: 'notify', outcome: 'delivered' });
  const { merchantId, orderNo } = order;
  const again = Array.from({ length: 10 }, (_, n): Work[] => [
    { queue: 'notify', merchantId, orderNo, status: 'completed', host: new URL(receiverUrl()).host, dueAt: n },
    { queue: 'retry', merchantId, orderNo, status: 'completed', host: new URL(receiverUrl()).host, dueAt: n },
    { queue: 'poll', merchantId, orderNo, channelId: 'fake', dueAt: n },
    { queue: 'submit', merchantId, orderNo, channelId: 'fake', dueAt: n },
    { queue: 'expire', merchantId, orderNo, channelId: 'fake', dueAt: n },
  ]).flat();
  done.length = 0;
  for (const [name, some] of Map.groupBy(again, (work) => work.queue)) await addJobs(queue(name), some);
  await vi.waitFor(() => expect(done.filter(({ outcome }) => outcome === 'not_due')).toHaveLength(50), {
    timeout: 10_000,
  });
  expect(received.filter((one) => one === orderNo)).toHaveLength(1);
  expect(fixture.channel.calls.filter((one) => one.orderNo === orderNo && one.operation === 'create')).toHaveLength(1);
});

test('no work is lost when Redis is emptied repeatedly', async () => {
  for (let round = 0; round < 3; round++) {
    const order = await aPayin();
    await blocking.flushall();
    await completedAndNotified(order, 30_000);
  }
});

test('an unreadable job, or a job for an unknown order, does not affect other jobs', async () => {
  const queueOf = queue('submit');
  await queueOf.add('submit', { nonsense: true }, { jobId: 'bad-1' });
  await addJobs(queueOf, [{ queue: 'submit', merchantId: 'UNKNOWN', orderNo: 'PI0', channelId: 'fake', dueAt: 1 }]);
  await expect.poll(() => done.filter((one) => one.queue === 'submit')).toHaveLength(2);
  expect(done).toContainEqual({ queue: 'submit', outcome: 'failed' });
  await expect.poll(() => queueOf.getJobCounts()).toMatchObject({ waiting: 0, active: 0, failed: 0 });
  await completedAndNotified(await aPayin(), 10_000);
});

test.each([
  ['data', '{'],
  ['opts', 'x'],
  ['progress', '{{'],
  ['parent', 'x'],
])('a job whose %s BullMQ cannot read is removed', { timeout: 60_000 }, async (field, value) => {
  const queueOf = queue('submit');
  await queueOf.pause();
  await queueOf.add('submit', { nonsense: true }, { jobId: `broken-${field}` });
  await producing.hset(`{tidegate-submit}:submit:broken-${field}`, field, value);
  await queueOf.resume();
  const broken = `{tidegate-submit}:submit:broken-${field}`;
  await expect.poll(() => producing.exists(broken), { timeout: 20_000 }).toBe(0);
  const none = { waiting: 0, active: 0, failed: 0 };
  await expect.poll(() => queueOf.getJobCounts(), { timeout: 20_000 }).toMatchObject(none);
  await completedAndNotified(await aPayin(), 10_000);
});

test('work continues although another user of Redis wrote into the state of a queue', {
  timeout: 60_000,
}, async () => {
  for (const [name, value] of [
    ['id', 'abc'],
    ['active', 'x'],
    ['marker', 'x'],
  ] as const) {
    await producing.unlink(`{tidegate-submit}:submit:${name}`);
    await producing.set(`{tidegate-submit}:submit:${name}`, value);
    await completedAndNotified(await aPayin(), 20_000);
  }
});

test('copies of a job, and jobs and ids that are far too long, do not hold up other jobs, and no process reads them', {
  timeout: 60_000,
}, async () => {
  // A patient connection, since Redis is busy with long texts for a while. It makes them itself.
  const other = connectRedis(redis.url, 'worker', silent);
  const bytes = 60_000_000;
  const sent = async () => Number(/total_net_output_bytes:(\d+)/.exec(await other.info('stats'))?.[1]);
  const key = queue('submit').toKey('');
  const before = await sent();
  const write = `
local long = string.rep('1', ${bytes})
redis.call('hset', KEYS[1], 'name', 'x', 'data', long, 'opts', '{}')
for i = 1, 20 do redis.call('hset', KEYS[2], 'f' .. i, string.sub(long, 1, ${bytes / 20})) end
redis.call('hset', KEYS[3], 'name', 'submit', 'data', '{}', 'opts', '{}', 'timestamp', '1', 'delay', '0', 'priority', '0')
for i = 1, 2000 do redis.call('lpush', KEYS[4], 'copied') end
redis.call('lpush', KEYS[4], 'text', 'texts', long)
redis.call('zadd', KEYS[5], 0, long)`;
  const written = ['text', 'texts', 'copied'].map((id) => `${key}${id}`);
  await other.eval(write, 5, ...written, `${key}wait`, `${key}marker`);
  await completedAndNotified(await aPayin(), 40_000);
  await expect.poll(() => other.exists(...written.slice(0, 2)), { timeout: 20_000 }).toBe(0);
  const left = async () => (await other.llen(`${key}wait`)) + (await other.llen(`${key}active`));
  await expect.poll(left, { timeout: 20_000 }).toBe(0);
  expect((await sent()) - before).toBeLessThan(bytes / 2);
  other.disconnect();
});

test('work continues after Redis was stopped and restarted empty', { timeout: 60_000 }, async () => {
  await redis.stop();
  const order = await aPayin();
  await redis.startAgain();
  await completedAndNotified(order, 12_000);
});

test('work continues after Redis hung for a while', { timeout: 60_000 }, async () => {
  process.kill(redis.pid, 'SIGSTOP');
  const order = await aPayin();
  // Long enough for commands to be given up.
  for (let attempt = 0; attempt < 2; attempt += 1) await expect(producing.ping()).rejects.toThrow();
  process.kill(redis.pid, 'SIGCONT');
  await completedAndNotified(order, 12_000);
});

test('work of a worker that died during the job is found again soon', { timeout: 120_000 }, async () => {
  await stop();
  const order = await aPayin();
  const { merchantId, orderNo } = order;
  const { nextActionAt } = await orderNow(fixture.domain, order);
  if (nextActionAt === null) throw new Error('nothing is due');
  // The state that a killed worker leaves, after it took the job and before it claimed the row.
  const connection = connectRedis(redis.url, 'worker', silent);
  await connection.flushall();
  const queueOfKilledWorker = openQueue('submit', connection);
  await addJobs(queueOfKilledWorker, [
    { queue: 'submit', merchantId, orderNo, channelId: 'fake', dueAt: nextActionAt },
  ]);
  await connection.lmove(queueOfKilledWorker.toKey('wait'), queueOfKilledWorker.toKey('active'), 'RIGHT', 'LEFT');
  connection.disconnect();
  const began = performance.now();
  start();
  await completedAndNotified(order, 90_000);
  expect(performance.now() - began).toBeLessThan(20_000);
});

test('draining finishes running jobs, starts no others, and ends although Redis is unavailable', {
  timeout: 60_000,
}, async () => {
  let letGo: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  fixture.channel.answers.query = async () => {
    await held;
    return paid;
  };
  const order = await aPayin();
  await vi.waitFor(() => expect(fixture.channel.calls).toContainEqual({ operation: 'query', orderNo: order.orderNo }), {
    timeout: 10_000,
  });
  await redis.stop();
  dispatching.stop();
  const began = performance.now();
  const drained = running.drain();
  letGo();
  await drained;
  expect(performance.now() - began).toBeLessThan(15_000);
  expect(await orderNow(fixture.domain, order)).toMatchObject({ status: 'completed' });
  await redis.startAgain();
  start();
});
