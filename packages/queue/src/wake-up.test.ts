import { type AddressInfo, createServer, type Server } from 'node:net';
import { jobIdOf, type Log, type Work } from '@tidegate/domain';
import type { Queue } from 'bullmq';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type OwnRedis, startOwnRedis } from '../test/own-redis.ts';
import { connectRedis, type RedisConnection } from './connection.ts';
import { openQueue } from './queues.ts';
import { addJobs, openWakeUps, type RunningWakeUps } from './wake-up.ts';

const warnings: string[] = [];
const log: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: (_, message) => void warnings.push(message),
  error: () => undefined,
};

let redis: OwnRedis;
let connection: RedisConnection;
let submit: Queue;
const open: RunningWakeUps[] = [];

beforeAll(async () => {
  redis = await startOwnRedis();
  connection = connectRedis(redis.url, 'worker', log);
  submit = openQueue('submit', connection);
});
beforeEach(async () => {
  await connection.flushall();
  warnings.length = 0;
});
afterEach(async () => {
  for (const wakeUps of open.splice(0)) await wakeUps.close();
});
afterAll(async () => {
  connection.disconnect();
  await redis.remove();
});

function wakeUps(url = redis.url): RunningWakeUps {
  const opened = openWakeUps({ redisUrl: url, log });
  open.push(opened);
  return opened;
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const work = (orderNo: string, dueAt = 1, merchantId = 'M1'): Work => ({
  queue: 'submit',
  merchantId,
  orderNo,
  channelId: 'fake',
  dueAt,
});

/** Sends wake-ups of new orders until one arrives. The first ones may be sent before the connection is ready. */
async function untilOneArrives({ wakeUp }: RunningWakeUps, prefix: string): Promise<void> {
  let n = 0;
  await vi.waitFor(
    async () => {
      wakeUp([work(`${prefix}${++n}`)]);
      expect(await submit.getWaitingCount()).toBeGreaterThan(0);
    },
    { timeout: 10_000, interval: 50 },
  );
}

test('work is added as jobs that contain ids only, and the same work waits once', async () => {
  const one = wakeUps();
  await untilOneArrives(one, 'FIRST-');
  one.wakeUp([work('PI1'), work('PI1'), work('PI2')]);
  one.wakeUp([
    work('PI1'),
    work('PI1', 2),
    { ...work('PI3'), queue: 'notify', status: 'completed', host: 'shop.test:443' },
  ]);
  const arrived = async () => (await submit.getJobs(['waiting'])).filter((job) => job.id?.startsWith('PI'));
  await expect.poll(async () => (await arrived()).length).toBeGreaterThanOrEqual(3);
  const jobs = await arrived();
  expect(jobs.map((job) => job.id).sort()).toEqual(['PI1-submit-1', 'PI1-submit-2', 'PI2-submit-1']);
  expect(jobs.find((job) => job.id === 'PI2-submit-1')?.data).toEqual(work('PI2'));
  expect(await connection.keys('{tidegate-notify}:notify:PI3-notify-completed-1')).toHaveLength(1);
});

test('a queue without workers does not fill Redis, and accepts jobs again when there is room', async () => {
  const one = wakeUps();
  await untilOneArrives(one, 'FIRST-');
  const most = 5_000;
  one.wakeUp(Array.from({ length: most + 1_000 }, (_, n) => work(`PI${n}`, 1, `M${n % 100}`)));
  // The last places are kept for merchants that have few jobs.
  await expect.poll(() => submit.getWaitingCount()).toBeGreaterThan(0.95 * most);
  const elsewhere: Work = { ...work('PI1'), queue: 'notify', status: 'completed', host: 'shop.test:443' };
  one.wakeUp([work('PI-LATE'), elsewhere]);
  await expect.poll(() => connection.keys('{tidegate-notify}:notify:PI1-notify-completed-1')).toHaveLength(1);
  expect(await submit.getWaitingCount()).toBeLessThanOrEqual(most);
  await submit.drain();
  await untilOneArrives(one, 'AGAIN-');
});

test('the wake-ups of one merchant leave room in Redis and in the buffer for nine others, which go first', async () => {
  const one = wakeUps();
  await untilOneArrives(one, 'FIRST-');
  // More than the buffer holds, and then again more than the queue holds.
  for (let round = 0; round < 3; round += 1) {
    one.wakeUp(Array.from({ length: 25_000 }, (_, n) => work(`PI-GREEDY-${round}-${n}`, 1, 'GREEDY')));
    one.wakeUp(Array.from({ length: 9 }, (_, n) => work(`PI-QUIET-${round}-${n}`, 1, `QUIET-${n}`)));
    const arrived = () => connection.keys(`{tidegate-submit}:submit:PI-QUIET-${round}-*`);
    await expect.poll(async () => (await arrived()).length).toBe(9);
  }
  await expect.poll(() => submit.getWaitingCount()).toBeGreaterThan(3_000);
  await one.close();
  expect(await submit.getWaitingCount()).toBeLessThanOrEqual(3_800);
  // A queue gives out its jobs in the order of their arrival: the last one is the first that was added.
  const first = (await submit.getJobs(['waiting'], 0, 1_000, true)).map((job) => job.id ?? '');
  expect(first.filter((id) => id.startsWith('PI-QUIET-0-'))).toHaveLength(9);
});

test('without Redis a wake-up neither throws nor waits, and closes at once', async () => {
  const unusedServer = createServer();
  const port = await listen(unusedServer);
  await new Promise((resolve) => unusedServer.close(resolve));
  const opened = openWakeUps({ redisUrl: `redis://127.0.0.1:${port}`, log });
  const began = performance.now();
  for (let n = 0; n < 50_000; n++) opened.wakeUp([work(`PI${n}`)]);
  await opened.close();
  expect(performance.now() - began).toBeLessThan(2_000);
});

test('an outage is logged once, however often the connection is tried', async () => {
  let tried = 0;
  const breaking = createServer((socket) => {
    tried += 1;
    socket.resetAndDestroy();
  });
  const opened = openWakeUps({ redisUrl: `redis://127.0.0.1:${await listen(breaking)}`, log });
  await vi.waitFor(() => expect(tried).toBeGreaterThan(3), { timeout: 5_000 });
  expect(warnings).toEqual(['Redis is unavailable']);
  await opened.close();
  breaking.close();
});

test('a hanging Redis delays no caller, and is used again when it answers', async () => {
  const one = wakeUps();
  await untilOneArrives(one, 'PI-FIRST-');
  process.kill(redis.pid, 'SIGSTOP');
  const began = performance.now();
  try {
    for (let n = 0; n < 5_000; n++) one.wakeUp([work(`PI${n}`)]);
    expect(performance.now() - began).toBeLessThan(2_000);
    const closing = openWakeUps({ redisUrl: redis.url, log });
    closing.wakeUp([work('PI-LOST')]);
    await closing.close();
    expect(performance.now() - began).toBeLessThan(5_000);
  } finally {
    process.kill(redis.pid, 'SIGCONT');
  }
  await connection.flushall();
  await untilOneArrives(one, 'PI-AFTER-');
});

test('closing ends although Redis hangs in the middle of a wake-up', async () => {
  const one = openWakeUps({ redisUrl: redis.url, log });
  await untilOneArrives(one, 'PI-FIRST-');
  process.kill(redis.pid, 'SIGSTOP');
  const began = performance.now();
  try {
    one.wakeUp([work('PI-STUCK')]);
    // Wake-ups go out at the next tick of the event loop.
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    await one.close();
    expect(performance.now() - began).toBeLessThan(5_000);
  } finally {
    process.kill(redis.pid, 'SIGCONT');
  }
});

test('a Redis that was killed and restarted empty receives wake-ups again', { timeout: 60_000 }, async () => {
  const one = wakeUps();
  await untilOneArrives(one, 'PI-FIRST-');
  await redis.stop();
  one.wakeUp([work('PI-LOST')]);
  await redis.startAgain();
  await untilOneArrives(one, 'PI-AFTER-');
  expect((await submit.getJobs(['waiting'])).map((job) => job.id)).not.toContain('PI-LOST-submit-1');
});

test.each<[string, (key: (name: string) => string) => Promise<unknown>]>([
  ['a counter that is no number', (key) => connection.set(key('id'), 'abc')],
  ['a counter at its largest number', (key) => connection.set(key('id'), '9223372036854775807')],
  ['a text as list of waiting jobs', (key) => connection.set(key('wait'), 'x')],
  ['a list as set of delayed jobs', (key) => connection.rpush(key('delayed'), 'x')],
  ['a text as settings', (key) => connection.set(key('meta'), 'x')],
  ['a text as marker', (key) => connection.set(key('marker'), 'x')],
  ['a text as events', (key) => connection.set(key('events'), 'x')],
])('work gets its job although another user of Redis wrote %s', async (_, poison) => {
  const running = wakeUps();
  await untilOneArrives(running, 'A');
  await connection.flushall();
  await poison((name) => submit.toKey(name));
  await untilOneArrives(running, 'B');
});

test('what is stored under the id of late work does not hold it up, and a job that waits keeps its place', async () => {
  const late = work('PI1', Date.now() - 60_000);
  await connection.hset(submit.toKey(jobIdOf(late)), 'x', '1');
  await addJobs(submit, [late]);
  expect(await submit.getJobState(jobIdOf(late))).toBe('waiting');
  await addJobs(submit, [work('PI2'), late]);
  expect((await submit.getJobs(['waiting'])).map(({ id }) => id).sort()).toEqual(
    [jobIdOf(late), jobIdOf(work('PI2'))].sort(),
  );
});
