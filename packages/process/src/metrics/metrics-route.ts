import type { FastifyInstance } from 'fastify';
import type { Metrics } from './open-metrics.ts';

/** `GET /metrics` for Prometheus. */
export function addMetricsRoute(server: FastifyInstance, metrics: Metrics): void {
  server.get('/metrics', async (_request, reply) => {
    const { contentType, text } = await metrics.read();
    return reply.type(contentType).send(text);
  });
}
