import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Log } from '@tidegate/domain';
import type { RequestSpan, Tracing } from '@tidegate/process';
import type { FastifyInstance } from 'fastify';
import type { RestMetrics } from './metrics.ts';

/** Receivers of a request's log line, metrics and trace. */
export interface FollowingParts {
  log: Log;
  metrics: RestMetrics;
  tracing: Tracing;
}

/** The recorded facts of an answered request. Nothing else of it is logged. */
export interface RequestTrace {
  startedAt: number;
  /** The envelope's code, or the HTTP status of an answer without an envelope. */
  code?: number;
  /** Merchant number as claimed, before the signature was verified. */
  merchantNo?: string;
  /** The country of the merchant whose signature was verified. */
  country?: string;
  orderNo?: string;
  /** Null without tracing. */
  span: RequestSpan | null;
}

declare module 'fastify' {
  interface FastifyRequest {
    trace: RequestTrace | null;
  }
}

const REQUEST_ID_PATTERN = /^[A-Za-z0-9_-]{8,64}$/;

/** The caller's own X-Request-Id if it is harmless, else a new one. */
export function requestIdOf(request: IncomingMessage): string {
  const header = request.headers['x-request-id'];
  return typeof header === 'string' && REQUEST_ID_PATTERN.test(header) ? header : randomUUID();
}

/** Requests that can begin a trace: signed ones, and callbacks of channels. */
const tracedRoutes = /^\/(api|upstream)\//;

/** Records each request after its answer: one log line and one observation, and a span if tracing is enabled. */
export function traceRequests(server: FastifyInstance, { log, metrics, tracing }: FollowingParts): void {
  server.decorateRequest('trace', null);
  server.addHook('onRequest', (request, _reply, next) => {
    const { method, routeOptions, id } = request;
    const { url = '' } = routeOptions;
    const span = tracedRoutes.test(url)
      ? tracing.begin(`${method} ${url}`, {
          'http.request.method': method,
          'http.route': url,
          'tidegate.request_id': id,
        })
      : null;
    request.trace = { startedAt: performance.now(), span };
    if (span) span.run(next);
    else next();
  });
  server.addHook('onResponse', (request, reply, next) => {
    const {
      startedAt,
      code = reply.statusCode,
      merchantNo,
      country,
      orderNo,
      span,
    } = request.trace ?? { startedAt: performance.now(), span: null };
    const ms = Math.round((performance.now() - startedAt) * 10) / 10;
    const route = request.routeOptions.url ?? 'none';
    metrics.request({ method: request.method, route, code, country, seconds: ms / 1000 });
    const traced = span && { traceId: span.traceId };
    log.info(
      { requestId: request.id, method: request.method, route, code, ms, merchantNo, orderNo, ...traced },
      'request',
    );
    const order = orderNo !== undefined && { 'tidegate.order_no': orderNo };
    const http = reply.statusCode;
    span?.end({ 'http.response.status_code': http, 'tidegate.code': code, ...order }, http >= 500);
    next();
  });
}
