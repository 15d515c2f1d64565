import { openDomain } from '@tidegate/domain';
import { drainOnSignal, environmentOrExit, makeLog } from '@tidegate/process';
import { connectRedis, openNudge } from '@tidegate/queue';
import { channelAdapters } from '@tidegate/upstream';
import { variables } from './config.ts';
import { openMetrics } from './metrics.ts';
import { restDomainOf } from './rest-domain.ts';
import { buildServer } from './server.ts';

/** A merchant that waits for the database is told so within about a second. */
const DATABASE_PATIENCE_MS = 1_000;

const settings = environmentOrExit(variables);
const log = makeLog('rest-adapter', settings.LOG_LEVEL);
const metrics = openMetrics();
const redis = connectRedis(settings.REDIS_URL, 'commands', log);
const nudger = openNudge({ redisUrl: settings.REDIS_URL, log });
const domain = await openDomain({
  databaseUrl: settings.DATABASE_URL,
  secret: settings.TIDEGATE_SECRET,
  adapters: channelAdapters,
  publicBaseUrl: settings.PUBLIC_BASE_URL,
  scheduleScale: settings.TIDEGATE_SCHEDULE_SCALE,
  notifyAllowCidrs: settings.NOTIFY_ALLOW_CIDRS,
  patienceMs: DATABASE_PATIENCE_MS,
  nudge: nudger.nudge,
  observer: metrics.observer,
  log,
});
const server = buildServer({
  domain: restDomainOf(domain),
  redis,
  log,
  metrics,
  environment: settings.TIDEGATE_ENV,
  trustedProxies: settings.TRUSTED_PROXIES,
});
drainOnSignal([() => server.close(), () => domain.close(), () => nudger.close(), async () => redis.disconnect()], log);
await server.listen({ port: settings.PORT, host: settings.HOST });
log.info({ port: settings.PORT, environment: settings.TIDEGATE_ENV }, 'listening');
