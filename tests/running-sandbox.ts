import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openDataDir } from '../tools/sandbox/src/data-dir.ts';
import { readSandboxFile, type SandboxFile } from '../tools/sandbox/src/sandbox-file.ts';
import { scriptOf } from '../tools/sandbox/src/service-scripts.ts';
import { waitUntil } from '../tools/sandbox/src/wait-until.ts';
import type { RunServices } from './run-services/run-services.ts';
import { writeKeys } from './run-services/seeded-databases.ts';

/** A sandbox is ready after 10 s on an idle machine. Several that start at once, on a machine that others use, took over two minutes. */
const READY_WITHIN_MS = 300_000;

/** What `npm start` starts, with data, ports and processes of its own. */
export interface RunningSandbox {
  /** The content of sandbox.json after the last start. */
  readonly file: SandboxFile;
  /** Ports 0 to 11 from here on are this sandbox's. */
  readonly portBase: number;
  /** TIDEGATE_DATA_DIR. */
  readonly dataDir: string;
  /** The pid that listens on a port of this sandbox. */
  pidOf(name: 'rest' | 'worker' | 'api' | 'upstream' | 'receiver' | 'postgres' | 'redis'): number;
  /** All that its processes have logged so far. */
  logs(): string;
  /** kill -9 of the supervisor. Its processes may end with it or stay. */
  killSupervisor(): Promise<void>;
  /** Another `npm start` on the same data. */
  startAgain(): Promise<void>;
  stop(): Promise<void>;
}

interface SandboxOptions {
  /** The folder of another copy of the repository, which is started instead of this one. */
  root?: string;
  /** TIDEGATE_SCHEDULE_SCALE. */
  scale?: number;
  /** The providers whose fakes are started (`--channels`). */
  channels?: string[];
  /** Whether it starts its own PostgreSQL and Redis, as npm start does; by default it gets databases in those of the test run. */
  ownStores?: boolean;
  /** A PostgreSQL, a Redis of the test's own. */
  databaseUrl?: string;
  redisUrl?: string;
  /** Whether `redisUrl` is a Redis without our users. */
  isForeignRedis?: boolean;
  /** LOG_LEVEL of all its processes. */
  logLevel?: 'debug';
  /** URL for their traces; by default nothing is traced. */
  otlpEndpoint?: string;
}

/** Outside a test run nothing was made before. */
export type PortsAlone = Pick<RunServices, 'reservePorts'>;

/** Starts a sandbox in a folder of its own. Tests that do not disturb each other share one: borrowSandbox. */
export async function startSandbox(
  options: SandboxOptions = {},
  parts?: RunServices | PortsAlone,
): Promise<RunningSandbox> {
  const services = parts ?? (await import('./run-services/ask-services.ts')).runServices;
  const dataDir = join(mkdtempSync(join(tmpdir(), 'tidegate-whole-')), 'data');
  const portBase = await services.reservePorts();
  const env = {
    ...process.env,
    ...(await prepareStores(options, { dataDir, portBase }, services)),
    TIDEGATE_ENV: 'sandbox',
    // The Redis of a test run has a user for each kind of process.
    TIDEGATE_TEST_REDIS_USERS: options.isForeignRedis ? '' : 'yes',
    TIDEGATE_DATA_DIR: dataDir,
    TIDEGATE_PORT_BASE: String(portBase),
    TIDEGATE_SCHEDULE_SCALE: String(options.scale ?? 1),
    LOG_LEVEL: options.logLevel ?? 'info',
    OTEL_EXPORTER_OTLP_ENDPOINT: options.otlpEndpoint ?? '',
    // There are no bundles of another copy.
    ...(options.root !== undefined && { TIDEGATE_TEST_PROCESSES: 'sources' }),
  };
  const channels = options.channels === undefined ? [] : ['--channels', options.channels.join(',')];
  let child: ChildProcess;
  let file: SandboxFile | undefined;
  const start = async (): Promise<void> => {
    const { root } = options;
    const main = root === undefined ? scriptOf('tools/sandbox/src/main.ts') : join(root, 'tools/sandbox/src/main.ts');
    const started = spawn(process.execPath, [main, ...channels], { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
    let output = '';
    for (const stream of [started.stdout, started.stderr])
      stream?.on('data', (chunk) => (output = (output + chunk).slice(-8_000)));
    child = started;
    const givenUp = (): string | undefined =>
      started.exitCode === null ? undefined : `it ended with ${started.exitCode}:\n${output}`;
    const isReady = async (): Promise<boolean> => {
      const found = readSandboxFile(join(dataDir, 'sandbox.json'));
      // Until the new one has taken over, the file can be the old one's.
      if (found && output.includes('npm run demo')) file = found;
      return file !== undefined;
    };
    file = undefined;
    await waitUntil('a ready sandbox', isReady, { timeoutMs: READY_WITHIN_MS, givenUp }).catch((error: Error) => {
      throw new Error(`${error.message}; it printed:\n${output}`);
    });
  };
  await start();
  return {
    get file() {
      if (!file) throw new Error('the sandbox is not ready');
      return file;
    },
    portBase,
    dataDir,
    pidOf: (name) => pidIn(join(dataDir, 'pids.json'), name),
    logs: () => {
      const files = readdirSync(join(dataDir, 'logs'), { recursive: true, withFileTypes: true });
      return files
        .map((file) => (file.isFile() ? readFileSync(join(file.parentPath, file.name), 'utf8') : ''))
        .join('\n');
    },
    killSupervisor: async () => {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
    startAgain: start,
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM');
        await once(child, 'exit');
      }
      rmSync(dirname(dataDir), { recursive: true, force: true });
    },
  };
}

function pidIn(recordFile: string, name: string): number {
  const record: { processes: { name: string; pid: number }[] } = JSON.parse(readFileSync(recordFile, 'utf8'));
  const found = record.processes.find((row) => row.name === name);
  if (!found) throw new Error(`no ${name} in ${JSON.stringify(record)}`);
  return found.pid;
}

/** Gives the sandbox existing keys, and a database and a Redis of the test run unless it starts its own. */
async function prepareStores(
  { ownStores, databaseUrl, redisUrl }: SandboxOptions,
  { dataDir, portBase }: { dataDir: string; portBase: number },
  services: RunServices | PortsAlone,
): Promise<{ DATABASE_URL: string; REDIS_URL: string }> {
  openDataDir(dataDir);
  const isAlone = !('seedKeys' in services);
  if (isAlone || ownStores || databaseUrl !== undefined) {
    if (!isAlone) writeKeys(dataDir, await services.seedKeys());
    return { DATABASE_URL: databaseUrl ?? '', REDIS_URL: redisUrl ?? '' };
  }
  const seed = await services.seedDatabase(`http://127.0.0.1:${portBase + 11}`);
  writeKeys(dataDir, seed);
  return { DATABASE_URL: seed.databaseUrl, REDIS_URL: redisUrl ?? (await services.newRedis()) };
}
