import type { PoolName } from '../packages/domain/src/sharing/pools.ts';

/** Something of limited size that merchants, operators or processes share. */
export interface Pool {
  name: string;
  /** Only developers need to know it: it is not on the page. */
  isInternal?: true;
  /** Its names in the metrics, if it has a fair queue. */
  metrics?: readonly PoolName[];
  /** Who has a share of it. */
  owners: string;
  /** Who gets how much. */
  rule: string;
  /** How large it is, and what happens beyond. */
  bound: string;
  /** The files that make it, under `packages`. */
  files: readonly string[];
}

/** Every shared pool of the running service. docs/running/fair-shares.md has the rows that operators need. */
export const pools: readonly Pool[] = [
  {
    name: 'Creates at a channel',
    metrics: ['create_slots'],
    owners: 'merchant',
    rule: 'fair share per channel',
    bound: '200 per channel and REST adapter; then another channel, or a refusal',
    files: ['domain/src/channels/channel-slots.ts', 'domain/src/sharing/fair-slots.ts'],
  },
  {
    name: 'Payers who confirm at JazzCash',
    metrics: ['payer_confirmations'],
    owners: 'merchant',
    rule: 'fair share per server',
    bound: '200 per server and process; then another channel, or a refusal',
    files: ['upstream/src/jazzcash/slots.ts'],
  },
  {
    name: 'Call rate of an account',
    metrics: ['call_rate'],
    owners: 'merchant',
    rule: 'fair share',
    bound: 'the rate of the provider; a call that would come too late is refused',
    files: ['queue/src/call-limiter.ts', 'domain/src/sharing/fair-rate.ts', 'domain/src/sharing/waiting-line.ts'],
  },
  {
    name: 'Queue of the ledger writer',
    owners: 'merchant',
    rule: 'merchants take turns in each batch; fair share of the places for creates',
    bound: '10,000 commands, 8,000 of them creates; then creates get 42900, a full queue 50300',
    files: ['domain/src/open-domain.ts', 'domain/src/ledger/command-queue.ts', 'domain/src/ledger/ready-commands.ts'],
  },
  {
    name: 'Own transactions of locked merchants',
    isInternal: true,
    owners: 'merchant',
    rule: 'the one tried longest ago first',
    bound: '2 per batch; a locked merchant has a tenth of the queue for creates',
    files: ['domain/src/ledger/held-merchants.ts'],
  },
  {
    name: 'Jobs of submit, poll, expire, refund and settle',
    owners: 'channel, then merchant',
    rule: 'a channel has a quarter, a hanging one a sixteenth; within it fair share',
    bound: '`WORKER_*_CONCURRENCY`; 512 waiting orders per channel, others stay due in the database',
    files: [
      'worker/src/channels/channel-backlog.ts',
      'worker/src/jobs/share-between-channels.ts',
      'worker/src/run-queues.ts',
    ],
  },
  {
    name: 'Jobs of one dispatch',
    isInternal: true,
    owners: 'channel, then merchant',
    rule: 'merchants of a channel take turns among its oldest 1,000 due orders, and the next 1,000 in rotation',
    bound: '2,000 of each kind, 500 per channel, 16 of a full one',
    files: ['worker/src/jobs/dispatch.ts'],
  },
  {
    name: 'Jobs and wake-ups in Redis',
    owners: 'merchant',
    rule: 'merchants take turns; fair share of the buffer and of the waiting jobs',
    bound: '5,000 jobs per queue, 20,000 wake-ups per process; the next dispatch finds others',
    files: ['queue/src/queues.ts', 'queue/src/wake-up.ts'],
  },
  {
    name: 'Jobs for notifications',
    metrics: ['notification_jobs'],
    owners: 'merchant',
    rule: 'fair share, at most a sixteenth and at least 8',
    bound: '`WORKER_NOTIFY_CONCURRENCY`, `WORKER_RETRY_CONCURRENCY`; others wait in the host backlog',
    files: ['worker/src/delivery-slots/notification-jobs.ts'],
  },
  {
    name: 'Delivery slots at a host',
    owners: 'merchant',
    rule: 'merchants of a host share its slots; backlogs are woken in turns',
    bound: '8 per host, 16 jobs per merchant; others wait in the host backlog',
    files: [
      'worker/src/delivery-slots/delivery-slots.ts',
      'worker/src/delivery-slots/wake-backlogs.ts',
      'domain/src/notifications/host-backlog.ts',
    ],
  },
  {
    name: 'Queries caused by callbacks',
    metrics: ['callback_queries'],
    owners: 'merchant',
    rule: 'fair share per channel; callers for one order share a query',
    bound: '8 per channel and process; after 1 s the next poll asks',
    files: ['domain/src/channels/callback-queries.ts'],
  },
  {
    name: 'Questions to channels',
    metrics: ['channel_questions'],
    owners: 'merchant',
    rule: 'fair share, then work of the poll queue',
    bound: '64 per process; others wait',
    files: ['domain/src/channels/channel-questions.ts'],
  },
  {
    name: 'HTTP connections to providers and endpoints',
    isInternal: true,
    owners: 'host',
    rule: 'each host has its own',
    bound: '256 for a provider, 8 for an endpoint',
    files: ['upstream/src/provider/http-client.ts'],
  },
  {
    name: 'Connections to PostgreSQL',
    owners: 'process',
    rule: 'reads share statements; statements and waits have time limits',
    bound:
      '10 in a REST adapter or API, 20 in a worker; as many for the replica, 6 for the ledger writer, 2 for the audit, 4 for the reconciliation',
    files: [
      'domain/src/database/database.ts',
      'domain/src/database/replica.ts',
      'domain/src/audit/open-audit-domain.ts',
    ],
  },
  {
    name: 'Threads of the audit',
    isInternal: true,
    owners: 'platform',
    rule: 'one read after the other',
    bound: '2 with a connection and 96 MB each',
    files: [
      'domain/src/threads/open-threads.ts',
      'domain/src/audit/seals/read-in-threads.ts',
      'domain/src/audit/seals/sealed-rows-thread.ts',
    ],
  },
  {
    name: 'Threads that read statements',
    isInternal: true,
    owners: 'platform',
    rule: 'one import after the other',
    bound: '2 with 192 MiB each; a file has 20 s and 1 s per MiB, then it is refused',
    files: ['statements/src/threads/statement-threads.ts'],
  },
  {
    name: 'Look-ups of merchants, channels and operators',
    isInternal: true,
    owners: 'caller',
    rule: 'look-ups of one tick share a statement',
    bound: '5,000 wait; then 50300',
    files: ['domain/src/database/look-up.ts', 'domain/src/database/in-batches.ts'],
  },
  {
    name: 'Caches of configuration and keys',
    isInternal: true,
    owners: 'merchant, operator',
    rule: 'the least recently used entry leaves',
    bound: 'a fixed number of entries',
    files: ['domain/src/configuration/brief-cache.ts', 'domain/src/configuration/service-keys.ts'],
  },
  {
    name: 'Unwritten uses of sessions and tokens, and channel calls',
    isInternal: true,
    owners: 'operator, channel',
    rule: 'written together; a repeated use counts once',
    bound: 'a fixed number; further ones are not recorded',
    files: [
      'domain/src/configuration/operators.ts',
      'domain/src/configuration/sessions.ts',
      'domain/src/channels/call-log.ts',
    ],
  },
  {
    name: 'Nonces and request rates in Redis',
    owners: 'merchant',
    rule: 'own sets and bucket of each merchant',
    bound: 'twice what its limits allow, at least 500,000 nonces; then 50300',
    files: ['rest-adapter/src/request/admission.ts'],
  },
  {
    name: 'Connections to Redis',
    isInternal: true,
    owners: 'process',
    rule: 'pipelined commands, each with a time limit',
    bound: 'one for each role of a process',
    files: ['queue/src/connect-server.ts', 'queue/src/connect-cluster.ts'],
  },
  {
    name: 'Announced changes',
    isInternal: true,
    owners: 'process',
    rule: 'in the order of commits',
    bound: '10,000 wait; after a loss receivers read again',
    files: ['queue/src/changes.ts'],
  },
  {
    name: 'Unfinished request bodies',
    isInternal: true,
    owners: 'connection',
    rule: 'the oldest body is given up first',
    bound: '64 MiB in a REST adapter',
    files: ['rest-adapter/src/request/unfinished-bodies.ts'],
  },
  {
    name: 'Checkout streams',
    metrics: ['checkout_streams'],
    owners: 'merchant, order',
    rule: 'fair share',
    bound: '1,000 in a REST adapter, 8 per order; then the page polls',
    files: ['rest-adapter/src/checkout/live-status.ts'],
  },
  {
    name: 'Requests of a connection',
    isInternal: true,
    owners: 'connection',
    rule: 'one after the other, the next when the answer before it was read',
    bound: '8 wait; with more the connection is closed',
    files: ['process/src/http-limits.ts'],
  },
  {
    name: 'GraphQL budgets',
    isInternal: true,
    owners: 'request',
    rule: 'the same limits on cost, fields, depth and time',
    bound: '5,000 points; then it is refused',
    files: ['api/src/execution/limit-cost.ts', 'api/src/execution/within-budget.ts'],
  },
  {
    name: 'GraphQL requests',
    metrics: ['graphql_requests'],
    owners: 'operator',
    rule: 'fair share',
    bound: '64 in an API; others wait 10 s, then they are refused',
    files: ['api/src/execution/graphql-route.ts'],
  },
  {
    name: 'Parsed GraphQL documents',
    isInternal: true,
    owners: 'API',
    rule: 'the least recently used document leaves',
    bound: '16 MB',
    files: ['api/src/execution/document-cache.ts'],
  },
  {
    name: 'GraphQL streams',
    metrics: ['graphql_streams'],
    owners: 'operator',
    rule: 'fair share',
    bound: '500 in an API, 20 per operator; a slow reader is ended',
    files: ['api/src/live/change-feed.ts', 'api/src/live/stream.ts'],
  },
  {
    name: 'Uploads and downloads',
    metrics: ['uploads', 'downloads'],
    owners: 'operator',
    rule: 'fair share; an operator has one upload and two downloads at a time',
    bound: '8 uploads of each kind and 8 downloads in an API; others wait 10 s, then they are refused',
    files: ['api/src/transfer/transfer-slots.ts', 'api/src/export/export-route.ts'],
  },
  {
    name: 'Previews of statements',
    metrics: ['previews'],
    owners: 'operator',
    rule: 'fair share; an operator has three, read or waiting',
    bound: '1 in an API; others wait 8 s, then they are refused',
    files: ['api/src/reconciliation/preview-query.ts'],
  },
  {
    name: 'Failed sign-ins and signatures',
    owners: 'address, or network',
    rule: 'an address that failed too often waits its turn',
    bound: '10,000 remembered addresses, 1,000 waiting attempts per process; a tenth of its time',
    files: [
      'process/src/attempts/attempts.ts',
      'process/src/attempts/failure-budgets.ts',
      'process/src/attempts/slow-queue.ts',
    ],
  },
  {
    name: 'Exports',
    owners: 'operator',
    rule: 'the export that has waited longest',
    bound: '3 open exports, 100 kept ones and 2 GiB per operator; one job per worker',
    files: ['domain/src/exports/types.ts', 'domain/src/exports/request-export.ts'],
  },
  {
    name: 'Imports of statements',
    owners: 'channel',
    rule: 'the file that has waited longest; 4 channels are fetched at once',
    bound: '64 MiB for a zip file; one import per worker',
    files: [
      'statements/src/reading/limits.ts',
      'domain/src/reconciliation/files/import-next-statement.ts',
      'domain/src/threads/open-threads.ts',
    ],
  },
  {
    name: 'Spans that wait to be sent',
    isInternal: true,
    owners: 'process',
    rule: 'in the order of their end',
    bound: '4,096; further ones are dropped',
    files: ['process/src/tracing/open-otlp.ts'],
  },
];

