import { queueNames } from '@tidegate/domain';
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
import {
  addHealthRoutes,
  addMetricsRoute,
  closeConnectionsAtEnd,
  domainMetrics,
  drainOnSignal,
  httpLimits,
  makeLog,
  openDomainOrExit,
  openMetrics,
  openTracing,
} from '@tidegate/process';
import {
  addJobs,
  askRedis,
  connectRedis,
  openAnnouncer,
  openCallLimiter,
  openChannelOutcomes,
  openQueue,
  openWakeUps,
  type QueueName,
} from '@tidegate/queue';
import { settingsOrExit, workerSettings } from '@tidegate/settings';
import { importableFormats } from '@tidegate/statements';
import { adaptersFor } from '@tidegate/upstream';
import { fastify } from 'fastify';
import { openFullChannels } from './channels/full-channels.ts';
import { makeConnector } from './connector.ts';
import { makeDeliver } from './deliver.ts';
import { openDeliverySlots } from './delivery-slots/delivery-slots.ts';
import { keepOrdersFindable } from './keep-orders-findable.ts';
import { keepPurging } from './keep-purging.ts';
import { keepScheduled } from './keep-repeating.ts';
import { keepRollingUp } from './keep-rolling-up.ts';
import { addChannelMetrics } from './metrics/channel-metrics.ts';
import { addExportMetrics } from './metrics/export-metrics.ts';
import { addLedgerMetrics } from './metrics/ledger-metrics.ts';
import { addNotificationMetrics } from './metrics/notification-metrics.ts';
import { addQueueMetrics, jobMetrics } from './metrics/queue-metrics.ts';
import { addReconciliationMetrics } from './metrics/reconciliation-metrics.ts';
import { queuesOf, runQueues } from './run-queues.ts';

const settings = settingsOrExit(workerSettings);
// Checked first, because the arguments may be wrong.
const served = queuesOf(process.argv.slice(2));
const tracing = await openTracing('worker', settings);
const log = makeLog('worker', settings.LOG_LEVEL, { tracing });
const blocking = connectRedis(settings.REDIS_URL, 'worker', log);
const producing = connectRedis(settings.REDIS_URL, 'producer', log);
const queues = new Map(queueNames.map((name) => [name, openQueue(name, producing)]));
const metrics = openMetrics('worker');
const { observer, watch } = domainMetrics(metrics);
addQueueMetrics(metrics, queues);
const wakeUps = openWakeUps({ redisUrl: settings.REDIS_URL, log });
const announcer = openAnnouncer({ redisUrl: settings.REDIS_URL, log });
const domain = await openDomainOrExit(settings, {
  adapters: adaptersFor({
    environment: settings.TIDEGATE_ENV,
    allowCidrs: settings.CHANNEL_ALLOW_CIDRS,
    limiter: openCallLimiter(producing),
  }),
  connections: 20,
  statementFormats: importableFormats,
  channelOutcomes: openChannelOutcomes(producing),
  wakeUp: wakeUps.wakeUp,
  announce: announcer.announce,
  log,
  observer,
  tracer: tracing.tracer,
});
watch(domain);
const auditDomain = await openAuditDomain(domain, settings.DATABASE_AUDIT_URL);
const sealedRows = openSealedRowsThreads(auditDomain, settings.DATABASE_AUDIT_URL ?? settings.DATABASE_URL);
const slots = openDeliverySlots(producing, { scheduleScale: settings.TIDEGATE_SCHEDULE_SCALE });
addChannelMetrics(metrics, {
  health: () => domain.channelRouting.health(),
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
const server = fastify({ logger: false, ...httpLimits() });
closeConnectionsAtEnd(server, { ending: ending.signal, finishWithinMs: 1_000 });
addHealthRoutes(server, { database: () => domain.ready(), redis: () => askRedis(producing) }, log, ending.signal);
addMetricsRoute(server, metrics);
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
    countWaiting: (name) => queueOf(name).getWaitingCount(),
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
