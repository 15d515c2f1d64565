import { queueNames, refusedChannels } from '@tidegate/domain';
import {
  countMissingDrafts,
  countMissingStatements,
  countStuckPayouts,
  countStuckRefunds,
  countStuckSettlements,
  exportLimits,
  longestDueWatches,
  longestExportWait,
  notificationFigures,
  notificationStates,
  openAuditDomain,
  openOrderFigures,
  openSealedRowsThreads,
  orderSearchUntil,
  readAuditState,
  readCredentialExpiries,
  readUnannouncedHolidays,
  readUnreconciled,
  sealFilesIn,
} from '@tidegate/domain/worker';
import { domainMetrics, drainOnSignal, makeLog, openDomainOrExit, openMetrics, openTracing } from '@tidegate/process';
import {
  addJobs,
  askRedis,
  connectRedis,
  onQueue,
  openAnnouncer,
  openCallLimiter,
  openChannelOutcomes,
  openQueue,
  openWakeUps,
  type QueueName,
  readEviction,
} from '@tidegate/queue';
import { settingsOrExit, workerSettings } from '@tidegate/settings';
import { openStatementThreads } from '@tidegate/statements/threads';
import { adaptersFor } from '@tidegate/upstream';
import { openFullChannels } from './channels/full-channels.ts';
import { makeConnector } from './delivery/connector.ts';
import { makeDeliver } from './delivery/deliver.ts';
import { openDeliverySlots } from './delivery-slots/delivery-slots.ts';
import { addChannelMetrics } from './metrics/channel-metrics.ts';
import { addExportMetrics } from './metrics/export-metrics.ts';
import { addLedgerMetrics } from './metrics/ledger-metrics.ts';
import { addNotificationMetrics } from './metrics/notification-metrics.ts';
import { addQueueMetrics, jobMetrics } from './metrics/queue-metrics.ts';
import { addReconciliationMetrics } from './metrics/reconciliation-metrics.ts';
import { purposesOf } from './purposes-of.ts';
import { queuesOrExit, runQueues } from './run-queues.ts';
import { keepScheduled } from './schedules.ts';
import { buildServer } from './server.ts';
import { keepOrdersFindable } from './upkeep/keep-orders-findable.ts';
import { keepPurging } from './upkeep/keep-purging.ts';
import { keepRollingUp } from './upkeep/keep-rolling-up.ts';

