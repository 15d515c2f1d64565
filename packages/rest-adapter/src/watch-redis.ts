import type { Log } from '@tidegate/domain';
import type { RestMetrics } from './metrics.ts';

/** Failures with no longer than this between them are of one outage. */
const SAME_OUTAGE_MS = 10_000;

/**
 * Makes the listener to what Redis failed at: every refusal is counted, and an outage is logged once, since each of its
 * requests would be a line. `clock` gives milliseconds; default: since the process began.
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
