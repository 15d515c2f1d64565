import { callSeconds, each, type MetricFacts } from './metric-facts.ts';

/** The part of the catalogue about calls to channels, and their callbacks. */
export const channelCallMetrics = {
  tidegate_channel_call_duration_seconds: {
    type: 'histogram',
    of: each,
    labels: ['channel', 'operation', 'outcome'],
    buckets: callSeconds,
    help: 'Calls to channels, and callbacks until they are in the ledger',
  },
  tidegate_channel_forbidden_total: {
    type: 'counter',
    of: each,
    labels: ['channel'],
    help: 'Calls not sent, because the address is neither public nor in CHANNEL_ALLOW_CIDRS',
  },
  tidegate_channel_callbacks_unusable_total: {
    type: 'counter',
    of: each,
    labels: ['channel', 'reason'],
    help: 'Callbacks refused (unauthentic, malformed) or for an unknown order (unknown_order)',
  },
} as const satisfies Record<string, MetricFacts>;