const settings = settingsOrExit(workerSettings);
// Checked first, because the arguments may be wrong.
const served = queuesOrExit(process.argv.slice(2));
const tracing = await openTracing('worker', settings);
const log = makeLog('worker', settings.LOG_LEVEL, { tracing });
const metrics = openMetrics('worker');
const { observer, watch } = domainMetrics(metrics);
const blocking = connectRedis(settings.REDIS_URL, 'worker', log, observer);
const producing = connectRedis(settings.REDIS_URL, 'producer', log, observer);
metrics.gauge('tidegate_redis_evicts', () => readEviction(producing));
const queues = new Map(queueNames.map((name) => [name, openQueue(name, producing)]));
addQueueMetrics(metrics, queues);
const wakeUps = openWakeUps({ redisUrl: settings.REDIS_URL, log });
const announcer = openAnnouncer({ redisUrl: settings.REDIS_URL, log });
const limiter = openCallLimiter(producing, observer);
const statements = openStatementThreads();
const domain = await openDomainOrExit(
  settings,
  { process: 'worker', needs: purposesOf(served) },
  {
    callTurns: limiter,
    adapters: adaptersFor({
      environment: settings.TIDEGATE_ENV,
      allowCidrs: settings.CHANNEL_ALLOW_CIDRS,
      limiter,
    }),
    connections: 20,
    statementFormats: statements.formats,
    channelOutcomes: openChannelOutcomes(producing),
    wakeUp: wakeUps.wakeUp,
    announce: announcer.announce,
    log,
    observer,
    tracer: tracing.tracer,
  },
);
const auditDomain = await openAuditDomain(domain, settings.DATABASE_AUDIT_URL);
const sealedRows = openSealedRowsThreads(auditDomain, settings.DATABASE_AUDIT_URL ?? settings.DATABASE_URL);
watch(domain, auditDomain, sealedRows);
const slots = openDeliverySlots(producing, { scheduleScale: settings.TIDEGATE_SCHEDULE_SCALE });
addChannelMetrics(metrics, {
  health: () => domain.channelRouting.health(),
  refused: () => refusedChannels(domain),
  expiries: () => readCredentialExpiries(domain),
  dueWatches: () => longestDueWatches(domain),
});
addLedgerMetrics(metrics, {
  openOrders: () => openOrderFigures(domain),
  stuckPayouts: () => countStuckPayouts(domain),
  stuckRefunds: () => countStuckRefunds(domain),
  stuckSettlements: () => countStuckSettlements(domain),
  auditState: () => readAuditState(domain),
  searchUntil: () => orderSearchUntil(domain),
});
addReconciliationMetrics(metrics, {
  unreconciled: (before) => readUnreconciled(domain, before),
  missingStatements: () => countMissingStatements(domain),
  missingDrafts: () => countMissingDrafts(domain),
  unannouncedHolidays: () => readUnannouncedHolidays(domain),
});
addExportMetrics(metrics, { longestWait: () => longestExportWait(domain) });
const { notified } = addNotificationMetrics(metrics, {
  states: () => notificationStates(domain),
  waiting: () => notificationFigures(domain),
  openBreakers: () => slots.openBreakers(),
});
const ending = new AbortController();
const dependencies = { database: () => domain.ready(), redis: () => askRedis(producing) };
const server = buildServer({ dependencies, metrics, log, ending: ending.signal });
await server.listen({ port: settings.PORT, host: settings.HOST });
const connector = makeConnector();
const running = runQueues({
  queues: served,
  connection: blocking,
  context: {
    domain,
    auditDomain,
    readSealedRows: sealedRows.read,
    ...(settings.AUDIT_SEAL_DIR === undefined ? {} : { sealFiles: sealFilesIn(settings.AUDIT_SEAL_DIR) }),
    deliver: makeDeliver(domain, connector),
    slots,
    notified,
    fullChannels: openFullChannels(producing),
    add: (name, works) => addJobs(queueOf(name), works),
    countWaiting: (name) => onQueue(queueOf(name), () => queueOf(name).getWaitingCount()),
  },
  settings,
  done: jobMetrics(metrics),
});
const scheduled = (['dispatch', 'audit', 'reconcile', 'fetch', 'draft', 'export'] as const)
  .filter((name) => served.includes(name))
  .map((name) => keepScheduled(name, queueOf(name), settings.TIDEGATE_SCHEDULE_SCALE, log));
const rollingUp = served.includes('audit') ? keepRollingUp(domain, log) : null;
const findable = served.includes('audit') ? keepOrdersFindable(domain, log) : null;
const retention = {
  notification: settings.RETENTION_NOTIFICATION_DAYS,
  notification_attempt: settings.RETENTION_ATTEMPT_DAYS,
  channel_call: settings.RETENTION_CHANNEL_CALL_DAYS,
  channel_memory: settings.RETENTION_CHANNEL_MEMORY_DAYS,
  statement_content: settings.RETENTION_STATEMENT_DAYS,
  data_export: exportLimits.days,
};
const purging = served.includes('audit')
  ? keepPurging(domain, log, {
      retention,
      archiveDir: settings.RETENTION_ARCHIVE_DIR,
      everyMs: Math.max(1_000, 60_000 * settings.TIDEGATE_SCHEDULE_SCALE),
    })
  : null;
drainOnSignal({
  ending,
  log,
  steps: {
    schedules: () => {
      for (const { stop } of scheduled) stop();
    },
    rollUps: () => rollingUp?.stop(),
    search: () => findable?.stop(),
    purging: () => purging?.stop(),
    jobs: () => running.drain(),
    health: () => server.close(),
    sealedRows: () => sealedRows.close(),
    statements: () => statements.close(),
    audit: () => auditDomain.close(),
    domain: () => domain.close(),
    wakeUps: () => wakeUps.close(),
    announcements: () => announcer.close(),
    connections: () => connector.close(),
    redis: () => {
      producing.disconnect();
      blocking.disconnect();
    },
    traces: () => tracing.close(),
  },
});
log.info({ port: settings.PORT, queues: served }, 'working');

function queueOf(name: QueueName) {
  return queues.get(name) ?? openQueue(name, producing);
}
