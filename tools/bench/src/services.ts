import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ProcessKind } from '@tidegate/domain/admin';
import { testKeysOf } from '@tidegate/domain/testing';
import { findFreePort, nodeService, scriptOf } from '@tidegate/sandbox';

/** The processes that are measured. `bare-route` is the reference: a process that does almost no work. */
const scripts = {
  'rest-adapter': scriptOf('packages/rest-adapter/src/main.ts'),
  api: scriptOf('packages/api/src/main.ts'),
  worker: scriptOf('packages/worker/src/main.ts'),
  'order-worker': scriptOf('packages/worker/src/main.ts'),
  'whole-worker': scriptOf('packages/worker/src/main.ts'),
  upstream: scriptOf('packages/upstream/src/sandbox-server/main.ts'),
  'bare-route': fileURLToPath(new URL('./bare-route/main.ts', import.meta.url)),
} as const;

/**
 * The worker only delivers notifications: the orders of the backlog are not in the ledger. The order worker delivers
 * none. The whole worker serves all queues.
 */
const args: Partial<Record<ServiceName, readonly string[]>> = {
  worker: ['--queues', 'notify,retry,dispatch'],
  'order-worker': ['--queues', 'submit,poll,expire,dispatch'],
};

/** The kinds of processes in the table of keys. */
const kinds: Partial<Record<ServiceName, ProcessKind>> = {
  'rest-adapter': 'rest',
  api: 'api',
  worker: 'worker',
  'order-worker': 'worker',
  'whole-worker': 'worker',
};

/** The key with which the sandbox channel and the sandbox upstream sign their messages. */
export const upstreamSecret = 'bench-upstream-secret';

export type ServiceName = keyof typeof scripts;

export interface RunningService {
  port: number;
  identity: Awaited<ReturnType<ReturnType<typeof nodeService>['start']>>['identity'];
  stop(): Promise<void>;
}

export interface ServicePlace {
  databaseUrl: string;
  redisUrl: string;
  dir: string;
  /** The port of the REST adapter that channels call back; without it the process's own port. */
  publicPort?: number | undefined;
}

/** Starts a process and waits until it is ready. BENCH_NODE_OPTIONS is passed to Node, e.g. --cpu-prof. */
export async function startService(
  name: ServiceName,
  { databaseUrl, redisUrl, dir, publicPort }: ServicePlace,
): Promise<RunningService> {
  const port = await findFreePort();
  const service = nodeService({
    name,
    script: scripts[name],
    args: args[name] ?? [],
    env: {
      PATH: process.env.PATH,
      NODE_OPTIONS: process.env.BENCH_NODE_OPTIONS,
      NODE_ENV: process.env.NODE_ENV,
      MALLOC_ARENA_MAX: process.env.MALLOC_ARENA_MAX,
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      REDIS_URL: redisUrl,
      ...(kinds[name] !== undefined && { TIDEGATE_KEYS: testKeysOf(kinds[name]) }),
      TIDEGATE_ENV: 'sandbox',
      PUBLIC_BASE_URL: `http://127.0.0.1:${publicPort ?? port}`,
      NOTIFY_ALLOW_CIDRS: '127.0.0.0/8',
      CHANNEL_ALLOW_CIDRS: '127.0.0.0/8',
      ...(name === 'upstream' && {
        SANDBOX_UPSTREAM_SECRET: upstreamSecret,
        STATE_FILE: join(dir, `upstream-${port}`),
      }),
    },
    logFile: join(dir, `${name}-${port}.log`),
    port,
    readyPath: name === 'upstream' ? '/healthz' : '/readyz',
  });
  const running = await service.start(() => undefined);
  return { port, identity: running.identity, stop: () => running.stop() };
}
