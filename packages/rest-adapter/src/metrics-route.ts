import type { FastifyInstance } from 'fastify';
import type { RestMetrics } from './metrics.ts';
import { addRoute } from './routes.ts';

/** `/metrics`, in the text format of Prometheus, without data of merchants. */
export function addMetricsRoute(server: FastifyInstance, metrics: RestMetrics): void {
  addRoute(server, ['GET', 'HEAD'], '/metrics', async (request, reply) => {
    const { contentType, text } = await metrics.read();
    return reply.header('x-request-id', request.id).type(contentType).send(text);
  });
}
