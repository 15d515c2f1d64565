import { each, type MetricFacts, stepSeconds } from './metric-facts.ts';

/** The part of the catalogue about pools that merchants share (docs/running/fair-shares.md). */
export const poolMetrics = {
  tidegate_pool_waiting: {
    type: 'gauge',
    of: each,
    labels: ['pool'],
    help: 'Requests and calls that wait for a shared pool',
  },
  tidegate_pool_wait_seconds: {
    type: 'histogram',
    of: each,
    labels: ['pool'],
    buckets: stepSeconds,
    help: 'How long they waited',
  },
  tidegate_pool_refusals_total: {
    type: 'counter',
    of: each,
    labels: ['pool'],
    help: 'Requests and calls refused, because their own merchant has too many',
  },
} as const satisfies Record<string, MetricFacts>;
