import type { SandboxPorts } from './configuration.ts';
import type { DataPaths } from './data-dir.ts';
import type { SandboxEnvironment, SeededSandbox } from './sandbox-environment.ts';
import { scriptOf } from './service-scripts.ts';

/** One process of `npm start` (docs/contract/sandbox.md). */
export interface SandboxProcess {
  readonly name: keyof SandboxPorts;
  /** Shown in the list of addresses. */
  readonly title: string;
  readonly script: string;
  /** Processes of stage 1 are ready before those of stage 2 start, which need them. */
  readonly stage: 1 | 2;
  /** The process is ready when this path answers 200. Without a path, when its port accepts connections. */
  readonly readyPath?: string;
  /** Environment variables besides the common ones. */
  readonly env?: (
    environment: SandboxEnvironment,
    paths: DataPaths,
    seeded: SeededSandbox,
  ) => Readonly<Record<string, string>>;
}

const loopback = '127.0.0.0/8,::1/128';

export const SANDBOX_PROCESSES: readonly SandboxProcess[] = [
  {
    name: 'upstream',
    title: 'sandbox upstream, the channel that carries the orders',
    script: scriptOf('upstream/src/sandbox-server/main.ts'),
    stage: 1,
    env: (_, paths) => ({ STATE_FILE: paths.upstreamState }),
  },
  {
    name: 'receiver',
    title: "a demo merchant's notification receiver",
    script: scriptOf('sandbox/src/receiver/main.ts'),
    stage: 1,
    readyPath: '/healthz',
    env: ({ urls }, paths) => ({
      RECEIVER_SERVICE_KEY_URL: `${urls.rest}/.well-known/keys`,
      RECEIVED_FILE: paths.received,
    }),
  },
  {
    name: 'rest',
    title: "the merchants' REST interface",
    script: scriptOf('rest-adapter/src/main.ts'),
    stage: 2,
    readyPath: '/readyz',
    // Used by the buttons of the checkout page, and by the guides.
    env: ({ urls }) => ({ SANDBOX_UPSTREAM_URL: urls.upstream, SANDBOX_RECEIVER_URL: urls.receiver }),
  },
  {
    name: 'api',
    title: "the operators' GraphQL interface",
    script: scriptOf('api/src/main.ts'),
    stage: 2,
    readyPath: '/readyz',
    env: (_environment, _paths, seeded) => ({
      TIDEGATE_GRAPHIQL_TOKEN: seeded.adminToken,
      TIDEGATE_GRAPHIQL_APPROVER_TOKEN: seeded.approverToken,
      TIDEGATE_CONSOLE_SUPPORT_TOKEN: seeded.supportToken,
    }),
  },
  {
    name: 'worker',
    title: 'submits, polls, expires and notifies',
    script: scriptOf('worker/src/main.ts'),
    stage: 2,
    readyPath: '/readyz',
  },
];

/**
 * The environment of one process. Later sources override earlier ones: defaults, the caller's variables (without those
 * of npm and of a test run), the common variables, those of the process.
 */
export function processEnv(
  row: SandboxProcess,
  environment: SandboxEnvironment,
  paths: DataPaths,
  seeded: SeededSandbox,
): Record<string, string | undefined> {
  const ours = {
    TIDEGATE_ENV: 'sandbox',
    TIDEGATE_SECRET: environment.secret,
    TIDEGATE_SCHEDULE_SCALE: String(environment.scheduleScale),
    SANDBOX_UPSTREAM_SECRET: environment.upstreamSecret,
    DATABASE_URL: environment.databaseUrl,
    REDIS_URL: environment.redisUrl,
    HOST: '127.0.0.1',
    PORT: String(environment.ports[row.name]),
    PUBLIC_BASE_URL: environment.urls.rest,
    ...row.env?.(environment, paths, seeded),
  };
  // If a secret is set here, the caller's `_FILE` variable for it is dropped: both at once would be refused.
  const isOthers = (name: string) => name.startsWith('npm_') || name.startsWith('TIDEGATE_TEST_');
  const isInherited = (name: string) => !isOthers(name) && !(name.replace(/_FILE$/, '') in ours);
  return {
    LOG_LEVEL: 'info',
    NOTIFY_ALLOW_CIDRS: loopback,
    CHANNEL_ALLOW_CIDRS: loopback,
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => isInherited(name))),
    ...ours,
  };
}
