import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createRoles, type DatabaseRoleUrls } from '@tidegate/domain/admin';
import { type RedisUser, redisUsers, sandboxUrl } from '@tidegate/queue/redis-users';
import { portSpan } from '@tidegate/settings';
import { type Configuration, type SandboxPorts, UsageError } from './configuration.ts';
import { type DataPaths, emptyDataDir, keepSecrets, openDataDir } from './data-dir.ts';
import { lockData } from './data-lock.ts';
import { rotateLog } from './log-file.ts';
import { nodeService } from './node-service.ts';
import { isPortFree, keepPorts, LOOPBACK } from './ports.ts';
import { startPostgres } from './postgres.ts';
import { endLeftovers } from './process-record.ts';
import { processEnv, type SandboxProcess } from './processes.ts';
import { type Step, showSteps } from './progress.ts';
import { prepareFakes } from './provider-fakes.ts';
import { startRedis } from './redis.ts';
import type { SandboxEnvironment, SeededSandbox } from './sandbox-environment.ts';
import { writeSandboxFile } from './sandbox-file.ts';
import { type Service, type Supervisor, supervise } from './supervise.ts';

/** The parts of a sandbox besides its databases. */
export interface SandboxParts {
  readonly processes: readonly SandboxProcess[];
  readonly prepareDatabase: (environment: SandboxEnvironment) => Promise<SeededSandbox>;
}

export interface RunningSandbox {
  readonly environment: SandboxEnvironment;
  readonly paths: DataPaths;
  readonly seeded: SeededSandbox;
  /** Resolves to the reason if a process has died too often for the sandbox to continue. */
  readonly givenUp: Promise<string>;
}

/** `startSandbox` fills it in, so that its caller can stop a sandbox that is not ready yet. */
export interface StopHandle {
  /** Stops everything that was started so far. */
  stop: () => Promise<void>;
}

/**
 * Starts a sandbox in this order: lock the data, end processes of an earlier supervisor, PostgreSQL, Redis, seed,
 * processes, sandbox.json. Rejects if a step fails. Call `handle.stop` then too.
 */
export async function startSandbox(
  configuration: Configuration,
  parts: SandboxParts,
  say: (line: string) => void,
  handle: StopHandle,
): Promise<RunningSandbox> {
  const step = showSteps(say);
  const paths = openDataDir(configuration.dataDir);
  await lockData(paths.dir, say);
  await clearFixture(configuration, paths, say);
  const supervisor = supervise({ recordFile: paths.recordFile, say });
  handle.stop = async () => {
    rmSync(paths.sandboxFile, { force: true });
    await supervisor.stopAll();
  };
  const environment = await startDatabases(configuration, paths, supervisor, step, say);
  const seeded = await step('database migrated, demo merchants in it', () => parts.prepareDatabase(environment));
  for (const stage of [1, 2]) {
    const rows = parts.processes.filter((row) => row.stage === stage);
    const services = rows.map((row) => processService(row, environment, paths, seeded));
    const names = rows.map(({ name }) => name).join(', ');
    if (rows.length > 0) await step(`${names} ready`, () => supervisor.startGroup(services));
  }
  writeSandboxFile(paths.sandboxFile, environment, seeded);
  return { environment, paths, seeded, givenUp: supervisor.givenUp };
}

/** Ends processes left by an earlier run, deletes the data if requested, and reserves the ports. */
async function clearFixture(
  configuration: Configuration,
  paths: DataPaths,
  say: (line: string) => void,
): Promise<void> {
  rmSync(paths.sandboxFile, { force: true });
  const left = await endLeftovers(paths.recordFile);
  if (left.length > 0) say(`  Ended what an earlier npm start had left running: ${left.join(', ')}`);
  if (configuration.fresh) emptyDataDir(paths.dir);
  for (const [name, port] of Object.entries(configuration.ports)) {
    if (await isPortFree(port)) continue;
    throw new UsageError(
      `Port ${port} (for ${name}) is used by another program. End that program, or start with other ports: ` +
        `TIDEGATE_PORT_BASE=${configuration.ports.rest + 100} npm start`,
    );
  }
}

