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
import { answer, answerBrokenHttp, answerErrors } from './answer-errors.ts';
import { authenticateOperators } from './authenticate.ts';
import { addBoard } from './board/board-routes.ts';
import type { BoardQueues } from './board/open-board-queues.ts';
import { followRequests } from './follow-requests.ts';
import type { GraphiqlTokens } from './graphiql.ts';
import { type AnswerLimits, addGraphqlRoute } from './graphql-route.ts';
import type { Live } from './live/open-live.ts';
import { addMetrics, countErrors } from './metrics.ts';
import type { OperatorOfJwt } from './oidc.ts';
import type { PersistedOperations } from './persisted-operations.ts';
import { addRedeemRoute } from './redeem-route.ts';
import { serveGraphql } from './serve-graphql.ts';

export interface ServerOptions {
  domain: Domain;
  live: Live;
  log: Log;
  metrics: Metrics;
  /** Default: nothing is traced. */
  tracing?: Tracing;
  /** Whether the schema may be asked for, and browsers get GraphiQL. */
  openSchema: boolean;
  /** The only operations that are answered; default: any. */
  persistedOperations?: PersistedOperations;
  /** For tokens of an identity provider; default: only tokens of ours are taken. */
  operatorOfJwt?: OperatorOfJwt;
  /** What `/readyz` asks. */
  dependencies: Dependencies;
  /** What GraphiQL is opened with; default: nothing. */
  graphiqlTokens?: GraphiqlTokens | undefined;
  /** The board of queues, and whether browsers reach it by TLS; default: there is none. */
  board?: { queues: BoardQueues; secure: boolean };
  /** How long requests may take to arrive. */
  http?: HttpLimits;
  /** How long answers may take. */
  limits?: AnswerLimits;
  /** Up to how many rows `totalCount` is exact. Default 10,000. */
  mostCounted?: number;
  /** Aborted when the process begins to end: it is no longer ready, and answers close their connections. */
  ending?: AbortSignal;
}

/** A document of 16 KiB, escaped, with variables. */
const bodyLimitBytes = 64 * 1024;
const mostLookupMs = 5_000;
/** For what is being answered when the server ends; with the rest of an end it stays below 25 s. */
const finishWithinMs = 15_000;

/** The HTTP server: `POST /graphql`, health and figures; with an open schema GraphiQL at `GET /graphql`. Does not listen yet. */
export function createServer(options: ServerOptions): FastifyInstance {
  const { domain, live, log, metrics, openSchema, dependencies, persistedOperations, operatorOfJwt } = options;
  const server = Fastify({
    logger: false,
    bodyLimit: bodyLimitBytes,
    ...httpLimits(options.http),
    genReqId: () => randomUUID(),
    // While closing, what comes on an open connection is still answered, and the connection then ends.
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
  // Streams go on for ever, so that the server would wait for them.
  server.addHook('preClose', async () => live.feed.endAll());
  addHealthRoutes(server, dependencies, log, options.ending);
  const countError = countErrors(metrics);
  const handle = serveGraphql({
    ...{ domain, live, log, openSchema, countError },
    ...(persistedOperations && { persistedOperations }),
    ...(operatorOfJwt && { operatorOfJwt }),
    ...(options.mostCounted !== undefined && { mostCounted: options.mostCounted }),
  });
  const lookup = { domain, ...(operatorOfJwt && { operatorOfJwt }) };
  const lookupMs = Math.min(mostLookupMs, options.limits?.executionMs ?? mostLookupMs);
  const authenticate = authenticateOperators({ lookup, log, countError, bodyLimitBytes, lookupMs });
  addGraphqlRoute(
    server,
    { authenticate, handle },
    {
      ...{ withGraphiql: openSchema, graphiqlTokens: options.graphiqlTokens },
      ...options.limits,
    },
  );
  addRedeemRoute(server, { domain, log });
  if (options.board) {
    const { queues, secure } = options.board;
    addBoard(server, { lookup, board: queues, secure, log });
  }
  return server;
}
