import type { Work } from '@tidegate/domain';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { type RedisBehindProxy, startRedisBehindProxy } from '../test/redis-behind-proxy.ts';
import { openQueue } from './queues.ts';
import { openWakeUps } from './wake-up.ts';

// The machine of Redis disappears, and another one answers at its address. Old connections seem to be open, but nothing
// ever arrives on them.

const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

let redis: RedisBehindProxy;
beforeAll(async () => {
  redis = await startRedisBehindProxy();
});
afterEach(() => redis.proxy.repair());
afterAll(() => redis.close());

test('a worker whose Redis went silent continues after its return', { timeout: 180_000 }, async () => {
  const { proxy, direct, startWorker } = redis;
  const queue = openQueue('submit', direct);
  const { done, close } = startWorker();
  await queue.add('submit', {}, { jobId: 'before' });
  await vi.waitFor(() => expect(done).toEqual(['before']), { timeout: 20_000 });
  proxy.silence();
  await queue.add('submit', {}, { jobId: 'meanwhile' });
  proxy.repair();
  await vi.waitFor(() => expect(done).toEqual(['before', 'meanwhile']), { timeout: 150_000 });
  await close();
});

test('wake-ups arrive again within seconds of the return of a Redis that went silent', {
  timeout: 90_000,
}, async () => {
  const { proxy, direct } = redis;
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
