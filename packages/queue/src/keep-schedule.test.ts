import { connectRedis, openQueue, queueOptions } from '@tidegate/queue';
import { createTestRedis } from '@tidegate/sandbox/testing';
import { Worker } from 'bullmq';
import { expect, test, vi } from 'vitest';
import { keepRepeating } from './keep-repeating.ts';

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

test('a repeated job keeps its interval, however often and by however many workers the schedule is set', async () => {
  const { url } = await createTestRedis();
  const producing = connectRedis(url, 'producer', silent);
  const blocking = connectRedis(url, 'worker', silent);
  const queue = openQueue('audit', producing);
  await expect.poll(() => producing.status).toBe('ready');
  const ran: number[] = [];
  const worker = new Worker('audit', async () => void ran.push(performance.now()), {
    ...queueOptions('audit', blocking),
    concurrency: 4,
    drainDelay: 5,
  });
  // Longer than the time after which the schedule is set again.
  const every = 900;
  const renewEvery = 500;
  const repeating = [keepRepeating(queue, every, silent, renewEvery), keepRepeating(queue, every, silent, renewEvery)];
  await vi.waitFor(() => expect(ran.length).toBeGreaterThanOrEqual(5), { timeout: 20_000, interval: 50 });
  for (const one of repeating) one.stop();
  const gaps = ran.slice(1).map((at, i) => at - (ran[i] ?? 0));
  // The first run is at once, the second at a multiple of the interval.
  const steady = gaps.slice(1);
  expect(Math.min(...steady)).toBeGreaterThan(every * 0.6);
  expect(Math.max(...steady)).toBeLessThan(every * 2.5);
  await worker.close();
  producing.disconnect();
  blocking.disconnect();
});
