import { callSeconds, each, type MetricFacts } from './metric-facts.ts';

/** The part of the catalogue about calls to channels, and their callbacks. */
export const channelCallMetrics = {
  tidegate_channel_call_duration_seconds: {
    type: 'histogram',
    of: each,
    labels: ['channel', 'operation', 'outcome'],
    buckets: callSeconds,
    help: 'Calls to channels, and callbacks from their arrival until they are in the ledger',
  },
  tidegate_channel_forbidden_total: {
    type: 'counter',
    of: each,
    labels: ['channel'],
    help: 'Calls that were not sent, because an address of the channel is neither public nor in CHANNEL_ALLOW_CIDRS',
  },
  tidegate_channel_callbacks_unusable_total: {
    type: 'counter',
    of: each,
    labels: ['channel', 'reason'],
    help: 'Callbacks of configured channels that were refused (unauthentic, malformed) or named an order that the channel does not have (unknown_order)',
  },
} as const satisfies Record<string, MetricFacts>;
