/** Something of limited size that merchants, operators or processes share. */
export interface Pool {
  name: string;
  /** Who has a share of it. */
  owners: string;
  /** Who gets how much. */
  rule: string;
  /** How large it is, and what happens beyond. */
  bound: string;
  /** The files that make it, under `packages`. */
  files: readonly string[];
}

/** Every shared pool of the running service. docs/running/shared-pools.md has the same rows. */
export const pools: readonly Pool[] = [
  {
    name: 'Slots for creates',
    owners: 'merchant',
    rule: 'fair share of each channel',
    bound: '200 of a channel in each REST adapter; then another channel, or a refusal',
    files: ['domain/src/channels/channel-slots.ts', 'domain/src/sharing/fair-slots.ts'],
  },
  {
    name: 'Payers who confirm at JazzCash',
    owners: 'merchant',
    rule: 'fair share of each server',
    bound: '200 of a server in each process; then another channel, or a refusal',
    files: ['upstream/src/jazzcash/slots.ts'],
  },
  {
    name: 'Call rate of an account',
    owners: 'merchant',
    rule: 'fair share, payouts before polls before creates',
    bound: "the provider's rate; a call that would come too late is refused",
    files: ['queue/src/call-limiter.ts', 'domain/src/sharing/fair-rate.ts', 'domain/src/sharing/waiting-line.ts'],
  },
  {
    name: 'Queue of the ledger writer',
    owners: 'merchant',
    rule: 'merchants take turns in each batch; creates of one have a fair share of the places, reports are never refused for greed',
    bound: '10,000 commands, 8,000 of them creates; creates get 42900, a full queue 50300',
    files: ['domain/src/open-domain.ts', 'domain/src/ledger/command-queue.ts', 'domain/src/ledger/ready-commands.ts'],
  },
  {
    name: 'Own transactions of locked merchants',
    owners: 'merchant',
    rule: 'the one that was tried longest ago first',
    bound: '2 for each batch at once; a locked merchant has a tenth of the queue for creates',
    files: ['domain/src/ledger/held-merchants.ts'],
  },
  {
    name: 'Submit, poll, expire, refund and settle jobs',
    owners: 'channel, then merchant',
    rule: 'a channel has a quarter, a hanging one a sixteenth; within it a fair share, payouts before polls before creates',
    bound: '`WORKER_*_CONCURRENCY`; 512 orders of a channel wait, others stay due in the database',
    files: [
      'worker/src/channels/channel-backlog.ts',
      'worker/src/channels/share-between-channels.ts',
      'worker/src/run-queues.ts',
    ],
  },
  {
    name: 'Jobs of one dispatch',
    owners: 'channel, then merchant',
    rule: 'merchants of a channel take turns, of its oldest 1,000 due orders and of the next 1,000 in rotation',
    bound: '2,000 of each kind, 500 of a channel, 16 of a full one',
    files: ['worker/src/jobs/dispatch.ts'],
  },
  {
    name: 'Jobs and wake-ups in Redis',
    owners: 'merchant',
    rule: 'merchants take turns; each has a fair share of the buffer and of the waiting jobs',
    bound: '5,000 jobs of a queue, 20,000 wake-ups in a process; others are found by the next dispatch',
    files: ['queue/src/queues.ts', 'queue/src/wake-up.ts'],
  },
  {
    name: 'Jobs for notifications',
    owners: 'merchant',
    rule: 'fair share, at most a sixteenth and at least 8',
    bound: '`WORKER_NOTIFY_CONCURRENCY` and `WORKER_RETRY_CONCURRENCY`; others wait in the host backlog',
    files: ['worker/src/delivery-slots/notification-jobs.ts'],
  },
  {
    name: 'Delivery slots at a host',
    owners: 'merchant',
    rule: 'the merchants of a host share its slots; backlogs are woken merchant by merchant',
    bound: '8 at a host, 16 jobs of a merchant; others wait in the host backlog',
    files: [
      'worker/src/delivery-slots/delivery-slots.ts',
      'worker/src/delivery-slots/wake-backlogs.ts',
      'domain/src/notifications/host-backlog.ts',
    ],
  },
  {
    name: 'Queries caused by callbacks',
    owners: 'merchant',
    rule: 'fair share of each channel; callers for one order share a query',
    bound: '8 of a channel in each process; a query waits 1 s, then for the next poll',
    files: ['domain/src/channels/callback-queries.ts'],
  },
  {
    name: 'Questions to channels',
    owners: 'merchant',
    rule: 'fair share; a question is then work of the poll queue',
    bound: '64 in each process; others wait as long as for an answer',
    files: ['domain/src/channels/channel-questions.ts'],
  },
  {
    name: 'HTTP connections to providers and endpoints',
    owners: 'host',
    rule: 'each host has its own; jobs and slots above limit who calls',
    bound: '256 for a provider; 8 attempts at an endpoint',
    files: ['upstream/src/http-client.ts'],
  },
  {
    name: 'Connections to PostgreSQL',
    owners: 'process',
    rule: 'reads of merchants share statements, the ledger writer has at most 6, statements and waits have time limits',
    bound:
      '10 in a REST adapter or API, 20 in a worker; as many for the replica, 2 for the audit, 4 for the reconciliation',
    files: [
      'domain/src/database/database.ts',
      'domain/src/database/replica.ts',
      'domain/src/ledger/audit/open-audit-domain.ts',
    ],
  },
  {
    name: 'Threads of the audit',
    owners: 'platform',
    rule: 'one read after the other',
    bound: '2 threads with a connection and 96 MB each',
    files: [
      'domain/src/threads/open-threads.ts',
      'domain/src/ledger/audit/seals/read-in-threads.ts',
      'domain/src/ledger/audit/seals/sealed-rows-thread.ts',
    ],
  },
  {
    name: 'Threads that read statements',
    owners: 'platform',
    rule: 'one import after the other',
    bound: '2 threads with 192 MiB each; a file has 20 s and 1 s for each MiB, then it is refused',
    files: ['statements/src/threads/statement-threads.ts'],
  },
  {
    name: 'Look-ups of merchants, channels and operators',
    owners: 'caller',
    rule: 'those of one tick share a statement',
    bound: '5,000 wait; then 50300',
    files: ['domain/src/database/look-up.ts', 'domain/src/database/in-batches.ts'],
  },
  {
    name: 'Caches of configuration and keys',
    owners: 'merchant, operator',
    rule: 'the least recently used entry leaves first, and is read again',
    bound: 'a fixed number of entries each',
    files: ['domain/src/configuration/brief-cache.ts', 'domain/src/configuration/service-keys.ts'],
  },
  {
    name: 'Records of sessions, tokens and calls that wait to be written',
    owners: 'operator, channel',
    rule: 'written together; a repeated use counts once',
    bound: 'a fixed number waits; further ones are not recorded',
    files: [
      'domain/src/configuration/operators.ts',
      'domain/src/configuration/sessions.ts',
      'domain/src/channels/call-log.ts',
    ],
  },
  {
    name: 'Nonces and request rates in Redis',
    owners: 'merchant',
    rule: "each merchant's own sets and bucket",
    bound: 'twice what its limits allow, at least 500,000 nonces; then 50300',
    files: ['rest-adapter/src/admission.ts'],
  },
  {
    name: 'Connections to Redis',
    owners: 'process',
    rule: 'commands are pipelined; none waits without a time limit',
    bound: 'one for each role of a process',
    files: ['queue/src/connect-server.ts', 'queue/src/connect-cluster.ts'],
  },
  {
    name: 'Announced changes',
    owners: 'process',
    rule: 'in the order of commits',
    bound: '10,000 wait, 500 in a message; receivers of a loss read again',
    files: ['queue/src/changes.ts'],
  },
  {
    name: 'Unfinished request bodies',
    owners: 'connection',
    rule: 'the body that has been read for the longest time is given up first',
    bound: '64 MiB in a REST adapter',
    files: ['rest-adapter/src/unfinished-bodies.ts'],
  },
  {
    name: 'Checkout streams',
    owners: 'merchant, order',
    rule: 'fair share',
    bound: '1,000 in a REST adapter, 8 of an order; then the page asks every few seconds',
    files: ['rest-adapter/src/checkout/live-status.ts'],
  },
  {
    name: 'GraphQL budgets',
    owners: 'request',
    rule: 'each request has the same limits on cost, fields, depth and time',
    bound: '5,000 points; then it is refused',
    files: ['api/src/limit-cost.ts', 'api/src/within-budget.ts'],
  },
  {
    name: 'GraphQL requests',
    owners: 'operator',
    rule: 'fair share',
    bound: '64 at once in an API; others wait 10 s, then they are refused',
    files: ['api/src/graphql-route.ts'],
  },
  {
    name: 'Parsed GraphQL documents',
    owners: 'API',
    rule: 'the least recently used document leaves first, and is parsed again',
    bound: '16 MB',
    files: ['api/src/document-cache.ts'],
  },
  {
    name: 'GraphQL streams',
    owners: 'operator',
    rule: 'fair share, and each operator has the same limit',
    bound: '500 in an API, 20 of an operator; a slow reader is ended',
    files: ['api/src/live/change-feed.ts', 'api/src/live/stream.ts'],
  },
  {
    name: 'Uploads and downloads',
    owners: 'operator',
    rule: 'fair share; one upload and two downloads of an operator at a time',
    bound: '8 uploads of each kind and 8 downloads in an API; others wait 10 s, then they are refused',
    files: ['api/src/transfer-slots.ts', 'api/src/export/export-route.ts'],
  },
  {
    name: 'Previews of statements',
    owners: 'operator',
    rule: 'fair share; at most three previews of an operator are read or wait',
    bound: '1 preview in an API, in a thread of its own; others wait 8 s, then they are refused',
    files: ['api/src/reconciliation/preview-query.ts'],
  },
  {
    name: 'Attempts to be let in',
    owners: 'address, or network',
    rule: 'an address that failed too often waits in turn; none is refused because of others',
    bound: '10,000 addresses remembered, 1,000 attempts wait in a process; a tenth of its time is for them',
    files: [
      'process/src/attempts/attempts.ts',
      'process/src/attempts/failure-budgets.ts',
      'process/src/attempts/slow-queue.ts',
    ],
  },
  {
    name: 'Exports',
    owners: 'operator',
    rule: 'the export that has waited longest is next',
    bound: '3 open exports, 100 kept ones and 2 GiB of each operator; one job in a worker',
    files: ['domain/src/exports/types.ts', 'domain/src/exports/request-export.ts'],
  },
  {
    name: 'Imports and parsing of statements',
    owners: 'channel',
    rule: 'the file that has waited longest is next; 4 channels are fetched at once',
    bound: '64 MiB for a zip file; one import at a time in a worker',
    files: [
      'statements/src/limits.ts',
      'domain/src/reconciliation/files/import-next-statement.ts',
      'domain/src/threads/open-threads.ts',
    ],
  },
  {
    name: 'Spans that wait to be sent',
    owners: 'process',
    rule: 'in the order of their end',
    bound: '4,096; further ones are dropped',
    files: ['process/src/tracing/open-otlp.ts'],
  },
];

/** Files that look like a pool and are none, with the reason. */
const notShared: Readonly<Record<string, string>> = {
  'domain/src/configuration/make-service-key.ts': 'a command of an administrator, alone on its database',
  'domain/src/ledger/audit/seals/check-lists.ts': 'steps of one run of the audit',
  'domain/src/ledger/audit/seals/choose-seals.ts': 'steps of one run of the audit',
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

/** The rows of docs/running/shared-pools.md. */
export function rowsOfPools(): string[] {
  return pools.map(({ name, owners, rule, bound }) => `| ${name} | ${owners} | ${rule} | ${bound} |`);
}
