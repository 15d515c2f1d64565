import type { Log } from '@tidegate/domain';
import type { RestMetrics } from './request/metrics.ts';

/** Failures with at most this time between them belong to one outage. */
const SAME_OUTAGE_MS = 10_000;

/**
 * Makes a listener to failures of Redis. Each refused request is counted, and an outage is logged once. `clock` returns
 * milliseconds; default: since the process began.
 */
export function watchRedis(
  log: Log,
  metrics: RestMetrics,
  clock: () => number = () => performance.now(),
): (error: unknown) => void {
  let failedAt = Number.NEGATIVE_INFINITY;
  return (error) => {
    metrics.redisFailure();
    const isNew = clock() - failedAt > SAME_OUTAGE_MS;
    failedAt = clock();
    if (isNew) {
      const text = 'Redis does not answer: requests are refused, and counted in tidegate_redis_failures_total';
      log.warn({ err: error }, text);
    }
  };
}
