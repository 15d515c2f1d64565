import type { FastifyInstance } from 'fastify';
import type { Metrics } from './open-metrics.ts';
import { restingReader } from './resting-reader.ts';

/** `GET /metrics` for Prometheus. */
export function addMetricsRoute(server: FastifyInstance, metrics: Metrics): void {
  const read = restingReader(metrics.read);
  server.get('/metrics', async (_request, reply) => {
    const { contentType, text } = await read();
    return reply.type(contentType).send(text);
  });
}
