import { randomUUID } from 'node:crypto';
import type { Domain, Log } from '@tidegate/domain';
import { addHealthRoutes, type Dependencies } from '@tidegate/process';
import Fastify, { type FastifyInstance } from 'fastify';
import { answer, answerBrokenHttp, answerErrors } from './answer-errors.ts';
import { addGraphqlRoute } from './graphql-route.ts';
import { addMetrics } from './metrics.ts';
import type { PersistedOperations } from './persisted-operations.ts';
import { serveGraphql } from './serve-graphql.ts';

export interface ServerOptions {
  domain: Domain;
  log: Log;
  environment: 'sandbox' | 'production';
  /** The only operations that are answered; default: any. */
  persistedOperations?: PersistedOperations;
  /** What `/readyz` asks. */
  dependencies: Dependencies;
}

const bodyLimitBytes = 128 * 1024;
const requestTimeoutMs = 10_000;

/** The HTTP server: `POST /graphql`, health and figures; in the sandbox GraphiQL at `GET /graphql`. Does not listen yet. */
export function createServer(options: ServerOptions): FastifyInstance {
  const { domain, log, environment, dependencies, persistedOperations } = options;
  const server = Fastify({
    logger: false,
    bodyLimit: bodyLimitBytes,
    requestTimeout: requestTimeoutMs,
    genReqId: () => randomUUID(),
    // While closing, what comes on an open connection is still answered, and the connection then ends.
    return503OnClosing: false,
    frameworkErrors: (_error, request, reply) => void answer(reply, request, 400),
    clientErrorHandler: answerBrokenHttp,
  });
  server.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'X-Request-Id': request.id, 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store' });
  });
  server.addHook('onResponse', async (request, reply) => {
    const { method, id: requestId, routeOptions } = request;
    log.debug(
      { requestId, method, route: routeOptions.url, status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
      'answered',
    );
  });
  answerErrors(server, log);
  addMetrics(server);
  addHealthRoutes(server, dependencies, log);
  const openSchema = environment === 'sandbox';
  addGraphqlRoute(
    server,
    serveGraphql({ domain, log, openSchema, ...(persistedOperations && { persistedOperations }) }),
    openSchema,
  );
  return server;
}
