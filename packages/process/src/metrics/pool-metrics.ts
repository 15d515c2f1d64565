import { each, type MetricFacts, stepSeconds } from './metric-facts.ts';

/** The part of the catalogue about pools that merchants share (docs/running/fair-shares.md). */
export const poolMetrics = {
  tidegate_pool_waiting: {
    type: 'gauge',
    of: each,
    labels: ['pool'],
    help: 'Requests and calls that wait for their share of a pool that merchants share',
  },
  tidegate_pool_wait_seconds: {
    type: 'histogram',
    of: each,
    labels: ['pool'],
    buckets: stepSeconds,
    help: 'How long they waited for their share',
  },
  tidegate_pool_refusals_total: {
    type: 'counter',
    of: each,
    labels: ['pool'],
    help: 'Requests and calls that got no share of a pool in time, because their own merchant has too many',
  },
} as const satisfies Record<string, MetricFacts>;
