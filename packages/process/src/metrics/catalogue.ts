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
    help: "Answered requests, by route template, code (the envelope's, or the HTTP status if there is none) and country of the merchant (none if no signature was verified)",
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
    help: 'Requests and sign-ins that had to wait, because too many failed from their address',
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
    help: "How long a batch's first command waited for its transaction",
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
    help: 'Status changes of orders that this process committed, by the new status',
  },
  ...channelCallMetrics,
  ...poolMetrics,
  tidegate_channel_refused: { type: 'gauge', of: worker, labels: ['channel'], help: 'Enabled channels not used' },
  tidegate_channel_credential_expiry_timestamp_seconds: {
    type: 'gauge',
    of: worker,
    labels: ['channel', 'credential'],
    help: 'When a certificate among the credentials of an enabled channel expires, by the name of the credential',
  },
  tidegate_channel_weight_ratio: {
    type: 'gauge',
    of: worker,
    labels: ['channel'],
    help: 'Effective weight of the routes of a channel, divided by the configured weight. It follows the share of creates that the channel answered in the last minutes',
  },
  tidegate_channel_breaker: {
    type: 'gauge',
    of: worker,
    labels: ['channel', 'state'],
    help: 'State of the breaker of a channel: 1 for closed, half_open or open, 0 for the other two',
  },
  tidegate_reads_total: {
    type: 'counter',
    of: each,
    labels: ['from'],
    help: 'Reads of a process with a read replica: from the replica, or from the primary because the replica was behind or unavailable',
  },
  tidegate_database_connections: {
    type: 'gauge',
    of: each,
    labels: ['pool', 'state'],
    help: 'Connections of the process to PostgreSQL, of each of its pools: used and idle ones, and callers that wait for one',
  },
  tidegate_database_connections_limit: {
    type: 'gauge',
    of: each,
    labels: ['pool'],
    help: 'The most connections to PostgreSQL of each pool of this process',
  },
  tidegate_database_timeline: {
    ...gaugeOfEach,
    help: "The timeline of the process's PostgreSQL server. It grows with each server that takes over; a smaller one belongs to a server that had been replaced",
  },
  tidegate_database_synchronous: {
    ...gaugeOfEach,
    help: '1 if a commit waits until another PostgreSQL server has it, else 0',
  },
  tidegate_job_duration_seconds: {
    type: 'histogram',
    of: worker,
    labels: ['queue', 'outcome'],
    buckets: jobSeconds,
    help: 'Jobs of this process, by outcome: unavailable if the database or Redis was unavailable, failed after an internal error',
  },
  tidegate_queue_depth: { type: 'gauge', of: worker, labels: ['queue'], help: 'Waiting and running jobs' },
  tidegate_queue_oldest_job_seconds: {
    type: 'gauge',
    of: worker,
    labels: ['queue'],
    help: 'How long the oldest waiting job has waited; 0 if none waits',
  },
  tidegate_notifications_total: {
    type: 'counter',
    of: worker,
    labels: ['outcome'],
    help: 'Attempts of this process at notifications, by outcome, and notifications postponed without an attempt: host_full, breaker_open, merchant_busy, paused',
  },
  tidegate_notifications: {
    type: 'gauge',
    of: worker,
    labels: ['state'],
    help: 'Pending notifications, and exhausted ones of the last two days; each counted up to 100,000',
  },
  tidegate_notifications_due: {
    type: 'gauge',
    of: worker,
    labels: ['waits_for'],
    help: 'Due notifications, counted up to 100,000, by what they wait for: first and retry for a worker, host for a delivery slot, pause for its end, order for an older one of the same order',
  },
  tidegate_notification_oldest_due_seconds: {
    type: 'gauge',
    of: worker,
    labels: ['waits_for'],
    help: 'How long the oldest due notification has waited; 0 if none waits',
  },
  tidegate_notification_breakers_open: {
    type: 'gauge',
    of: worker,
    labels: [],
    help: 'Endpoints that get one attempt a minute because they failed 10 times in a row',
  },
  tidegate_orders_open: {
    type: 'gauge',
    of: worker,
    labels: ['kind', 'country', 'status', 'age'],
    help: 'Open orders, by status and time since their creation; counts the oldest 20,000 of each kind',
  },
  tidegate_payouts_stuck: {
    type: 'gauge',
    of: worker,
    labels: [],
    help: 'Payouts that have waited too long for a definite answer of their channel, or for a decision on their proof; counted up to 10,000',
  },
  tidegate_refunds_stuck: {
    type: 'gauge',
    of: worker,
    labels: [],
    help: 'Refunds that have had no definite answer of their channel for an hour, or that the channel has not confirmed a week after the decision; counted up to 10,000',
  },
  tidegate_settlements_stuck: {
    type: 'gauge',
    of: worker,
    labels: [],
    help: 'Settlements that have had no definite answer of the channel that pays them for an hour; counted up to 10,000',
  },
  tidegate_ended_orders_oldest_due_seconds: {
    type: 'gauge',
    of: worker,
    labels: ['channel'],
    help: 'How long the oldest ended order of a channel has waited for its next query; absent if none is due',
  },
  tidegate_unreconciled_amount: {
    type: 'gauge',
    of: worker,
    labels: ['channel', 'currency'],
    help: "Sum of the amounts of a channel's open breaks, and of entries that are expected on days before yesterday that have no statement",
  },
  tidegate_unreconciled_age_seconds: {
    type: 'gauge',
    of: worker,
    labels: ['channel', 'currency'],
    help: 'Time since the oldest day of a channel that is not reconciled',
  },
  tidegate_statements_missing: {
    type: 'gauge',
    of: worker,
    labels: ['channel'],
    help: 'Statements of the last 31 days that could have been fetched from a channel a day ago, and were not; absent if none are fetched from it',
  },
  tidegate_settlement_drafts_missing: {
    type: 'gauge',
    of: worker,
    labels: ['country'],
    help: 'Settlement cycles that were due two hours ago or earlier and have not been drafted; absent without cycles',
  },
  tidegate_settlement_holidays_unannounced: {
    type: 'gauge',
    of: worker,
    labels: ['country'],
    help: '1 while the holidays of this year, or of one that begins within two weeks, were not compared with an announcement; absent without cycles',
  },
  tidegate_export_oldest_waiting_seconds: {
    type: 'gauge',
    of: worker,
    labels: [],
    help: 'How long the oldest export has waited for a worker; 0 if none waits',
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
    help: 'The last end of an audit run, by kind: of new rows, of seals, and of the whole ledger',
  },
  tidegate_seals_verified_timestamp_seconds: {
    type: 'gauge',
    of: worker,
    labels: [],
    help: 'Each seal of a past month was verified or made at this time or later; absent as long as there is none',
  },
  tidegate_order_search_until_timestamp_seconds: {
    type: 'gauge',
    of: worker,
    labels: [],
    help: 'Operators find orders created up to this time by account, phone, name and the beginning of a number',
  },
} as const satisfies Record<string, MetricFacts>;

type Catalogue = typeof catalogue;
export type MetricName = keyof Catalogue;
/** The names of all metrics of one type. */
export type NameOf<Type extends MetricFacts['type']> = {
  [Name in MetricName]: Catalogue[Name]['type'] extends Type ? Name : never;
}[MetricName];
export type LabelOf<Name extends MetricName> = Catalogue[Name]['labels'][number];
