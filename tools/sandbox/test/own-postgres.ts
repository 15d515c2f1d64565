import { execFileSync } from 'node:child_process';
import { chownSync, cpSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { migrateDatabase } from '@tidegate/domain/admin';
import pg from 'pg';
import { findFreePort } from '../src/ports.ts';
import { type RunningPostgres, startPostgres } from '../src/postgres.ts';
import { findPostgresPlace } from '../src/postgres-place.ts';
import type { EndingStep } from '../src/process-identity.ts';
import { makeRunFolder } from '../src/run-folder.ts';

/** A PostgreSQL server for one test. */
export interface OwnPostgres extends RunningPostgres {
  /** The server's folder. It contains the password. */
  dir: string;
  /** The data folder (PGDATA). */
  cluster: string;
  settings: Record<string, string>;
}

/** The PostgreSQL servers of one test, in one folder. */
export interface OwnServers {
  dir: string;
  /** Starts a server. It is empty, unless the folder of that name has data already. */
  start(name: string, settings?: Record<string, string>, port?: number): Promise<OwnPostgres>;
  /** Starts a streaming replica of another server. */
  startReplica(name: string, of: OwnPostgres): Promise<OwnPostgres>;
  /** Ends all servers and removes their data. */
  remove(): Promise<void>;
}

const atOnce: EndingStep[] = [
  { signal: 'SIGQUIT', waitMs: 5_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
];
const fast = { fsync: 'off', full_page_writes: 'off' };

export async function openOwnServers(): Promise<OwnServers> {
  const folder = await makeRunFolder('memory');
  const started: OwnPostgres[] = [];
  const start: OwnServers['start'] = async (name, settings = {}, port) => {
    const dir = join(folder.dir, name);
    const server = await startPostgres({
      dir,
      logFile: join(folder.dir, `${name}.log`),
      settings: { ...fast, ...settings },
      port: port ?? (await findFreePort()),
      onSpawn: (identity) => folder.record.add(name, identity),
    });
    const own = { ...server, dir, settings, cluster: findPostgresPlace(dir, () => {}).cluster };
    started.push(own);
    return own;
  };
  return {
    dir: folder.dir,
    start,
    startReplica: async (name, of) => {
      const { cluster } = findPostgresPlace(join(folder.dir, name), () => {});
      await copyCluster(of, join(folder.dir, name), cluster);
      const { hostname, port, username, password } = new URL(of.url);
      const upstream = `host=${hostname} port=${port} user=${username} password=${password}`;
      writeOwned(cluster, 'standby.signal', '');
      return start(name, { primary_conninfo: upstream, recovery_target_timeline: 'latest' });
    },
    remove: async () => {
      // At once: a regular shutdown would write data or wait for an archive, and the data is removed anyway.
      await Promise.all(started.map((server) => server.end(atOnce)));
      await folder.remove();
    },
  };
}

/** Creates a database with all tables, and returns its URL. */
export async function migratedDatabase(server: RunningPostgres, name = 'tidegate'): Promise<string> {
  const url = await server.createDatabase(name);
  await migrateDatabase(url);
  return url;
}

/** Runs one statement on its own connection. */
export async function queryDatabase<Row extends object>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}

/** A connection to a server that may vanish. A statement fails after `answersWithinMs` without an answer. */
export async function connectFor(url: string, answersWithinMs: number): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 1_000,
    query_timeout: answersWithinMs,
  });
  client.on('error', () => {});
  await client.connect();
  return client;
}

/** Copies a cluster like pg_basebackup, which the packaged server lacks. */
async function copyCluster(of: OwnPostgres, dir: string, cluster: string): Promise<void> {
  const client = new pg.Client({ connectionString: of.url });
  await client.connect();
  try {
    await client.query("select pg_backup_start('a test', fast => true)");
    mkdirSync(dir, { recursive: true });
    cpSync(join(of.dir, 'password'), join(dir, 'password'));
    // `-a` keeps the owner, PostgreSQL's user.
    execFileSync('cp', ['-a', of.cluster, cluster]);
    rmSync(join(cluster, 'postmaster.pid'));
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop()');
    writeOwned(cluster, 'backup_label', rows[0]?.labelfile ?? '');
  } finally {
    await client.end();
  }
}

/** Writes a file and gives it to the owner of the cluster, PostgreSQL's user. */
export function writeOwned(cluster: string, name: string, text: string): void {
  const { uid, gid } = statSync(cluster);
  writeFileSync(join(cluster, name), text, { mode: 0o600 });
  chownSync(join(cluster, name), uid, gid);
}
