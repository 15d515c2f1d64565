/** The processes that serve `GET /metrics`. */
export type ProcessName = 'rest-adapter' | 'api' | 'worker';

interface MetricFacts {
  type: 'counter' | 'gauge' | 'histogram';
  help: string;
  labels: readonly string[];
  /** The processes that have it. */
  of: readonly ProcessName[];
  /** The upper bounds of a histogram's buckets. */
  buckets?: readonly number[];
}

const each = ['rest-adapter', 'api', 'worker'] as const;
const servers = ['rest-adapter', 'api'] as const;
const worker = ['worker'] as const;

const requestSeconds = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const stepSeconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];
const callSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const jobSeconds = [0.001, 0.005, 0.02, 0.1, 0.5, 1, 2, 5, 10, 25];

/**
 * Every metric of ours. A process can make no other. Labels have few values, and callers cannot invent them: never a
 * merchant, an order or a path. docs/running/metrics.md is generated from this list, and a test compares it with
 * running processes.
 */
export const catalogue = {
  tidegate_http_request_duration_seconds: {
    ...{ type: 'histogram', of: servers, labels: ['method', 'route', 'code', 'country'], buckets: requestSeconds },
    help: "Requests answered: by route template, code (the envelope's, or the HTTP status where there is none) and the country of the merchant whose signature verified, else none",
  },
  tidegate_http_broken_requests_total: {
    ...{ type: 'counter', of: ['rest-adapter'], labels: ['reason'] },
    help: 'Connections that brought no whole request',
  },
  tidegate_redis_failures_total: {
    ...{ type: 'counter', of: ['rest-adapter'], labels: [] },
    help: 'Requests refused because Redis did not answer',
  },
  tidegate_graphql_errors_total: {
    ...{ type: 'counter', of: ['api'], labels: ['code'] },
    help: 'Errors in GraphQL answers, by extensions.code',
  },
  tidegate_api_streams: { type: 'gauge', of: ['api'], labels: [], help: 'Subscriptions that are open' },
  tidegate_seam_batch_commands: {
    ...{ type: 'histogram', of: each, labels: [], buckets: [1, 2, 5, 10, 20, 50, 100, 200] },
    help: 'Commands that rode in one transaction of the ledger writer',
  },
  tidegate_seam_wait_seconds: {
    ...{ type: 'histogram', of: each, labels: [], buckets: stepSeconds },
    help: "How long a batch's first command waited in its lane for its transaction",
  },
  tidegate_seam_transaction_seconds: {
    ...{ type: 'histogram', of: each, labels: [], buckets: stepSeconds },
    help: 'How long a transaction of the ledger writer took',
  },
  tidegate_order_transitions_total: {
    ...{ type: 'counter', of: each, labels: ['kind', 'country', 'to'] },
    help: 'Changes of orders that this process committed, by the status that was reached',
  },
  tidegate_channel_call_duration_seconds: {
    ...{ type: 'histogram', of: each, labels: ['channel', 'operation', 'outcome'], buckets: callSeconds },
    help: 'Calls to channels, and callbacks of theirs until they were in the ledger',
  },
  tidegate_channel_forbidden_total: {
    ...{ type: 'counter', of: each, labels: ['channel'] },
    help: 'Calls to channels that were not sent, because an address of the channel is neither public nor in CHANNEL_ALLOW_CIDRS',
  },
  tidegate_reads_total: {
    ...{ type: 'counter', of: each, labels: ['from'] },
    help: 'Plain reads where there is a read replica: from the replica, or from the primary since the replica was behind or away',
  },
  tidegate_database_connections: {
    ...{ type: 'gauge', of: each, labels: ['state'] },
    help: "The process's pool of connections to PostgreSQL: used and idle ones, and how many callers are waiting for one",
  },
  tidegate_database_connections_limit: {
    ...{ type: 'gauge', of: each, labels: [] },
    help: 'How many connections to PostgreSQL this process may have',
  },
  tidegate_job_duration_seconds: {
    ...{ type: 'histogram', of: worker, labels: ['queue', 'outcome'], buckets: jobSeconds },
    help: 'Jobs of this process: unavailable where the database or Redis was away, failed where something is broken',
  },
  tidegate_queue_depth: {
    ...{ type: 'gauge', of: worker, labels: ['queue'] },
    help: 'Jobs that wait or run',
  },
  tidegate_queue_oldest_job_seconds: {
    ...{ type: 'gauge', of: worker, labels: ['queue'] },
    help: 'How long the oldest waiting job has waited; 0 where none waits',
  },
  tidegate_notifications_total: {
    ...{ type: 'counter', of: worker, labels: ['outcome'] },
    help: 'Attempts of this process at notifications by what they came to, and notifications that were put off without one: host_full, breaker_open, merchant_busy, paused',
  },
  tidegate_notifications: {
    ...{ type: 'gauge', of: worker, labels: ['state'] },
    help: 'Notifications that are pending, and those created in the last two days that are exhausted; each counted up to 100,000',
  },
  tidegate_notifications_due: {
    ...{ type: 'gauge', of: worker, labels: ['waits_for'] },
    help: 'Pending notifications that are due, counted up to 100,000: first and retry wait for a worker, host in line for a turn, pause for its end, order for an older one of the same order',
  },
  tidegate_notification_oldest_due_seconds: {
    ...{ type: 'gauge', of: worker, labels: ['waits_for'] },
    help: 'How long the notification has been due that waits for longest; 0 where none waits',
  },
  tidegate_notification_breakers_open: {
    ...{ type: 'gauge', of: worker, labels: [] },
    help: 'Endpoints that get one attempt a minute because they failed 10 times in a row',
  },
  tidegate_orders_open: {
    ...{ type: 'gauge', of: worker, labels: ['kind', 'country', 'status', 'age'] },
    help: 'Orders that have not ended, by status and time since their creation; of each kind the oldest 20,000 are looked at',
  },
  tidegate_payouts_stuck: {
    ...{ type: 'gauge', of: worker, labels: [] },
    help: 'Payouts that have waited too long for a definite answer of their channel or a judgement of their proof, counted up to 10,000',
  },
  tidegate_ledger_violations: {
    ...{ type: 'gauge', of: worker, labels: ['rule'] },
    help: 'Open findings of the audit, by the rule that is broken',
  },
  tidegate_audit_finished_timestamp_seconds: {
    ...{ type: 'gauge', of: worker, labels: ['run'] },
    help: 'When the audit last ended, by kind of run: of what is new, and of the whole',
  },
} as const satisfies Record<string, MetricFacts>;

type Catalogue = typeof catalogue;
export type MetricName = keyof Catalogue;
/** The names of the metrics of one type. */
export type NameOf<Type extends MetricFacts['type']> = {
  [Name in MetricName]: Catalogue[Name]['type'] extends Type ? Name : never;
}[MetricName];
export type LabelOf<Name extends MetricName> = Catalogue[Name]['labels'][number];
