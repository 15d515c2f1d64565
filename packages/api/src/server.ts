import { randomUUID } from 'node:crypto';
import type { Domain, Log } from '@tidegate/domain';
import {
  addHealthRoutes,
  closeConnectionsAtEnd,
  type Dependencies,
  type HttpLimits,
  httpLimits,
  type Metrics,
  noTracing,
  type Tracing,
} from '@tidegate/process';
import Fastify, { type FastifyInstance } from 'fastify';
import { addBoard } from './board/board-routes.ts';
import type { BoardQueues } from './board/open-board-queues.ts';
import { authenticateOperators } from './console/authenticate.ts';
import type { ConsoleOptions } from './console/console-options.ts';
import { addConsole } from './console/console-routes.ts';
import { openConsoleSessions } from './console/console-sessions.ts';
import { followRequests } from './execution/follow-requests.ts';
import type { GraphiqlTokens } from './execution/graphiql.ts';
import { type AnswerLimits, addGraphqlRoute } from './execution/graphql-route.ts';
import { serveGraphql } from './execution/serve-graphql.ts';
import { addExportRoute } from './export/export-route.ts';
import { answer, answerBrokenHttp, answerErrors } from './graphql/answer-errors.ts';
import type { Environment, OperatorOfJwt } from './graphql/context.ts';
import type { PersistedOperations } from './graphql/persisted-operations.ts';
import type { Live } from './live/open-live.ts';
import { addMetrics, countErrors } from './metrics.ts';
import { addStatementRoute } from './reconciliation/statement-route.ts';
import { addSettlementFileRoute } from './settlement/settlement-file-route.ts';
import { addRedeemRoute } from './sign-in/redeem-route.ts';
import { openSignInAttempts } from './sign-in/sign-in-attempts.ts';
import { openDownloadSlots } from './transfer/transfer-slots.ts';
import { addFileRoutes } from './work/file-routes.ts';

export interface ServerOptions {
  domain: Domain;
  live: Live;
  log: Log;
  metrics: Metrics;
  /** Default: no tracing. */
  tracing?: Tracing;
  /** Whether introspection is allowed and browsers get GraphiQL. */
  openSchema: boolean;
  /** The only allowed operations; default: any. */
  persistedOperations?: PersistedOperations;
  /** For tokens of an identity provider. Default: only our own tokens are accepted. */
  operatorOfJwt?: OperatorOfJwt;
  /** The checks of `/readyz`. */
  dependencies: Dependencies;
  /** Tokens that GraphiQL starts with; default: none. */
  graphiqlTokens?: GraphiqlTokens | undefined;
  /** The board of queues, and whether browsers connect by TLS; default: no board. */
  board?: { queues: BoardQueues; secure: boolean };
  /** The operators' console; default: there is none. */
  console?: ConsoleOptions;
  /** Number of our proxies in front of this process. Default 0. */
  trustedProxies?: number;
  /** Time limits for requests to arrive. */
  http?: HttpLimits;
  /** Time limits for answers. */
  limits?: AnswerLimits;
  /** Up to how many rows `totalCount` is exact. Default 10,000. */
  maxCounted?: number;
  /** Default: production. */
  environment?: Environment;
  /** Aborted at shutdown: the process is no longer ready, and answers close their connections. */
  ending?: AbortSignal;
}

/** A document of 16 KiB, escaped, with variables. */
const bodyLimitBytes = 64 * 1024;
const maxLookupMs = 5_000;
/** The time for open requests at shutdown. Together with the other steps it stays below 25 s. */
const finishWithinMs = 15_000;

/**
 * The HTTP server: `POST /graphql`, health and metrics; with introspection also GraphiQL at `GET /graphql`. It does not
 * listen yet.
 */
export function createServer(options: ServerOptions): FastifyInstance {
  const { domain, live, log, metrics, openSchema, dependencies, persistedOperations, operatorOfJwt } = options;
  const server = Fastify({
    logger: false,
    bodyLimit: bodyLimitBytes,
    ...httpLimits(options.http),
    genReqId: () => randomUUID(),
    // At shutdown, requests on open connections are still answered, and then the connection is closed.
    return503OnClosing: false,
    frameworkErrors: (_error, request, reply) => void answer(reply, request, 400),
    clientErrorHandler: answerBrokenHttp,
  });
  server.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'X-Request-Id': request.id, 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store' });
  });
  followRequests(server, log, options.tracing ?? noTracing);
  closeConnectionsAtEnd(server, { ending: options.ending, finishWithinMs });
  answerErrors(server, log);
  addMetrics(server, metrics, () => live.feed.count());
  // Streams have no end, so the server would wait for them.
  server.addHook('preClose', async () => live.feed.endAll());
  addHealthRoutes(server, dependencies, log, options.ending);
  const countError = countErrors(metrics);
  const console = options.console && {
    options: options.console,
    origin: options.console.origin,
    sessions: openConsoleSessions({ domain, log, ...options.console }),
  };
  const handle = serveGraphql({
    domain,
    live,
    log,
    openSchema,
    countError,
    ...(persistedOperations && { persistedOperations }),
    ...(operatorOfJwt && { operatorOfJwt }),
    ...(options.maxCounted !== undefined && { maxCounted: options.maxCounted }),
    ...(console && { consoleOperations: console.options.files.operations }),
    ...(options.environment !== undefined && { environment: options.environment }),
  });
  const lookup = { domain, ...(operatorOfJwt && { operatorOfJwt }) };
  const lookupMs = Math.min(maxLookupMs, options.limits?.executionMs ?? maxLookupMs);
  const authenticate = authenticateOperators({ lookup, console, log, countError, bodyLimitBytes, lookupMs });
  addGraphqlRoute(
    server,
    { authenticate, handle },
    { withGraphiql: openSchema, graphiqlTokens: options.graphiqlTokens, ...options.limits },
  );
  const attempts = openSignInAttempts(metrics, options.trustedProxies ?? 0);
  addRedeemRoute(server, { domain, attempts, log });
  if (console) addConsole(server, { domain, attempts, log, ...console });
  const downloads = openDownloadSlots();
  addFileRoutes(server, { domain, log, authenticate, downloads });
  addStatementRoute(server, { domain, log, authenticate });
  addExportRoute(server, { domain, log, authenticate, downloads });
  addSettlementFileRoute(server, { domain, log, authenticate, downloads });
  if (options.board) {
    const { queues, secure } = options.board;
    addBoard(server, { lookup, attempts, board: queues, secure, log });
  }
  return server;
}
