import { openDomain } from '@tidegate/domain';
import { drainOnSignal, environmentOrExit, makeLog } from '@tidegate/process';
import { askRedis, connectRedis, openNudge } from '@tidegate/queue';
import { channelAdapters } from '@tidegate/upstream';
import { variables } from './config.ts';
import { readPersistedOperations } from './persisted-operations.ts';
import { createServer } from './server.ts';

const settings = environmentOrExit(variables);
const log = makeLog('api', settings.LOG_LEVEL);
const redis = connectRedis(settings.REDIS_URL, 'commands', log);
const nudger = openNudge({ redisUrl: settings.REDIS_URL, log });
const domain = await openDomain({
  databaseUrl: settings.DATABASE_URL,
  secret: settings.TIDEGATE_SECRET,
  adapters: channelAdapters,
  publicBaseUrl: settings.PUBLIC_BASE_URL,
  scheduleScale: settings.TIDEGATE_SCHEDULE_SCALE,
  notifyAllowCidrs: settings.NOTIFY_ALLOW_CIDRS,
  nudge: nudger.nudge,
  log,
});
const operationsFile = settings.PERSISTED_OPERATIONS_FILE;
const server = createServer({
  domain,
  log,
  environment: settings.TIDEGATE_ENV,
  ...(operationsFile !== undefined && { persistedOperations: readPersistedOperations(operationsFile) }),
  dependencies: { database: () => domain.ready(), redis: () => askRedis(redis) },
});
drainOnSignal([() => server.close(), () => domain.close(), () => nudger.close(), async () => redis.disconnect()], log);
const address = await server.listen({ port: settings.PORT, host: settings.HOST });
log.info({ address, environment: settings.TIDEGATE_ENV }, 'listening');
