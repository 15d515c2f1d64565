import { countStuckPayouts, openDomain, queueNames } from '@tidegate/domain';
import { addHealthRoutes, addMetricsRoute, drainOnSignal, environmentOrExit, makeLog } from '@tidegate/process';
import { addJobs, connectRedis, openNudge, openQueue, type QueueName } from '@tidegate/queue';
import { channelAdapters } from '@tidegate/upstream';
import { fastify } from 'fastify';
import { variables } from './config.ts';
import { makeConnector } from './connector.ts';
import { makeDeliver } from './deliver.ts';
import { keepDispatching } from './keep-dispatching.ts';
import { makeMetrics } from './metrics.ts';
import { queuesOf, runQueues } from './run-queues.ts';
import { addStuckPayoutsGauge } from './stuck-payouts-gauge.ts';

const settings = environmentOrExit(variables);
const log = makeLog('worker', settings.LOG_LEVEL);
const blocking = connectRedis(settings.REDIS_URL, 'worker', log);
const producing = connectRedis(settings.REDIS_URL, 'producer', log);
const queues = new Map(queueNames.map((name) => [name, openQueue(name, producing)]));
const metrics = makeMetrics(queues);
const nudger = openNudge({ redisUrl: settings.REDIS_URL, log });
const domain = await openDomain({
  databaseUrl: settings.DATABASE_URL,
  secret: settings.TIDEGATE_SECRET,
  adapters: channelAdapters,
  publicBaseUrl: settings.PUBLIC_BASE_URL,
  scheduleScale: settings.TIDEGATE_SCHEDULE_SCALE,
  notifyAllowCidrs: settings.NOTIFY_ALLOW_CIDRS,
  connections: 20,
  nudge: nudger.nudge,
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
const connector = makeConnector();
const served = queuesOf(process.argv.slice(2));
const running = runQueues({
  queues: served,
  connection: blocking,
  context: {
    domain,
    deliver: makeDeliver(domain, connector),
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

const server = fastify({ logger: false });
addHealthRoutes(server, { database: () => domain.ready(), redis: () => producing.ping() }, log);
addMetricsRoute(server, metrics.registry);
addStuckPayoutsGauge(metrics.registry, () => countStuckPayouts(domain));
drainOnSignal(
  [
    async () => dispatching?.stop(),
    () => running.drain(),
    () => server.close(),
    () => domain.close(),
    () => nudger.close(),
    () => connector.close(),
    async () => {
      producing.disconnect();
      blocking.disconnect();
    },
  ],
  log,
);
await server.listen({ port: settings.PORT, host: settings.HOST });
log.info({ port: settings.PORT, queues: served }, 'working');

function queueOf(name: QueueName) {
  return queues.get(name) ?? openQueue(name, producing);
}
