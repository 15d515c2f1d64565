import type { Log } from '@tidegate/domain';
import {
  addHealthRoutes,
  addMetricsRoute,
  closeConnectionsAtEnd,
  type Dependencies,
  httpLimits,
  type Metrics,
} from '@tidegate/process';
import fastify, { type FastifyInstance } from 'fastify';

export interface ServerParts {
  dependencies: Dependencies;
  metrics: Metrics;
  log: Log;
  /** Aborted at shutdown. */
  ending: AbortSignal;
}

/** Health and metrics of the worker. It does not listen yet. */
export function buildServer({ dependencies, metrics, log, ending }: ServerParts): FastifyInstance {
  const server = fastify({ logger: false, ...httpLimits() });
  closeConnectionsAtEnd(server, { ending, finishWithinMs: 1_000 });
  addHealthRoutes(server, dependencies, log, ending);
  addMetricsRoute(server, metrics);
  return server;
}
