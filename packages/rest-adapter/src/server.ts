import type { Log } from '@tidegate/domain';
import {
  type Attempts,
  closeConnectionsAtEnd,
  httpLimits,
  noTracing,
  openAttempts,
  type Tracing,
} from '@tidegate/process';
import type { RedisConnection } from '@tidegate/queue';
import Fastify, { type FastifyInstance } from 'fastify';
import { type LiveStatus, openLiveStatus } from './checkout/live-status.ts';
import { addCheckoutRoutes, isCheckout, sendNotFound } from './checkout/route.ts';
import { addDocsRoutes } from './docs/route.ts';
import { addHealthRoutes } from './health.ts';
import { addMetricsRoute } from './metrics-route.ts';
import { openAdmission } from './request/admission.ts';
import { answerBrokenRequests } from './request/broken-requests.ts';
import { answerErrors } from './request/crashes.ts';
import type { RestMetrics } from './request/metrics.ts';
import { requestIdOf, traceRequests } from './request/request-trace.ts';
import type { RestDomain } from './request/rest-domain.ts';
import { acceptEveryMethod } from './request/routes.ts';
import { prepareDecoy } from './request/verify-signature.ts';
import { addServiceKeyRoutes } from './service-keys.ts';
import { addSignedRoute } from './signed-route.ts';
import { addUpstreamCallbackRoute } from './upstream-callback.ts';
import { endpoints } from './v1/endpoints.ts';
import { watchRedis } from './watch-redis.ts';

export interface ServerParts {
  domain: RestDomain;
  /** Commands on this connection fail within a second when Redis does not answer, and are never sent twice. */
  redis: RedisConnection;
  log: Log;
  metrics: RestMetrics;
  /** Default: no tracing. */
  tracing?: Tracing;
  environment: 'sandbox' | 'production';
  trustedProxies: number;
  /** The merchants' URL of the service, shown in the guides. */
  publicBaseUrl: string;
  /** The URL of the sandbox's demo receiver, shown in the guides. */
  sandboxReceiverUrl?: string | undefined;
  /**
   * The sandbox upstream, for the payer's buttons on the checkout page. Without it, and always in production, there are
   * none.
   */
  sandboxUpstreamUrl?: string | undefined;
  /** The live status of checkout pages. Default: one without changes. */
  live?: LiveStatus;
  /** Unix milliseconds; default: this machine's. */
  clock?: () => number;
  /** Aborted at shutdown: the process is no longer ready, and answers close their connections. */
  ending?: AbortSignal;
  /** The budgets of failed signatures. Tests replace them. */
  attempts?: Attempts;
  /** Time limit for a whole request to arrive, in milliseconds. Default 10,000. */
  requestTimeoutMs?: number;
}

/** The time for open requests at shutdown: longer than the longest payin create (decisions 5.3). */
const FINISH_WITHIN_MS = 12_000;

/**
 * What failed signatures may cost: HTTP and the answer take about 0.1 ms each. All sources together may take a quarter of
 * the process's time before large bodies wait.
 */
const costOfFailures = { failureMs: 0.1, ofAll: { burstMs: 500, perSecondMs: 250 } };

/** The whole REST adapter. It does not listen yet. */
export function buildServer(parts: ServerParts): FastifyInstance {
  const { domain, redis, log, metrics, clock = Date.now, requestTimeoutMs = 10_000, live = openLiveStatus() } = parts;
  const { tracing = noTracing } = parts;
  const broken = answerBrokenRequests(log, metrics);
  const server = Fastify({
    genReqId: requestIdOf,
    // Node would refuse a request without Host, and without an envelope.
    ...httpLimits({ requestMs: requestTimeoutMs, requireHost: false }),
    exposeHeadRoutes: false,
    return503OnClosing: false,
    // Signed queries are read from the raw text. No other code reads queries.
    routerOptions: { querystringParser: () => ({}) },
    clientErrorHandler: broken.onClientError,
    frameworkErrors: (error, request, reply) => {
      if (isCheckout(request)) sendNotFound(request, reply);
      else answerErrors.unreadableUrl(error, request, reply);
    },
  });
  acceptEveryMethod(server);
  traceRequests(server, { log, metrics, tracing });
  broken.watch(server);
  closeConnectionsAtEnd(server, { ending: parts.ending, finishWithinMs: FINISH_WITHIN_MS });
  answerErrors.install(server, log);

  const { attempts = openAttempts({ ...costOfFailures, delayed: metrics.delayedAttempt }) } = parts;
  const gate = {
    domain,
    attempts,
    admission: openAdmission(redis, watchRedis(log, metrics)),
    environment: parts.environment,
    trustedProxies: parts.trustedProxies,
    clock,
  };
  prepareDecoy();
  for (const endpoint of endpoints) addSignedRoute(server, gate, endpoint);
  addUpstreamCallbackRoute(server, { domain, attempts, trustedProxies: parts.trustedProxies });
  const sandboxUpstreamUrl = parts.environment === 'sandbox' ? (parts.sandboxUpstreamUrl ?? null) : null;
  addCheckoutRoutes(server, { domain, live, log, clock, sandboxUpstreamUrl });
  parts.ending?.addEventListener('abort', live.endAll);
  server.addHook('preClose', async () => live.endAll());
  addServiceKeyRoutes(server, domain);
  const service = parts.publicBaseUrl.replace(/(?<!\/)\/+$/, '');
  addDocsRoutes(server, { service, receiver: parts.sandboxReceiverUrl ?? null });
  addHealthRoutes(server, domain, redis, parts.ending);
  addMetricsRoute(server, metrics);
  return server;
}