/** Files that look like a pool and are none, with the reason. */
const notShared: Readonly<Record<string, string>> = {
  'domain/src/configuration/make-service-key.ts': 'a command of an administrator, alone on its database',
  'domain/src/audit/seals/check-lists.ts': 'steps of one run of the audit',
  'domain/src/audit/seals/choose-seals.ts': 'steps of one run of the audit',
  'domain/src/ledger/batch-runners.ts': 'the runners of the queue of the ledger writer',
  'domain/src/ledger/writer-options.ts': 'types only',
  'domain/src/notifications/deliveries.ts': 'claims of one batch, within the jobs for notifications',
  'domain/src/sharing/fair-queue.ts': 'the mechanism',
  'domain/src/work/purge-files.ts': 'batches of one job',
  'settings/src/worker.ts': 'the settings of the jobs',
  'statements/src/threads/read-task.ts': 'rows of one statement',
  'upstream/src/channel-contract.ts': 'the contract test',
};

/** What makes a pool, or limits how much of something is in use at once. */
const marks: readonly RegExp[] = [
  /\bnew (?:pg\.)?(?:Pool|Queue|Worker|Piscina|Redis|Cluster|Agent|LRUCache|FairQueue|WaitingLine)\b\s*[<(]/,
  /\bopenFair(?:Slots|Rate)\(\{/,
  /\b(?:concurrency|maxAtOnce|\w*[aA]tOnce|maxWaiting|bufferLimit|queueLimit|lookUpLimit|maxStreams|maxThreads)\b\s*(?:\??:|=) ?(?!=)/,
  /\bfunction open\w*(?:Slots|Share|Backlog|Limit|Limiter|Queries|Bodies|Pool|Queue|Semaphore)\b/,
  /\b[sS]emaphore\b/,
];

/** Files of the service with a pool that is not in the table, and files of the table that have gone. */
export function poolsWithoutOwner(sources: readonly { path: string; text: string }[]): string[] {
  const listed = new Set([...pools.flatMap(({ files }) => files), ...Object.keys(notShared)]);
  const there = new Set(sources.map(({ path }) => path));
  const unknown = sources
    .filter(({ path, text }) => !listed.has(path) && marks.some((mark) => mark.test(text)))
    .map(
      ({ path }) =>
        `${path} limits what is in use at once: add its pool with owners, rule and bound to tests/shared-pools.ts`,
    );
  const gone = [...listed]
    .filter((path) => !there.has(path))
    .map((path) => `${path} is in tests/shared-pools.ts, but there is no such file`);
  return [...unknown, ...gone];
}

/** The rows of docs/running/fair-shares.md. */
export function rowsOfPools(): string[] {
  const shown = pools.filter(({ isInternal }) => !isInternal);
  return shown.map(({ name, metrics = [], owners, rule, bound }) => {
    const labels = metrics.map((label) => `\`${label}\``).join(', ');
    return `| ${name}${labels && ` (${labels})`} | ${owners} | ${rule} | ${bound} |`;
  });
}
