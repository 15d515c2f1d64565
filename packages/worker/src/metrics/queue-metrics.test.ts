import { openMetrics } from '@tidegate/process';
import { connectRedis, openQueue } from '@tidegate/queue';
import { createTestRedis } from '@tidegate/sandbox/testing';
import { expect, test } from 'vitest';
import { addQueueMetrics } from './queue-metrics.ts';

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

test('depth and age of the queues are read at the time of a scrape', async () => {
  const redis = connectRedis((await createTestRedis()).url, 'worker', silent);
  const submit = openQueue('submit', redis);
  const metrics = openMetrics('worker');
  addQueueMetrics(metrics, new Map([['submit', submit]]));
  expect((await metrics.read()).text).toMatch(/^tidegate_queue_oldest_job_seconds\{queue="submit"\} 0$/m);
  await submit.add('submit', {}, { jobId: 'old-1', timestamp: Date.now() - 90_000 });
  await submit.add('submit', {}, { jobId: 'new-1', timestamp: Date.now() - 1_000 });
  const { text } = await metrics.read();
  expect(text).toMatch(/^tidegate_queue_depth\{queue="submit"\} 2$/m);
  expect(text).toMatch(/^tidegate_queue_oldest_job_seconds\{queue="submit"\} 9\d(\.\d+)?$/m);
  redis.disconnect();
});

test('a scrape does not wait for a Redis that is unavailable', async () => {
  const redis = connectRedis('redis://127.0.0.1:9', 'producer', silent);
  const metrics = openMetrics('worker');
  addQueueMetrics(metrics, new Map([['submit', openQueue('submit', redis)]]));
  const began = performance.now();
  expect((await metrics.read()).text).not.toMatch(/^tidegate_queue_depth\{/m);
  expect(performance.now() - began).toBeLessThan(2_000);
  redis.disconnect();
});
