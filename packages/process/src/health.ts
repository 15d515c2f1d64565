import type { Log } from '@tidegate/domain';
import { NotReady } from '@tidegate/domain/not-ready';
import type { FastifyInstance } from 'fastify';

const withinMs = 1_000;

/** Checks of the services that this process needs. Each resolves if the service is available, and rejects if not. */
export type Dependencies = Readonly<Record<string, () => Promise<unknown>>>;

/**
 * `GET /healthz` answers 200 while the process runs. `GET /readyz` answers 200 if each dependency answers within a
 * second, otherwise 503, which says why. After `ending` it always answers 503, so that load balancers send no new requests.
 */
export function addHealthRoutes(
  server: FastifyInstance,
  dependencies: Dependencies,
  log: Log,
  ending?: AbortSignal,
): void {
  server.get('/healthz', () => ({ status: 'ok' }));
  server.get('/readyz', async (_request, reply) => {
    if (ending?.aborted) return reply.code(503).send({ status: 'ending', checks: {} });
    const checks = await Promise.all(
      Object.entries(dependencies).map(async ([name, check]) => [name, await stateOf(name, check, log)] as const),
    );
    const ready = checks.every(([, state]) => state === 'ok');
    return reply
      .code(ready ? 200 : 503)
      .send({ status: ready ? 'ok' : 'unavailable', checks: Object.fromEntries(checks) });
  });
}

/** `ok`, `unavailable`, or why the dependency must not be used as it is. */
async function stateOf(name: string, check: () => Promise<unknown>, log: Log): Promise<string> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`no answer within ${withinMs} ms`)), withinMs);
  try {
    await Promise.race([check(), late.promise]);
    return 'ok';
  } catch (error) {
    if (error instanceof NotReady) return error.message;
    log.warn({ err: error }, `${name} is unavailable`);
    return 'unavailable';
  } finally {
    clearTimeout(timer);
  }
}