async function startDatabases(
  configuration: Configuration,
  paths: DataPaths,
  supervisor: Supervisor,
  step: Step,
  say: (line: string) => void,
): Promise<SandboxEnvironment> {
  const { ports, scheduleScale, fresh } = configuration;
  const secrets = keepSecrets(paths.dir);
  const kept = await keepPorts(paths.portsFile, ['postgres', 'redis'], (port) => isOurs(port, ports));
  let { databaseUrl, redisUrl } = configuration;
  let databaseRoles: DatabaseRoleUrls | undefined;
  if (databaseUrl === undefined) {
    const logFile = beginLog(paths, 'postgres');
    databaseUrl = await step('PostgreSQL', () => startPrivatePostgres(paths, kept.postgres, logFile, supervisor, say));
    databaseRoles = await createRoles(databaseUrl);
  }
  // A Redis of the caller has our users only in tests.
  const hasUsers = redisUrl === undefined || process.env.TIDEGATE_TEST_REDIS_USERS === 'yes';
  if (redisUrl === undefined) {
    const logFile = beginLog(paths, 'redis');
    const service = redisService(paths, kept.redis, secrets.redis, logFile);
    await step('Redis', () => supervisor.startGroup([service]));
    redisUrl = `redis://:${secrets.redis}@${LOOPBACK}:${kept.redis}/0`;
  }
  const url = (name: keyof SandboxPorts) => `http://${LOOPBACK}:${ports[name]}`;
  const fakes = await prepareFakes(paths, {
    names: configuration.channels,
    restUrl: url('rest'),
    timeFactor: scheduleScale,
    avoid: (port) => isOurs(port, ports) || Object.values(kept).includes(port),
  });
  if (fakes.services.length > 0)
    await step(`fakes of ${configuration.channels.join(', ')} ready`, () => supervisor.startGroup(fakes.services));
  return {
    scheduleScale,
    fresh,
    ports,
    databaseUrl,
    ...(databaseRoles && { databaseRoles }),
    redisUrls: urlsOfUsers(redisUrl, hasUsers),
    dataDir: paths.dir,
    urls: {
      rest: url('rest'),
      api: url('api'),
      worker: url('worker'),
      upstream: url('upstream'),
      receiver: url('receiver'),
    },
    channels: fakes.channels,
    keys: secrets.keys,
    upstreamSecret: secrets.upstream,
  };
}

/** The URL of Redis for each kind of process. */
export function urlsOfUsers(redisUrl: string, hasUsers: boolean): Record<RedisUser, string> {
  const urlOf = (user: RedisUser): string => (hasUsers ? sandboxUrl(redisUrl, user) : redisUrl);
  return Object.fromEntries(redisUsers.map((user) => [user, urlOf(user)])) as Record<RedisUser, string>;
}

const isOurs = (port: number, ports: SandboxPorts) => port >= ports.rest && port < ports.rest + portSpan;

/** Returns the URL of the database `tidegate`. */
async function startPrivatePostgres(
  paths: DataPaths,
  port: number,
  logFile: string,
  supervisor: Supervisor,
  say: (line: string) => void,
): Promise<string> {
  let databaseUrl = '';
  const service: Service = {
    name: 'postgres',
    start: async (onSpawn) => {
      const postgres = await startPostgres({
        dir: paths.postgres,
        logFile,
        port,
        onSpawn,
        say: (line) => say(`  ${line}`),
      });
      databaseUrl = await postgres.createDatabase('tidegate');
      return postgres;
    },
  };
  await supervisor.startGroup([service]);
  return databaseUrl;
}

function redisService(paths: DataPaths, port: number, password: string, logFile: string): Service {
  return {
    name: 'redis',
    start: (onSpawn) => startRedis({ dir: paths.redis, logFile, port, password, onSpawn }),
  };
}

function processService(
  row: SandboxProcess,
  environment: SandboxEnvironment,
  paths: DataPaths,
  seeded: SeededSandbox,
): Service {
  return nodeService({
    name: row.name,
    script: row.script,
    env: processEnv(row, environment, paths, seeded),
    logFile: join(paths.logs, `${row.name}.log`),
    port: environment.ports[row.name],
    readyPath: row.readyPath,
  });
}

function beginLog(paths: DataPaths, name: string): string {
  const logFile = join(paths.logs, `${name}.log`);
  rotateLog(logFile);
  return logFile;
}
