import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { clusterName, endPostgresIn } from './end-postgres.ts';
import { sweepMovedFolders } from './moved-folder.ts';
import { findFreePort, LOOPBACK } from './ports.ts';
import { findPostgresPlace, type PostgresPlace } from './postgres-place.ts';
import type { EndingStep, ProcessIdentity } from './process-identity.ts';
import { type SpawnedProcess, spawnProcess } from './spawn-process.ts';
import { waitUntil } from './wait-until.ts';
import { writeAtomically } from './write-atomically.ts';

export interface PostgresOptions {
  /** The folder of the cluster and its password. Created if missing. Absolute. */
  readonly dir: string;
  readonly logFile: string;
  /** Default: any free port. */
  readonly port?: number;
  /** Settings of postgresql.conf by name. They override the ones below. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly onSpawn?: ((identity: ProcessIdentity) => void) | undefined;
  /** Receives a line if files are stored elsewhere. */
  readonly say?: (line: string) => void;
}

export interface RunningPostgres extends SpawnedProcess {
  /** URL of the maintenance database `postgres`, with the password in it. */
  readonly url: string;
  readonly port: number;
  databaseUrl(name: string): string;
  /** Creates a database if it is missing, as a copy of `template` if given, and returns its URL. */
  createDatabase(name: string, template?: string): Promise<string>;
  /** Drops the database and closes all connections to it. */
  dropDatabase(name: string): Promise<void>;
  /** The rows of one statement in the database `postgres`. */
  query<Row>(statement: string): Promise<Row[]>;
  /** Ends every connection and the server, within about 30 s at most. */
  stop(): Promise<void>;
}

const USER = 'tidegate';
const WRONG_PASSWORD = '28P01';
const MAX_REFUSALS = 40;
/** SIGINT is PostgreSQL's fast shutdown, SIGQUIT its immediate one (the next start recovers). */
const STOP: readonly EndingStep[] = [
  { signal: 'SIGINT', waitMs: 20_000 },
  { signal: 'SIGQUIT', waitMs: 5_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
];
const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: LOOPBACK,
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '128MB',
  TimeZone: 'UTC',
  log_timezone: 'UTC',
  // By default its errors contain the whole row and statement: accounts, names, mobile numbers.
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
};

/**
 * Starts a private PostgreSQL 18 on 127.0.0.1 on the data in `dir`, and resolves once it answers. The first start makes
 * the cluster. A server that still runs on the same data, left by a killed supervisor, is stopped first.
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const say = options.say ?? (() => {});
  await sweepMovedFolders();
  const place = findPostgresPlace(options.dir, say);
  await endPostgresIn(place.cluster);
  const password = prepareCluster(options.dir, place, options.settings ?? {});
  const port = options.port ?? (await findFreePort());
  const server = spawnProcess({
    name: 'postgres',
    command: join(place.bin, 'postgres'),
    args: ['-D', place.cluster, '-p', String(port), ...settingArguments(place, options)],
    cwd: '/',
    env: { PATH: process.env.PATH },
    user: place.user,
    logFile: options.logFile,
    onSpawn: options.onSpawn,
  });
  const running = describeServer(server, port, password);
  try {
    // Recovery after a crash can take a while.
    await waitUntil('PostgreSQL answers', askAnswer(running.url), {
      timeoutMs: 120_000,
      givenUp: () => (server.ending() === undefined ? undefined : server.report()),
    });
  } catch (error) {
    await server.end(STOP);
    throw error;
  }
  return running;
}

function describeServer(server: SpawnedProcess, port: number, password: string): RunningPostgres {
  const databaseUrl = (name: string) =>
    `postgres://${USER}:${password}@${LOOPBACK}:${port}/${encodeURIComponent(name)}`;
  const url = databaseUrl('postgres');
  return {
    ...server,
    url,
    port,
    databaseUrl,
    createDatabase: async (name, template = 'template1') => {
      await onMaintenance(url, async (client) => {
        const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
        if (found.rowCount !== 0) return;
        await client.query(`CREATE DATABASE ${pg.escapeIdentifier(name)} TEMPLATE ${pg.escapeIdentifier(template)}`);
      });
      return databaseUrl(name);
    },
    dropDatabase: (name) =>
      onMaintenance(url, async (client) => {
        await client.query(`DROP DATABASE IF EXISTS ${pg.escapeIdentifier(name)} WITH (FORCE)`);
      }),
    query: (statement) => onMaintenance(url, async (client) => (await client.query(statement)).rows),
    stop: () => server.end(STOP),
  };
}

/** Makes the cluster if it is missing, and returns its password. */
function prepareCluster(dir: string, place: PostgresPlace, settings: Readonly<Record<string, string>>): string {
  const passwordFile = join(dir, 'password');
  if (existsSync(place.cluster)) {
    if (existsSync(passwordFile)) return readFileSync(passwordFile, 'utf8').trim();
    // Below /var/tmp it has outlived the folder that it replaces. Elsewhere it may be a user's data.
    if (!place.moved) throw new Error(`${passwordFile} is missing: without it ${place.cluster} cannot be opened`);
    rmSync(place.cluster, { recursive: true });
  }
  const password = randomBytes(24).toString('hex');
  writeAtomically(passwordFile, `${password}\n`);
  initialise(place, password, settings.fsync !== 'off');
  return password;
}

/** Runs initdb in a folder next to the wanted one and renames it at the end, so a cluster is complete or absent. */
function initialise(place: PostgresPlace, password: string, durable: boolean): void {
  const partial = `${place.cluster}.new`;
  const passwordFile = `${place.cluster}.password`;
  for (const left of [partial, passwordFile]) rmSync(left, { recursive: true, force: true });
  mkdirSync(partial, { mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (place.user !== undefined) {
    for (const owned of [partial, passwordFile]) chownSync(owned, place.user.uid, place.user.gid);
  }
  try {
    execFileSync(
      join(place.bin, 'initdb'),
      [
        '-D',
        partial,
        '-U',
        USER,
        '--auth=scram-sha-256',
        `--pwfile=${passwordFile}`,
        '--encoding=UTF8',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--locale=C',
        ...(durable ? [] : ['--no-sync']),
      ],
      {
        cwd: '/',
        env: { PATH: process.env.PATH, TZ: 'UTC' },
        stdio: ['ignore', 'ignore', 'pipe'],
        ...(place.user === undefined ? {} : { uid: place.user.uid, gid: place.user.gid }),
      },
    );
  } finally {
    rmSync(passwordFile, { force: true });
  }
  renameSync(partial, place.cluster);
}

function settingArguments(place: PostgresPlace, options: PostgresOptions): string[] {
  const settings = { ...SETTINGS, ...options.settings, cluster_name: clusterName(place.cluster) };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/**
 * Checks whether the server answers. A wrong password counts only when it is repeated: the port may belong to
 * an unknown server, which answers so until ours has reported that the port is in use.
 */
function askAnswer(url: string): () => Promise<boolean> {
  let refusals = 0;
  return async () => {
    try {
      await onMaintenance(url, (client) => client.query('SELECT 1'));
      return true;
    } catch (error) {
      if ((error as { code?: string }).code === WRONG_PASSWORD) refusals += 1;
      if (refusals > MAX_REFUSALS) throw error;
      return false;
    }
  };
}

async function onMaintenance<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  // Prevents the end of this process when the server is killed during a connection.
  client.on('error', () => {});
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end();
  }
}
