import { addMetricsRoute } from '@tidegate/process';
import type { FastifyInstance } from 'fastify';
import { Counter, Gauge, Registry } from 'prom-client';

/** `GET /metrics`: requests by method, route and status, open streams, and the figures of the process. */
export function addMetrics(server: FastifyInstance, countStreams: () => number): void {
  const registry = new Registry();
  const requests = new Counter({
    name: 'tidegate_api_requests_total',
    help: 'Requests answered, by method, route and HTTP status',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  });
  new Gauge({
    name: 'tidegate_api_streams',
    help: 'Subscriptions that are open',
    registers: [registry],
    collect() {
      this.set(countStreams());
    },
  });
  server.addHook('onResponse', async (request, reply) => {
    // The pattern, never the path: strangers must not make up label values.
    requests.inc({ method: request.method, route: request.routeOptions.url ?? 'none', status: reply.statusCode });
  });
  addMetricsRoute(server, registry);
}
