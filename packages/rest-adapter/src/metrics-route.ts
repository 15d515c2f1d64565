import { restingReader } from '@tidegate/process';
import type { FastifyInstance } from 'fastify';
import type { RestMetrics } from './request/metrics.ts';
import { addRoute } from './request/routes.ts';

/** `/metrics`, in the text format of Prometheus, without data of merchants. */
export function addMetricsRoute(server: FastifyInstance, metrics: RestMetrics): void {
  const read = restingReader(metrics.read);
  addRoute(server, ['GET', 'HEAD'], '/metrics', async (request, reply) => {
    const { contentType, text } = await read();
    return reply.header('x-request-id', request.id).type(contentType).send(text);
  });
}
