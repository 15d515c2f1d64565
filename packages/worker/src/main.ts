import { countStuckPayouts, notificationFigures, queueNames, readAuditState } from '@tidegate/domain';
import {
  addHealthRoutes,
  addMetricsRoute,
  closeConnectionsAtEnd,
  drainOnSignal,
  environmentOrExit,
  makeLog,
  openDomainOrExit,
} from '@tidegate/process';
import { addJobs, askRedis, connectRedis, openAnnouncer, openNudge, openQueue, type QueueName } from '@tidegate/queue';
import { channelAdapters } from '@tidegate/upstream';
import { fastify } from 'fastify';
import { addAuditGauges } from './audit-gauges.ts';
import { variables } from './config.ts';
import { makeConnector } from './connector.ts';
import { makeDeliver } from './deliver.ts';
import { keepAuditing } from './keep-auditing.ts';
import { keepDispatching } from './keep-dispatching.ts';
import { keepRollingUp } from './keep-rolling-up.ts';
import { makeMetrics } from './metrics.ts';
import { addNotificationMetrics } from './notification-metrics.ts';
import { queuesOf, runQueues } from './run-queues.ts';
import { addStuckPayoutsGauge } from './stuck-payouts-gauge.ts';
import { openTurns } from './turns/turns.ts';

const settings = environmentOrExit(variables);
const log = makeLog('worker', settings.LOG_LEVEL);
const blocking = connectRedis(settings.REDIS_URL, 'worker', log);
const producing = connectRedis(settings.REDIS_URL, 'producer', log);
const queues = new Map(queueNames.map((name) => [name, openQueue(name, producing)]));
const metrics = makeMetrics(queues);
const nudger = openNudge({ redisUrl: settings.REDIS_URL, log });
const announcer = openAnnouncer({ redisUrl: settings.REDIS_URL, log });
const domain = await openDomainOrExit({
  databaseUrl: settings.DATABASE_URL,
  secret: settings.TIDEGATE_SECRET,
  adapters: channelAdapters,
  publicBaseUrl: settings.PUBLIC_BASE_URL,
  scheduleScale: settings.TIDEGATE_SCHEDULE_SCALE,
  notifyAllowCidrs: settings.NOTIFY_ALLOW_CIDRS,
  connections: 20,
  nudge: nudger.nudge,
  announce: announcer.announce,
  log,
  observer: {
    batch: ({ size, waitedMs, tookMs }) => {
      metrics.batches.observe(size);
      metrics.lanes.observe({ phase: 'waiting' }, waitedMs / 1000);
      metrics.lanes.observe({ phase: 'transaction' }, tookMs / 1000);
    },
    channelCall: ({ channelId, operation, outcome, ms }) =>
      metrics.channelCalls.observe({ channel: channelId, operation, outcome }, ms / 1000),
  },
});
const turns = openTurns(producing, { scheduleScale: settings.TIDEGATE_SCHEDULE_SCALE });
const { notified } = addNotificationMetrics(metrics.registry, {
  waiting: () => notificationFigures(domain),
  openBreakers: () => turns.openBreakers(),
});
const ending = new AbortController();
const server = fastify({ logger: false });
closeConnectionsAtEnd(server, { ending: ending.signal, finishWithinMs: 1_000 });
addHealthRoutes(server, { database: () => domain.ready(), redis: () => askRedis(producing) }, log, ending.signal);
addMetricsRoute(server, metrics.registry);
addStuckPayoutsGauge(metrics.registry, () => countStuckPayouts(domain));
addAuditGauges(metrics.registry, () => readAuditState(domain));
await server.listen({ port: settings.PORT, host: settings.HOST });
const connector = makeConnector();
const served = queuesOf(process.argv.slice(2));
const running = runQueues({
  queues: served,
  connection: blocking,
  context: {
    domain,
    deliver: makeDeliver(domain, connector),
    ...{ turns, notified },
    add: (name, works) => addJobs(queueOf(name), works),
    countWaiting: (name) => queueOf(name).getWaitingCount(),
  },
  settings,
  done: (queue, outcome, ms) => {
    metrics.jobs.observe({ queue, outcome }, ms / 1000);
    if (outcome === 'failed') metrics.errors.inc({ queue });
  },
});
const dispatching = served.includes('dispatch')
  ? keepDispatching(queueOf('dispatch'), settings.TIDEGATE_SCHEDULE_SCALE, log)
  : null;
const auditing = served.includes('audit')
  ? keepAuditing(queueOf('audit'), settings.TIDEGATE_SCHEDULE_SCALE, log)
  : null;
const rollingUp = served.includes('audit') ? keepRollingUp(domain, log) : null;
drainOnSignal({
  ...{ ending, log },
  steps: {
    dispatching: () => dispatching?.stop(),
    auditing: () => auditing?.stop(),
    rollUps: () => rollingUp?.stop(),
    jobs: () => running.drain(),
    health: () => server.close(),
    domain: () => domain.close(),
    nudges: () => nudger.close(),
    announcements: () => announcer.close(),
    connections: () => connector.close(),
    redis: () => {
      producing.disconnect();
      blocking.disconnect();
    },
  },
});
log.info({ port: settings.PORT, queues: served }, 'working');

function queueOf(name: QueueName) {
  return queues.get(name) ?? openQueue(name, producing);
}
