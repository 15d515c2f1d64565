import type { Log } from '@tidegate/domain';
import type { RequestSpan, Tracing } from '@tidegate/process';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** The span of a traced request; null for all others. */
    span: RequestSpan | null;
  }
}

/**
 * Logs one line for each request after its answer, with its id and the pattern of its route only. If tracing is
 * enabled, adds a span for GraphQL requests.
 */
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
    // Frequent requests of Prometheus and load balancers are not logged.
    if (routeOptions.url === '/graphql') log.info(line, 'answered');
    else log.debug(line, 'answered');
    span?.end({ 'http.response.status_code': status }, status >= 500);
    next();
  });
}
