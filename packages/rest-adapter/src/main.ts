import { domainMetrics, drainOnSignal, makeLog, openDomainOrExit, openMetrics, openTracing } from '@tidegate/process';
import {
  connectRedis,
  listenToChanges,
  openAnnouncer,
  openCallLimiter,
  openChannelOutcomes,
  openWakeUps,
  readEviction,
} from '@tidegate/queue';
import { drainNoticeMs, restAdapterSettings, settingsOrExit } from '@tidegate/settings';
import { adaptersFor } from '@tidegate/upstream';
import { openLiveStatus } from './checkout/live-status.ts';
import { restMetrics } from './request/metrics.ts';
import { restDomainOf } from './request/rest-domain.ts';
import { buildServer } from './server.ts';

/** A request that waits for the database is refused after about a second. */
const DATABASE_TIMEOUT_MS = 1_000;

const settings = settingsOrExit(restAdapterSettings);
const tracing = await openTracing('rest-adapter', settings);
const log = makeLog('rest-adapter', settings.LOG_LEVEL, { tracing });
const metrics = openMetrics('rest-adapter');
const { observer, watch } = domainMetrics(metrics);
const redis = connectRedis(settings.REDIS_URL, 'commands', log, observer);
metrics.gauge('tidegate_redis_evicts', () => readEviction(redis));
const wakeUps = openWakeUps({ redisUrl: settings.REDIS_URL, log });
const announcer = openAnnouncer({ redisUrl: settings.REDIS_URL, log });
const limiter = openCallLimiter(redis, observer);
const domain = await openDomainOrExit(
  settings,
  { process: 'rest' },
  {
    callTurns: limiter,
    adapters: adaptersFor({
      environment: settings.TIDEGATE_ENV,
      allowCidrs: settings.CHANNEL_ALLOW_CIDRS,
      limiter,
    }),
    timeoutMs: DATABASE_TIMEOUT_MS,
    channelOutcomes: openChannelOutcomes(redis),
    wakeUp: wakeUps.wakeUp,
    announce: announcer.announce,
    observer,
    tracer: tracing.tracer,
    log,
  },
);
watch(domain);
const live = openLiveStatus();
const listener = listenToChanges({
  redisUrl: settings.REDIS_URL,
  log,
  observer,
  receive: live.receive,
  lost: live.lost,
});
const ending = new AbortController();
const server = buildServer({
  domain: restDomainOf(domain),
  redis,
  log,
  metrics: restMetrics(metrics),
  tracing,
  environment: settings.TIDEGATE_ENV,
  trustedProxies: settings.TRUSTED_PROXIES,
  publicBaseUrl: settings.PUBLIC_BASE_URL,
  sandboxUpstreamUrl: settings.SANDBOX_UPSTREAM_URL,
  sandboxReceiverUrl: settings.SANDBOX_RECEIVER_URL,
  live,
  ending: ending.signal,
});
await server.listen({ port: settings.PORT, host: settings.HOST });
drainOnSignal({
  ending,
  log,
  noticeMs: drainNoticeMs(settings),
  steps: {
    requests: () => server.close(),
    changes: () => listener.close(),
    domain: () => domain.close(),
    wakeUps: () => wakeUps.close(),
    announcements: () => announcer.close(),
    redis: () => redis.disconnect(),
    traces: () => tracing.close(),
  },
});
log.info({ port: settings.PORT, environment: settings.TIDEGATE_ENV }, 'listening');
