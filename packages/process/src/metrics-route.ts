import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, type Registry } from 'prom-client';

/** `GET /metrics` for Prometheus: what is registered, and the figures of the process. */
export function addMetricsRoute(server: FastifyInstance, registry: Registry): void {
  collectDefaultMetrics({ register: registry });
  server.get('/metrics', async (_request, reply) => reply.type(registry.contentType).send(await registry.metrics()));
}
