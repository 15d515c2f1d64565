import { type AnsweredRequest, type Metrics, requestMetrics } from '@tidegate/process';

/** The metrics of this server. */
export interface RestMetrics {
  request(answered: AnsweredRequest): void;
  /** A connection without a valid request, or with one that came too slowly. */
  brokenRequest(reason: string): void;
  /** A request refused because Redis did not answer. */
  redisFailure(): void;
  /** A request that had to wait, because too many failed from its address. */
  delayedAttempt(): void;
  read: Metrics['read'];
}

export function restMetrics(metrics: Metrics): RestMetrics {
  const broken = metrics.counter('tidegate_http_broken_requests_total');
  const redis = metrics.counter('tidegate_redis_failures_total');
  // Without a first value, a counter of zero looks like a missing one.
  redis.inc({}, 0);
  const delayed = metrics.counter('tidegate_delayed_attempts_total');
  delayed.inc({}, 0);
  return {
    request: requestMetrics(metrics),
    brokenRequest: (reason) => broken.inc({ reason }),
    redisFailure: () => redis.inc({}),
    delayedAttempt: () => delayed.inc({}),
    read: metrics.read,
  };
}
