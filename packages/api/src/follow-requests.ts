import type { Log } from '@tidegate/domain';
import type { RequestSpan, Tracing } from '@tidegate/process';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** Of what is traced; null for all else. */
    span: RequestSpan | null;
  }
}

/** One line of log for every request once its answer has gone out, by its id and its route's pattern alone; and where traces are asked for a span for GraphQL. */
export function followRequests(server: FastifyInstance, log: Log, tracing: Tracing): void {
  server.decorateRequest('span', null);
  server.addHook('onRequest', (request, _reply, next) => {
    const { method, routeOptions, id } = request;
    if (routeOptions.url === '/graphql' && method === 'POST')
      request.span = tracing.begin('POST /graphql', { 'http.route': '/graphql', 'tidegate.request_id': id });
    if (request.span) request.span.run(next);
    else next();
  });
  server.addHook('onResponse', (request, reply, next) => {
    const { method, id: requestId, routeOptions, span } = request;
    const { statusCode: status } = reply;
    const traced = span && { traceId: span.traceId };
    const line = { requestId, method, route: routeOptions.url, status, ms: Math.round(reply.elapsedTime), ...traced };
    // What is asked of it every few seconds, by Prometheus and who balances load, is not worth a line.
    if (routeOptions.url === '/graphql') log.info(line, 'answered');
    else log.debug(line, 'answered');
    span?.end({ 'http.response.status_code': status }, status >= 500);
    next();
  });
}
