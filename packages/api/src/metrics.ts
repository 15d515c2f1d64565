import { addMetricsRoute, type Metrics, requestMetrics } from '@tidegate/process';
import type { FastifyInstance } from 'fastify';
import { errorCodes } from './errors/errors.ts';

/** `GET /metrics`: the registered metrics, requests by method, route and status, and open streams. */
export function addMetrics(server: FastifyInstance, metrics: Metrics, countStreams: () => number): void {
  const answered = requestMetrics(metrics);
  metrics.gauge('tidegate_api_streams', () => [[{}, countStreams()]]);
  server.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions } = request;
    answered({ method, route: routeOptions.url ?? 'none', code: reply.statusCode, seconds: reply.elapsedTime / 1000 });
  });
  addMetricsRoute(server, metrics);
}

/** Counts the errors in answers, because nearly every GraphQL answer is an HTTP 200. */
export function countErrors(metrics: Metrics): (code: string) => void {
  const errors = metrics.counter('tidegate_graphql_errors_total');
  for (const code of Object.keys(errorCodes)) errors.inc({ code }, 0);
  return (code) => errors.inc({ code: code in errorCodes ? code : 'other' });
}
