import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Registry } from 'prom-client';

/** `GET /metrics` for Prometheus: the figures of the process, and requests by method, route and status. */
export function addMetrics(server: FastifyInstance): void {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: 'tidegate_api_requests_total',
    help: 'Requests answered, by method, route and HTTP status',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  });
  server.addHook('onResponse', async (request, reply) => {
    // The pattern, never the path: strangers must not make up label values.
    requests.inc({ method: request.method, route: request.routeOptions.url ?? 'none', status: reply.statusCode });
  });
  server.get('/metrics', async (_request, reply) => reply.type(registry.contentType).send(await registry.metrics()));
}
