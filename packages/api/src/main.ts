import { domainMetrics, drainOnSignal, makeLog, openDomainOrExit, openMetrics, openTracing } from '@tidegate/process';
import {
  askRedis,
  connectRedis,
  openAnnouncer,
  openCallLimiter,
  openChannelOutcomes,
  openWakeUps,
  readEviction,
} from '@tidegate/queue';
import { apiSettings, drainNoticeMs, settingsOrExit } from '@tidegate/settings';
import { openStatementThreads, previewCost } from '@tidegate/statements/threads';
import { adaptersFor } from '@tidegate/upstream';
import { startWiping } from './approval/wipe-secrets.ts';
import { openBoardQueues } from './board/open-board-queues.ts';
import { consoleOf, graphiqlTokensOf, hasOpenSchema, oidcOf } from './config.ts';
import { validateFirst } from './execution/validate-first.ts';
import { readPersistedOperations } from './graphql/persisted-operations.ts';
import { openLive } from './live/open-live.ts';
import { createServer } from './server.ts';
import { openOidc } from './sign-in/oidc.ts';

const settings = settingsOrExit(apiSettings);
const tracing = await openTracing('api', settings);
const log = makeLog('api', settings.LOG_LEVEL, { tracing });
const metrics = openMetrics('api');
const { observer, watch } = domainMetrics(metrics);
const redis = connectRedis(settings.REDIS_URL, 'commands', log, observer);
metrics.gauge('tidegate_redis_evicts', () => readEviction(redis));
const wakeUps = openWakeUps({ redisUrl: settings.REDIS_URL, log });
const announcer = openAnnouncer({ redisUrl: settings.REDIS_URL, log });
const limiter = openCallLimiter(redis, observer);
const statements = openStatementThreads(previewCost);
const domain = await openDomainOrExit(
  settings,
  { process: 'api' },
  {
    callTurns: limiter,
    adapters: adaptersFor({
      environment: settings.TIDEGATE_ENV,
      allowCidrs: settings.CHANNEL_ALLOW_CIDRS,
      limiter,
    }),
    ...(settings.TIDEGATE_APPROVAL_LIMIT !== undefined && { approvalLimit: settings.TIDEGATE_APPROVAL_LIMIT }),
    ...(settings.TIDEGATE_APPROVAL_SIGN_IN !== undefined && { approvalSignIn: settings.TIDEGATE_APPROVAL_SIGN_IN }),
    statementFormats: statements.formats,
    channelOutcomes: openChannelOutcomes(redis),
    wakeUp: wakeUps.wakeUp,
    announce: announcer.announce,
    observer,
    tracer: tracing.tracer,
    log,
  },
);
watch(domain);
const wiping = startWiping(domain, log);
const live = openLive({ domain, redisUrl: settings.REDIS_URL, log, observer });
const queues = openBoardQueues({ redisUrl: settings.REDIS_URL, log });
const oidc = oidcOf(settings);
const operationsFile = settings.PERSISTED_OPERATIONS_FILE;
const console = consoleOf(settings);
const ending = new AbortController();
const server = createServer({
  domain,
  live,
  log,
  metrics,
  board: { queues, secure: settings.TIDEGATE_ENV === 'production' },
  console,
  trustedProxies: settings.TRUSTED_PROXIES,
  tracing,
  openSchema: hasOpenSchema(settings),
  environment: settings.TIDEGATE_ENV,
  graphiqlTokens: graphiqlTokensOf(settings),
  ...(operationsFile !== undefined && { persistedOperations: readPersistedOperations(operationsFile) }),
  ...(oidc && { operatorOfJwt: openOidc(oidc) }),
  dependencies: { database: () => domain.ready(), redis: () => askRedis(redis) },
  ending: ending.signal,
});
validateFirst(console.files.operations().values());
const address = await server.listen({ port: settings.PORT, host: settings.HOST });
drainOnSignal({
  ending,
  log,
  noticeMs: drainNoticeMs(settings),
  steps: {
    requests: () => server.close(),
    live: () => live.close(),
    board: () => queues.close(),
    wiping: () => wiping.stop(),
    statements: () => statements.close(),
    domain: () => domain.close(),
    wakeUps: () => wakeUps.close(),
    announcements: () => announcer.close(),
    redis: () => redis.disconnect(),
    traces: () => tracing.close(),
  },
});
log.info({ address, environment: settings.TIDEGATE_ENV }, 'listening');
