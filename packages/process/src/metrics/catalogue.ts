import { boundaryMetrics } from './boundary-metrics.ts';
import { channelCallMetrics } from './channel-call-metrics.ts';
import {
  batchCommands,
  each,
  gaugeOfEach,
  jobSeconds,
  type MetricFacts,
  requestSeconds,
  servers,
  stepSeconds,
  worker,
} from './metric-facts.ts';
import { poolMetrics } from './pool-metrics.ts';

/**
 * All metrics of this service. Labels must have few values, and callers must not be able to invent them: no merchants,
 * orders or paths. docs/running/metrics.md is generated from this list, and a test compares it with running processes.
 */
export const catalogue = {
  tidegate_http_request_duration_seconds: {
    type: 'histogram',
    of: servers,
    labels: ['method', 'route', 'code', 'country'],
    buckets: requestSeconds,
    help: 'Answered requests. Code: of the envelope, else the HTTP status. Country: of the merchant, none without a verified signature',
  },
  tidegate_http_broken_requests_total: {
    type: 'counter',
    of: ['rest-adapter'],
    labels: ['reason'],
    help: 'Connections without a complete request',
  },
  ...boundaryMetrics,
  tidegate_redis_failures_total: {
    type: 'counter',
    of: ['rest-adapter'],
    labels: [],
    help: 'Requests refused because Redis did not answer',
  },
  tidegate_delayed_attempts_total: {
    type: 'counter',
    of: ['rest-adapter', 'api'],
    labels: [],
    help: 'Requests and sign-ins delayed because too many failed from their address',
  },
  tidegate_graphql_errors_total: {
    type: 'counter',
    of: ['api'],
    labels: ['code'],
    help: 'Errors in GraphQL answers, by extensions.code',
  },
  tidegate_ledger_writer_batch_commands: {
    type: 'histogram',
    of: each,
    labels: [],
    buckets: batchCommands,
    help: 'Commands in one transaction of the ledger writer',
  },
  tidegate_ledger_writer_wait_seconds: {
    type: 'histogram',
    of: each,
    labels: [],
    buckets: stepSeconds,
    help: 'How long the first command of a batch waited',
  },
  tidegate_ledger_writer_transaction_seconds: {
    type: 'histogram',
    of: each,
    labels: [],
    buckets: stepSeconds,
    help: 'Duration of a transaction of the ledger writer',
  },
  tidegate_order_transitions_total: {
    type: 'counter',
    of: each,
    labels: ['kind', 'country', 'to'],
    help: 'Status changes of orders, by new status',
  },
  ...channelCallMetrics,
  ...poolMetrics,
  tidegate_channel_refused: {
    type: 'gauge',
    of: worker,
    labels: ['channel'],
    help: '1 for an enabled channel that is not used',
  },
  tidegate_channel_credential_expiry_timestamp_seconds: {
    type: 'gauge',
    of: worker,
    labels: ['channel', 'credential'],
    help: 'When a certificate of an enabled channel expires',
  },
  tidegate_channel_weight_ratio: {
    type: 'gauge',
    of: worker,
    labels: ['channel'],
    help: 'Effective divided by configured weight of the routes. It follows the share of creates answered in the last minutes',
  },
  tidegate_channel_breaker: {
    type: 'gauge',
    of: worker,
    labels: ['channel', 'state'],
    help: '1 for the current state: closed, half_open or open',
  },
  tidegate_reads_total: {
    type: 'counter',
    of: each,
    labels: ['from'],
    help: 'Reads with a read replica: from the replica, or from the primary because it was behind or away',
  },
  tidegate_database_connections: {
    type: 'gauge',
    of: each,
    labels: ['pool', 'state'],
    help: 'Connections to PostgreSQL: used, idle, and callers that wait for one',
  },
  tidegate_database_connections_limit: {
    type: 'gauge',
    of: each,
    labels: ['pool'],
    help: 'Most connections to PostgreSQL',
  },
  tidegate_database_timeline: {
    ...gaugeOfEach,
    help: 'Timeline of the PostgreSQL server. It grows with each failover; a smaller one belongs to a replaced server',
  },
  tidegate_database_synchronous: {
    ...gaugeOfEach,
    help: '1 if commits wait for a second PostgreSQL server',
  },
  tidegate_job_duration_seconds: {
    type: 'histogram',
    of: worker,
    labels: ['queue', 'outcome'],
    buckets: jobSeconds,
    help: 'Jobs, by outcome: unavailable if the database or Redis was, failed after an internal error',
  },
  tidegate_queue_depth: { type: 'gauge', of: worker, labels: ['queue'], help: 'Waiting and running jobs' },
  tidegate_queue_oldest_job_seconds: {
    type: 'gauge',
    of: worker,
    labels: ['queue'],
    help: 'Wait of the oldest job; 0 if none waits',
  },
  tidegate_notifications_total: {
    type: 'counter',
    of: worker,
    labels: ['outcome'],
    help: 'Attempts at notifications, and those postponed without an attempt: host_full, breaker_open, merchant_busy, paused',
  },
  tidegate_notifications: {
    type: 'gauge',
    of: worker,
    labels: ['state'],
    help: 'Pending notifications, and those exhausted in the last two days; counted up to 100,000',
  },
  tidegate_notifications_due: {
    type: 'gauge',
    of: worker,
    labels: ['waits_for'],
    help: 'Due notifications, up to 100,000. first and retry wait for a worker, host for a delivery slot, pause for its end, order for an older one of their order',
  },
  tidegate_notification_oldest_due_seconds: {
    type: 'gauge',
    of: worker,
    labels: ['waits_for'],
    help: 'Wait of the oldest due notification; 0 if none waits',
  },
  tidegate_notification_breakers_open: {
    type: 'gauge',
    of: worker,
    labels: [],
    help: 'Endpoints with one attempt a minute, because they failed 10 times in a row',
  },
  tidegate_orders_open: {
    type: 'gauge',
    of: worker,
    labels: ['kind', 'country', 'status', 'age'],
    help: 'Open orders, by status and age; the oldest 20,000 of each kind',
  },
  tidegate_payouts_stuck: {
    type: 'gauge',
    of: worker,
    labels: [],
    help: 'Payouts that wait too long for a definite answer, or for a decision on their proof; up to 10,000',
  },
  tidegate_refunds_stuck: {
    type: 'gauge',
    of: worker,
    labels: [],
    help: 'Refunds without a definite answer for an hour, or not confirmed after a week; up to 10,000',
  },
  tidegate_settlements_stuck: {
    type: 'gauge',
    of: worker,
    labels: [],
    help: 'Settlements through a channel without a definite answer for an hour; up to 10,000',
  },
  tidegate_ended_orders_oldest_due_seconds: {
    type: 'gauge',
    of: worker,
    labels: ['channel'],
    help: 'Wait of the oldest ended order for its next query; absent if none is due',
  },
  tidegate_unreconciled_amount: {
    type: 'gauge',
    of: worker,
    labels: ['channel', 'currency'],
    help: 'Amounts of open breaks, and of entries expected before yesterday on days without a statement',
  },
  tidegate_unreconciled_age_seconds: {
    type: 'gauge',
    of: worker,
    labels: ['channel', 'currency'],
    help: 'Age of the oldest day that is not reconciled',
  },
  tidegate_statements_missing: {
    type: 'gauge',
    of: worker,
    labels: ['channel'],
    help: 'Statements of the last 31 days that are a day late; absent if none are fetched',
  },
  tidegate_settlement_drafts_missing: {
    type: 'gauge',
    of: worker,
    labels: ['country'],
    help: 'Settlement cycles due for two hours without a draft; absent without cycles',
  },
  tidegate_settlement_holidays_unannounced: {
    type: 'gauge',
    of: worker,
    labels: ['country'],
    help: '1 while holidays of this year, or of one that begins within two weeks, are not announced; absent without cycles',
  },
  tidegate_export_oldest_waiting_seconds: {
    type: 'gauge',
    of: worker,
    labels: [],
    help: 'Wait of the oldest export; 0 if none waits',
  },
  tidegate_ledger_violations: {
    type: 'gauge',
    of: worker,
    labels: ['rule'],
    help: 'Open findings of the audit, by broken rule',
  },
  tidegate_payouts_stopped: { type: 'gauge', of: worker, labels: [], help: 'Merchants with stopped payouts' },
  tidegate_audit_finished_timestamp_seconds: {
    type: 'gauge',
    of: worker,
    labels: ['run'],
    help: 'Last end of an audit run: of new rows, of seals, of the whole ledger',
  },
  tidegate_seals_verified_timestamp_seconds: {
    type: 'gauge',
    of: worker,
    labels: [],
    help: 'Every seal was verified or made since then; absent without seals',
  },
  tidegate_order_search_until_timestamp_seconds: {
    type: 'gauge',
    of: worker,
    labels: [],
    help: 'Orders created up to then are found by account, phone, name and beginning of a number',
  },
} as const satisfies Record<string, MetricFacts>;

type Catalogue = typeof catalogue;
export type MetricName = keyof Catalogue;
/** The names of all metrics of one type. */
export type NameOf<Type extends MetricFacts['type']> = {
  [Name in MetricName]: Catalogue[Name]['type'] extends Type ? Name : never;
}[MetricName];
export type LabelOf<Name extends MetricName> = Catalogue[Name]['labels'][number];
