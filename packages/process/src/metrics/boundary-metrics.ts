import { each, type MetricFacts } from './metric-facts.ts';

/** The metrics of what enters a process from Redis, and of open streams. */
export const boundaryMetrics = {
  tidegate_data_rejected_total: {
    type: 'counter',
    of: each,
    labels: ['source', 'problem'],
    help: 'Data dropped because it was too_large, not_json or wrong_shape, by source',
  },
  tidegate_handler_failures_total: {
    type: 'counter',
    of: each,
    labels: ['handler'],
    help: 'Exceptions in handlers of messages and timers. Each lost one message or run',
  },
  tidegate_redis_evicts: {
    type: 'gauge',
    of: each,
    labels: [],
    help: '1 if Redis may evict keys: the process is not ready',
  },
  tidegate_api_streams: { type: 'gauge', of: ['api'], labels: [], help: 'Open subscriptions' },
} as const satisfies Record<string, MetricFacts>;
