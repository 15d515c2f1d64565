export { adminSettings } from './admin.ts';
export { type ApiSettings, apiSettings } from './api.ts';
export { readDatabaseUrl } from './database-url.ts';
export { readSettings, settingsOrExit } from './read-settings.ts';
export { type RedisPlace, readRedisUrl } from './redis-url.ts';
export { restAdapterSettings } from './rest-adapter.ts';
export { portSpan, receiverSettings, sandboxSettings, sandboxUpstreamSettings } from './sandbox.ts';
export { drainNoticeMs, type EnvironmentName } from './services.ts';
export { type WorkerSettings, workerSettings } from './worker.ts';
