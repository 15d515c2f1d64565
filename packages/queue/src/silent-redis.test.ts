import type { Work } from '@tidegate/domain';
import { Worker } from 'bullmq';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { type FaultProxy, proxyTo } from '../../../tests/faults/fault-proxy.ts';
import { type OwnRedis, startOwnRedis } from '../test/own-redis.ts';
import { connectRedis, type RedisConnection } from './connection.ts';
import { openQueue, queueOptions } from './queues.ts';
import { openWakeUps } from './wake-up.ts';

// The machine of Redis disappears, and another one answers at its address. Old connections seem to be open, but nothing
// ever arrives on them.

const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

let redis: OwnRedis;
let proxy: FaultProxy;
let direct: RedisConnection;
beforeAll(async () => {
  redis = await startOwnRedis();
  proxy = await proxyTo(redis.url);
  direct = connectRedis(redis.url, 'worker', log);
});
afterEach(() => proxy.repair());
afterAll(async () => {
  direct.disconnect();
  await proxy.close();
  await redis.remove();
});

test('a worker whose Redis went silent continues within seconds of its return', { timeout: 90_000 }, async () => {
  const queue = openQueue('submit', direct);
  const connection = connectRedis(proxy.url, 'worker', log);
  const done: string[] = [];
  const worker = new Worker('submit', async (job) => void done.push(String(job.id)), {
    ...queueOptions('submit', connection),
    drainDelay: 5,
  });
  worker.on('error', () => undefined);
  await queue.add('submit', {}, { jobId: 'before' });
  await vi.waitFor(() => expect(done).toEqual(['before']), { timeout: 20_000 });
  proxy.silence();
  await queue.add('submit', {}, { jobId: 'meanwhile' });
  proxy.repair();
  await vi.waitFor(() => expect(done).toEqual(['before', 'meanwhile']), { timeout: 30_000 });
  await worker.close();
  connection.disconnect();
});

test('wake-ups arrive again within seconds of the return of a Redis that went silent', {
  timeout: 90_000,
}, async () => {
  const queue = openQueue('poll', direct);
  const wakeUps = openWakeUps({ redisUrl: proxy.url, log });
  let n = 0;
  const untilOneArrives = async (): Promise<void> => {
    await direct.flushall();
    const work = (): Work => ({ queue: 'poll', merchantId: 'M1', orderNo: `PI${++n}`, channelId: 'fake', dueAt: 1 });
    const arrives = async (): Promise<void> => {
      wakeUps.wakeUp([work()]);
      expect(await queue.getWaitingCount()).toBeGreaterThan(0);
    };
    await vi.waitFor(arrives, { timeout: 30_000, interval: 50 });
  };
  await untilOneArrives();
  proxy.silence();
  wakeUps.wakeUp([{ queue: 'poll', merchantId: 'M1', orderNo: 'PI-LOST', channelId: 'fake', dueAt: 1 }]);
  proxy.repair();
  await untilOneArrives();
  await wakeUps.close();
});
