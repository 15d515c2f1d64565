import type { Log } from '@tidegate/domain';
import { openMetrics } from '@tidegate/process';
import { expect, test } from 'vitest';
import { restMetrics } from './metrics.ts';
import { watchRedis } from './watch-redis.ts';

test('an outage is logged once however many requests it refuses, each is counted, and the next outage is logged again', async () => {
  const warned: object[] = [];
  const log: Log = {
    debug: () => undefined,
    info: () => undefined,
    warn: (fields) => void warned.push(fields),
    error: () => undefined,
  };
  const metrics = restMetrics(openMetrics('rest-adapter'));
  let now = 0;
  const failed = watchRedis(log, metrics, () => now);
  const error = new Error('away');
  // Longer than the gap in total, but never without a failure for that long.
  for (; now < 30_000; now += 100) failed(error);
  expect(warned).toEqual([{ err: error }]);
  const { text } = await metrics.read();
  expect(text).toContain('tidegate_redis_failures_total 300');
  now += 10_001;
  failed(error);
  expect(warned).toHaveLength(2);
});
