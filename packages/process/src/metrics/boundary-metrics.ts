import { each, type MetricFacts } from './metric-facts.ts';

/** The metrics of what enters a process from Redis, and of open streams. */
export const boundaryMetrics = {
  tidegate_data_rejected_total: {
    type: 'counter',
    of: each,
    labels: ['source', 'problem'],
    help: 'Messages, jobs and replies of Redis that were not read, by where they came from and why: too_large, not_json, wrong_shape',
  },
  tidegate_handler_failures_total: {
    type: 'counter',
    of: each,
    labels: ['handler'],
    help: 'Exceptions in handlers of messages and timers; each lost one message or run',
  },
  tidegate_redis_evicts: {
    type: 'gauge',
    of: each,
    labels: [],
    help: '1 if Redis, or a node of its cluster, has a maxmemory-policy other than noeviction: the process is not ready',
  },
  tidegate_api_streams: { type: 'gauge', of: ['api'], labels: [], help: 'Open subscriptions' },
} as const satisfies Record<string, MetricFacts>;
