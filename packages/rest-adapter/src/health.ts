import { NotReady } from '@tidegate/domain';
import { askRedis, type RedisConnection } from '@tidegate/queue';
import type { FastifyInstance } from 'fastify';
import { refuse, sendAnswer } from './request/envelope.ts';
import type { RestDomain } from './request/rest-domain.ts';
import { addRoute } from './request/routes.ts';

const READY_WITHIN_MS = 1_000;

/**
 * `/healthz`: the process runs. `/readyz`: the database and Redis answer, each within a second. Otherwise 50300 names
 * the missing one and what to change there, or says that the process is shutting down.
 */
export function addHealthRoutes(
  server: FastifyInstance,
  domain: RestDomain,
  redis: RedisConnection,
  ending?: AbortSignal,
): void {
  addRoute(server, ['GET', 'HEAD'], '/healthz', (request, reply) =>
    sendAnswer(request, reply, { ok: true, data: { status: 'ok' } }),
  );
  addRoute(server, ['GET', 'HEAD'], '/readyz', async (request, reply) => {
    if (ending?.aborted) return sendAnswer(request, reply, refuse('service_unavailable', { detail: 'ending' }));
    const checks = { database: domain.ready(), redis: askRedis(redis) };
    const states = await Promise.all(Object.values(checks).map(stateInTime));
    const away = Object.keys(checks).flatMap((name, i) => {
      const state = states[i];
      if (state === 'ok') return [];
      return [state === 'unavailable' ? name : `${name}: ${state}`];
    });
    if (away.length > 0) return sendAnswer(request, reply, refuse('service_unavailable', { detail: away.join(', ') }));
    return sendAnswer(request, reply, { ok: true, data: { status: 'ready' } });
  });
}

/** `ok`, `unavailable`, or why the dependency must not be used as it is. */
async function stateInTime(check: Promise<unknown>): Promise<string> {
  const { promise: late, resolve } = Promise.withResolvers<string>();
  const timer = setTimeout(resolve, READY_WITHIN_MS, 'unavailable');
  const answered = check.then(
    () => 'ok',
    (error: unknown) => (error instanceof NotReady ? error.message : 'unavailable'),
  );
  return Promise.race([answered, late]).finally(() => clearTimeout(timer));
}
