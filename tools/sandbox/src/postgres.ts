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
  /** Absolute path of the folder for cluster and password. Created if missing. */
  readonly dir: string;
  readonly logFile: string;
  /** Default: any free port. */
  readonly port?: number;
  /** Settings of postgresql.conf by name. They override `SETTINGS`. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly onSpawn?: ((identity: ProcessIdentity) => void) | undefined;
  /** Called with a message if the data is stored in another folder. */
  readonly say?: (line: string) => void;
}

export interface RunningPostgres extends SpawnedProcess {
  /** URL of the maintenance database `postgres`, including the password. */
  readonly url: string;
  readonly port: number;
  /** Path of the Unix socket; undefined if the settings ask for none, or if the path is too long for one. */
  readonly socket: string | undefined;
  databaseUrl(name: string): string;
  /** Creates the database, from `template` if given, unless it exists. Returns its URL. */
  createDatabase(name: string, template?: string): Promise<string>;
  /** Drops the database. Connections to it are closed. */
  dropDatabase(name: string): Promise<void>;
  /** Runs one statement in the database `postgres`, and returns its rows. */
  query<Row>(statement: string): Promise<Row[]>;
  /** Ends the server and its connections. Takes at most about 30 s. */
  stop(): Promise<void>;
}

const USER = 'tidegate';
const WRONG_PASSWORD = '28P01';
const MAX_REFUSALS = 40;
/** Value of `unix_socket_directories` for a socket in the cluster's folder. Relative, so that no path is too long for the server. */
export const IN_CLUSTER = '.';
/** The longest path of a socket on Linux, in bytes. */
const MAX_SOCKET_BYTES = 107;
/** SIGINT is PostgreSQL's fast shutdown. SIGQUIT is its immediate one: the next start runs recovery. */
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
  // By default, error messages contain the row and the statement, and thereby accounts, names and mobile numbers.
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
};

/**
 * Starts a private PostgreSQL 18 on 127.0.0.1 with the data in `dir`, and resolves once it answers. The first start
 * creates the cluster. A server that a killed supervisor left running on the same data is stopped first.
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
  const running = describeServer(server, port, password, findSocket(place, port, options.settings));
  try {
    // Long, because recovery after a crash takes time.
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

/** The socket in the cluster's folder, which only PostgreSQL's user can enter. */
function findSocket(place: PostgresPlace, port: number, settings: PostgresOptions['settings']): string | undefined {
  const socket = join(place.cluster, `.s.PGSQL.${port}`);
  return hasSocket(settings) && Buffer.byteLength(socket) <= MAX_SOCKET_BYTES ? socket : undefined;
}

function hasSocket(settings: PostgresOptions['settings']): boolean {
  return settings?.unix_socket_directories === IN_CLUSTER;
}

function describeServer(
  server: SpawnedProcess,
  port: number,
  password: string,
  socket: string | undefined,
): RunningPostgres {
  const databaseUrl = (name: string) =>
    `postgres://${USER}:${password}@${LOOPBACK}:${port}/${encodeURIComponent(name)}`;
  const url = databaseUrl('postgres');
  return {
    ...server,
    url,
    port,
    socket,
    databaseUrl,
    createDatabase: async (name, template = 'template1') => {
      await onMaintenance(url, async (client) => {
        const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
        if (found.rowCount !== 0) return;
        // Copying the files takes half as long as logging each page.
        await client.query(
          `CREATE DATABASE ${pg.escapeIdentifier(name)} TEMPLATE ${pg.escapeIdentifier(template)} STRATEGY file_copy`,
        );
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

/** Creates the cluster if it is missing, and returns its password. */
function prepareCluster(dir: string, place: PostgresPlace, settings: Readonly<Record<string, string>>): string {
  const passwordFile = join(dir, 'password');
  if (existsSync(place.cluster)) {
    if (existsSync(passwordFile)) return readFileSync(passwordFile, 'utf8').trim();
    // A cluster below /var/tmp may be older than the folder that it replaces, so it can go. Elsewhere it may be a
    // user's data.
    if (!place.moved) throw new Error(`${passwordFile} is missing: without it ${place.cluster} cannot be opened`);
    rmSync(place.cluster, { recursive: true });
  }
  const password = randomBytes(24).toString('hex');
  writeAtomically(passwordFile, `${password}\n`);
  initialise(place, password, settings);
  return password;
}

/** Runs initdb in a temporary folder and renames it at the end. So the cluster is either complete or absent. */
function initialise(place: PostgresPlace, password: string, settings: Readonly<Record<string, string>>): void {
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
        '--auth-host=scram-sha-256',
        `--auth-local=${hasSocket(settings) ? 'trust' : 'scram-sha-256'}`,
        `--pwfile=${passwordFile}`,
        '--encoding=UTF8',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--locale=C',
        ...(settings.fsync === 'off' ? ['--no-sync'] : []),
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
 * Checks whether the server answers. A wrong password becomes an error only after many tries. Another server may own
 * the port, and it rejects the password until ours has failed because the port is in use.
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
  // Without a handler, a server that is killed during a connection would end this process.
  client.on('error', () => {});
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end();
  }
}
