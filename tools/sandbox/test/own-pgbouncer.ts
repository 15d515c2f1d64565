import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFreePort, LOOPBACK } from '../src/ports.ts';
import { findPostgresPlace } from '../src/postgres-place.ts';
import { type SpawnedProcess, spawnProcess } from '../src/spawn-process.ts';
import { waitUntil } from '../src/wait-until.ts';
import { type OwnPostgres, queryDatabase } from './own-postgres.ts';

/** A PgBouncer in transaction mode in front of a test's PostgreSQL. It uses ops/postgres/pgbouncer.ini. */
export interface OwnPgbouncer {
  /** URL of the database `tidegate` through PgBouncer. */
  url: string;
  /** URL of PgBouncer's admin console, for `show pools`, `show clients` … */
  adminUrl: string;
  /** Kills PgBouncer with SIGKILL, and starts it again at once. */
  killAndRestart(): Promise<void>;
  stop(): Promise<void>;
}

const unpacked = fileURLToPath(new URL('../../../node_modules/.tidegate-pgbouncer', import.meta.url));
const iniFile = fileURLToPath(new URL('../../../ops/postgres/pgbouncer.ini', import.meta.url));

/** `poolSize` is the most connections to PostgreSQL. Choose fewer than the processes open themselves. */
export async function startPgbouncer(of: OwnPostgres, folder: string, poolSize: number): Promise<OwnPgbouncer> {
  if (!existsSync(unpacked)) throw new Error('PgBouncer is missing: npm test fetches it, once, into node_modules');
  const dir = join(folder, 'pgbouncer');
  const { user } = findPostgresPlace(dir, () => {});
  mkdirSync(dir, { recursive: true });
  cpSync(unpacked, join(dir, 'program'), { recursive: true });
  const port = await findFreePort();
  const { username, password } = new URL(of.url);
  const changes = {
    'host=127.0.0.1 port=5432': `host=127.0.0.1 port=${of.port}`,
    'listen_port = 6432': `listen_port = ${port}`,
    '/etc/pgbouncer/userlist.txt': join(dir, 'userlist.txt'),
    'default_pool_size = 20': `default_pool_size = ${poolSize}`,
  };
  let ini = readFileSync(iniFile, 'utf8');
  for (const [from, to] of Object.entries(changes)) {
    if (!ini.includes(from)) throw new Error(`pgbouncer.ini no longer says ${from}`);
    ini = ini.replace(from, to);
  }
  writeFileSync(join(dir, 'pgbouncer.ini'), `${ini}\nadmin_users = ${username}\n`);
  writeFileSync(join(dir, 'userlist.txt'), `"${username}" "${password}"\n`);
  const urlOf = (database: string) => `postgres://${username}:${password}@${LOOPBACK}:${port}/${database}`;
  const start = async (): Promise<SpawnedProcess> => {
    const started = spawnProcess({
      name: 'pgbouncer',
      command: join(dir, 'program', 'usr', 'sbin', 'pgbouncer'),
      args: [join(dir, 'pgbouncer.ini')],
      user,
      env: { PATH: process.env.PATH },
      cwd: '/',
      logFile: join(folder, 'pgbouncer.log'),
    });
    const answers = () =>
      queryDatabase(urlOf('tidegate'), 'select 1').then(
        () => true,
        () => false,
      );
    const givenUp = () => (started.ending() === undefined ? undefined : started.report());
    await waitUntil('PgBouncer answers', answers, { timeoutMs: 20_000, givenUp });
    return started;
  };
  let running = await start();
  const kill = () => running.end([{ signal: 'SIGKILL', waitMs: 5_000 }]);
  return {
    url: urlOf('tidegate'),
    adminUrl: urlOf('pgbouncer'),
    killAndRestart: async () => {
      await kill();
      running = await start();
    },
    stop: kill,
  };
}
