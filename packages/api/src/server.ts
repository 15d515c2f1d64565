import { randomUUID } from 'node:crypto';
import type { Domain, Log } from '@tidegate/domain';
import { addHealthRoutes, type Dependencies } from '@tidegate/process';
import Fastify, { type FastifyInstance } from 'fastify';
import { answer, answerBrokenHttp, answerErrors } from './answer-errors.ts';
import { renderGraphiqlPage } from './graphiql.ts';
import { addMetrics } from './metrics.ts';
import { type GraphqlHandler, serveGraphql } from './serve-graphql.ts';

export interface ServerOptions {
  domain: Domain;
  log: Log;
  environment: 'sandbox' | 'production';
  /** What `/readyz` asks. */
  dependencies: Dependencies;
}

const bodyLimitBytes = 128 * 1024;
const requestTimeoutMs = 10_000;
const executionTimeoutMs = 30_000;

/** The HTTP server: `POST /graphql`, health and figures; in the sandbox GraphiQL at `GET /graphql`. Does not listen yet. */
export function createServer({ domain, log, environment, dependencies }: ServerOptions): FastifyInstance {
  const server = Fastify({
    logger: false,
    bodyLimit: bodyLimitBytes,
    requestTimeout: requestTimeoutMs,
    handlerTimeout: executionTimeoutMs,
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
  addGraphqlRoute(server, serveGraphql({ domain, log, openSchema }), openSchema);
  return server;
}

function addGraphqlRoute(server: FastifyInstance, handle: GraphqlHandler, withGraphiql: boolean): void {
  // JSON alone: a form of another site can send no such request without asking first, and gets no leave.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  server.post('/graphql', async (request, reply) => {
    if (typeof request.body !== 'string') return answer(reply, request, 415);
    const { accept, authorization } = request.headers;
    const response = await handle(request.body, accept, { requestId: request.id, authorization });
    // No others: what yoga thinks is allowed, say, is not what this server allows.
    for (const name of ['content-type', 'retry-after']) {
      const value = response.headers.get(name);
      if (value !== null) reply.header(name, value);
    }
    return reply.code(response.status).send(await response.text());
  });
  server.route({
    method: ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    url: '/graphql',
    handler: async (request, reply) => {
      const isBrowser = request.method === 'GET' && request.headers.accept?.includes('text/html');
      if (withGraphiql && isBrowser) return reply.type('text/html; charset=utf-8').send(await renderGraphiqlPage());
      return answer(reply.header('Allow', 'POST'), request, 405);
    },
  });
}
