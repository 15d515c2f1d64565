import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Log } from '@tidegate/domain';
import type { FastifyInstance } from 'fastify';
import type { RestMetrics } from './metrics.ts';

/** What is known of a request by the time that it is answered. Nothing else of it is ever logged. */
export interface RequestTrace {
  startedAt: number;
  /** The envelope's code; the HTTP status where an answer has no envelope. */
  code?: number;
  /** As the request claims, before its signature has verified. */
  merchantNo?: string;
  /** Of the merchant whose signature verified. */
  country?: string;
  orderNo?: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    trace: RequestTrace | null;
  }
}

const REQUEST_ID_FORM = /^[A-Za-z0-9_-]{8,64}$/;

/** The caller's own X-Request-Id where it is harmless, else a new one. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID_FORM.test(given) ? given : randomUUID();
}

/** Traces every request: one line of log and one observation each, when its answer has gone out. */
export function traceRequests(server: FastifyInstance, log: Log, metrics: RestMetrics): void {
  server.decorateRequest('trace', null);
  server.addHook('onRequest', (request, _reply, next) => {
    request.trace = { startedAt: performance.now() };
    next();
  });
  server.addHook('onResponse', (request, reply, next) => {
    const {
      startedAt,
      code = reply.statusCode,
      merchantNo,
      country,
      orderNo,
    } = request.trace ?? { startedAt: performance.now() };
    const ms = Math.round((performance.now() - startedAt) * 10) / 10;
    const route = request.routeOptions.url ?? 'none';
    metrics.request({ method: request.method, route, code, country, seconds: ms / 1000 });
    log.info({ requestId: request.id, method: request.method, route, code, ms, merchantNo, orderNo }, 'request');
    next();
  });
}
