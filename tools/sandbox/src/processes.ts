import { keysOf, type ProcessKind, readKeys, writeKeys } from '@tidegate/domain/admin';
import type { RedisUser } from '@tidegate/queue/redis-users';
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
  /** The kind of process in the table of keys. Without it the process gets no key. */
  readonly keys?: ProcessKind;
  /** The process is ready when this path answers 200. Without a path, when its port accepts connections. */
  readonly readyPath?: string;
  /** The user that it is in Redis, if it uses Redis. */
  readonly redisUser?: RedisUser;
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
    script: scriptOf('packages/upstream/src/sandbox-server/main.ts'),
    stage: 1,
    env: (_, paths) => ({ STATE_FILE: paths.upstreamState }),
  },
  {
    name: 'receiver',
    title: "a demo merchant's notification receiver",
    script: scriptOf('tools/sandbox/src/receiver/main.ts'),
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
    script: scriptOf('packages/rest-adapter/src/main.ts'),
    redisUser: 'rest',
    keys: 'rest',
    stage: 2,
    readyPath: '/readyz',
    // Used by the buttons of the checkout page, and by the guides.
    env: ({ urls }) => ({ SANDBOX_UPSTREAM_URL: urls.upstream, SANDBOX_RECEIVER_URL: urls.receiver }),
  },
  {
    name: 'api',
    title: "the operators' GraphQL interface",
    script: scriptOf('packages/api/src/main.ts'),
    redisUser: 'api',
    keys: 'api',
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
    script: scriptOf('packages/worker/src/main.ts'),
    redisUser: 'worker',
    keys: 'worker',
    stage: 2,
    readyPath: '/readyz',
  },
];

/** Each process of the service connects with its own database roles. */
function databaseOf({ name }: SandboxProcess, { databaseUrl, databaseRoles: roles }: SandboxEnvironment) {
  if (!roles || (name !== 'rest' && name !== 'api' && name !== 'worker')) return { DATABASE_URL: databaseUrl };
  return {
    DATABASE_URL: roles[name],
    DATABASE_LEDGER_URL: roles[`${name}_ledger`],
    ...(name === 'worker' && { DATABASE_AUDIT_URL: roles.audit }),
  };
}

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
    ...(row.keys !== undefined && { TIDEGATE_KEYS: keyFileOf(row.keys, environment.keys) }),
    TIDEGATE_SCHEDULE_SCALE: String(environment.scheduleScale),
    SANDBOX_UPSTREAM_SECRET: environment.upstreamSecret,
    ...databaseOf(row, environment),
    ...(row.redisUser !== undefined && { REDIS_URL: environment.redisUrls[row.redisUser] }),
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

/** The key file of one kind of process. */
function keyFileOf(process: ProcessKind, ring: string): string {
  return writeKeys(keysOf(process, readKeys(ring)), `Keys of Tidegate for ${process}`);
}
