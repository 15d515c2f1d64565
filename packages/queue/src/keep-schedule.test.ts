import { type Queue, Worker } from 'bullmq';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type OwnRedis, startOwnRedis } from '../test/own-redis.ts';
import { connectRedis, type RedisConnection } from './connection.ts';
import { keepSchedule } from './keep-schedule.ts';
import { queueOptions } from './queue-state.ts';
import { openQueue } from './queues.ts';

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

let redis: OwnRedis;
let queue: Queue;
const connections: RedisConnection[] = [];
/** When the job ran. */
const ran: number[] = [];
const undo: (() => unknown)[] = [];
beforeAll(async () => {
  redis = await startOwnRedis();
});
beforeEach(async () => {
  const connect = (role: 'producer' | 'worker'): RedisConnection => {
    const connection = connectRedis(redis.url, role, silent);
    connections.push(connection);
    return connection;
  };
  const producing = connect('producer');
  queue = openQueue('audit', producing);
  await expect.poll(() => producing.status).toBe('ready');
  await producing.flushall();
  ran.length = 0;
  const worker = new Worker('audit', async () => void ran.push(performance.now()), {
    ...queueOptions('audit', connect('worker')),
    concurrency: 4,
    drainDelay: 1,
    runRetryDelay: 100,
  });
  worker.on('error', () => undefined);
  undo.push(() => worker.close());
});
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
  for (const connection of connections.splice(0)) connection.disconnect();
});
afterAll(() => redis.remove());

function keep(every: number, sweep?: number): void {
  const kept = keepSchedule(queue, every, silent, sweep);
  undo.push(() => kept.stop());
}

const runs = (more: number): Promise<void> => {
  const wanted = ran.length + more;
  return vi.waitFor(() => expect(ran.length).toBeGreaterThanOrEqual(wanted), { timeout: 20_000, interval: 50 });
};

test('a scheduled job keeps its interval, however often and by however many processes the schedule is set', async () => {
  // Longer than the time after which the schedule is set again.
  const every = 900;
  keep(every, 500);
  keep(every, 500);
  await runs(5);
  const gaps = ran.slice(1).map((at, i) => at - (ran[i] ?? 0));
  // The first run is at once, the second at a multiple of the interval.
  const steady = gaps.slice(1);
  expect(Math.min(...steady)).toBeGreaterThan(every * 0.6);
  expect(Math.max(...steady)).toBeLessThan(every * 2.5);
});

test('a Redis that comes back empty has the schedule again without a sweep', { timeout: 60_000 }, async () => {
  keep(200, 1_000_000);
  await runs(2);
  await redis.stop();
  await redis.startAgain();
  await runs(2);
});

test('a Redis that is emptied while it stays connected has the schedule again after a sweep', async () => {
  keep(200, 500);
  await runs(2);
  await queue.obliterate({ force: true });
  await runs(2);
});

test('a next run that another user of Redis puts far ahead stops the schedule no longer than a sweep', async () => {
  keep(200, 500);
  await runs(2);
  await connections[0]?.zadd(queue.toKey('repeat'), 9e13, 'audit');
  await runs(10);
});
