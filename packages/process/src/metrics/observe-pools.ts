import type { Observer } from '@tidegate/domain';
import { sharedPools } from '@tidegate/domain/sharing';
import type { Metrics } from './open-metrics.ts';

type PoolFigures = Pick<Required<Observer>, 'poolServed' | 'poolRefused' | 'poolWaiting'>;

/** The pools that merchants share. All of them are shown from the start, so that a figure that is missing is noticed. */
export function observePools(metrics: Metrics): PoolFigures {
  const names = Object.keys(sharedPools);
  const waits = metrics.histogram('tidegate_pool_wait_seconds');
  const refusals = metrics.counter('tidegate_pool_refusals_total');
  const waiting = new Map<string, number>(names.map((pool) => [pool, 0]));
  for (const pool of names) refusals.inc({ pool }, 0);
  metrics.gauge('tidegate_pool_waiting', () => [...waiting].map(([pool, count]) => [{ pool }, count]));
  return {
    poolServed: (pool, waitedMs) => waits.observe({ pool }, waitedMs / 1000),
    poolRefused: (pool) => refusals.inc({ pool }),
    poolWaiting: (pool, change) => waiting.set(pool, (waiting.get(pool) ?? 0) + change),
  };
}
