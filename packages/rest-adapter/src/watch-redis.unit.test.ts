import type { Log } from '@tidegate/domain';
import { openMetrics } from '@tidegate/process';
import { expect, test } from 'vitest';
import { restMetrics } from './request/metrics.ts';
import { watchRedis } from './watch-redis.ts';

test('an outage is logged once, each of its failures is counted, and the next outage is logged again', async () => {
  const warned: object[] = [];
  const log: Log = {
    debug: () => undefined,
    info: () => undefined,
    warn: (fields) => void warned.push(fields),
    error: () => undefined,
  };
  const metrics = restMetrics(openMetrics('rest-adapter'));
  let now = 0;
  const onFailure = watchRedis(log, metrics, () => now);
  const error = new Error('unavailable');
  // One outage of 30 s: only 10 s without a failure would end it.
  for (; now < 30_000; now += 100) onFailure(error);
  expect(warned).toEqual([{ err: error }]);
  const { text } = await metrics.read();
  expect(text).toContain('tidegate_redis_failures_total 300');
  now += 10_001;
  onFailure(error);
  expect(warned).toHaveLength(2);
});
