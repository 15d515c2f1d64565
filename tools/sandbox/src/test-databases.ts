import { createServer, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { LOOPBACK } from './ports.ts';
import { IN_CLUSTER, type RunningPostgres, startPostgres } from './postgres.ts';
import { type RunningRedis, sendToRedis, startRedis } from './redis.ts';
import { makeRunFolder, type RunFolder } from './run-folder.ts';
import { waitUntil } from './wait-until.ts';

type Migrate = (url: string, partitions: number) => Promise<void>;

/** Gives the tests of one test run their databases (testing.ts). */
export interface TestDatabases {
  readonly url: string;
  /** Runs a statement in the test run's PostgreSQL; null if no test has needed it yet. */
  query<Row>(statement: string): Promise<Row[] | null>;
  /** Ends the servers and removes their data. */
  stop(): Promise<void>;
}

const TEMPLATE = 'tidegate_template';
const MAX_PARTITIONS = 256;
const REDIS_DATABASES = 4_096;
/** Tests need no durability. */
const FAST = {
  unix_socket_directories: IN_CLUSTER,
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '200',
  max_wal_size: '256MB',
  // A run has hundreds of databases, and each visit starts a process.
  autovacuum_naptime: '10min',
};

/**
 * Serves requests of tests for databases, on a loopback port. PostgreSQL and Redis start at the first request, in a
 * temporary folder; a run without databases costs nothing. `migrate` prepares a template database with a number of
 * partitions (0: none). It must leave no connection open.
 */
export async function serveTestDatabases(migrate: Migrate): Promise<TestDatabases> {
  const folder = await makeRunFolder('memory');
  const stores = lazyStores(folder, migrate);
  const server = createServer((request, response) => {
    answer(request, stores).then(
      (text) => response.end(text),
      (error) => response.writeHead(500).end(error instanceof Error ? error.stack : String(error)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, LOOPBACK, resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the test databases listen nowhere');
  return {
    url: `http://${LOOPBACK}:${address.port}`,
    query: async (statement) => {
      const postgres = await stores.startedPostgres();
      return postgres === undefined ? null : postgres.query(statement);
    },
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await stores.stop();
      await folder.remove();
    },
  };
}

type Stores = ReturnType<typeof lazyStores>;

function lazyStores({ dir, record }: RunFolder, migrate: Migrate) {
  let postgres: Promise<RunningPostgres> | undefined;
  const templates = new Map<number, Promise<string>>();
  let redis: Promise<RunningRedis> | undefined;
  const start = () =>
    startPostgres({
      dir: join(dir, 'postgres'),
      logFile: join(dir, 'postgres.log'),
      settings: FAST,
      onSpawn: (identity) => record.add('postgres', identity),
    });
  const askPostgres = () => {
    postgres ??= start();
    return postgres;
  };
  const makeTemplate = async (partitions: number): Promise<string> => {
    const name = partitions === 0 ? TEMPLATE : `${TEMPLATE}_${partitions}`;
    await migrate(await (await askPostgres()).createDatabase(name), partitions);
    return name;
  };
  return {
    postgres: askPostgres,
    /** Does not start PostgreSQL. */
    startedPostgres: async () => postgres,
    /** The name of the template database. It is made at the first request. */
    template: (partitions: number) => {
      const template = templates.get(partitions) ?? makeTemplate(partitions);
      templates.set(partitions, template);
      return template;
    },
    redis: () => {
      redis ??= startRedis({
        dir: join(dir, 'redis'),
        logFile: join(dir, 'redis.log'),
        settings: { appendonly: 'no', databases: String(REDIS_DATABASES) },
        onSpawn: (identity) => record.add('redis', identity),
      });
      return redis;
    },
    /** How many databases of each kind were given out. A number is never reused. */
    given: { database: 0, redis: 0 },
    stop: async () => {
      for (const server of await Promise.allSettled([postgres, redis])) {
        if (server.status === 'fulfilled') await server.value?.stop();
      }
    },
  };
}

async function answer(request: IncomingMessage, stores: Stores): Promise<string> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://test');
  const dropped = searchParams.get('url') ?? '';
  switch (`${request.method} ${pathname}`) {
    case 'POST /database':
      return makeDatabase(stores, Number(searchParams.get('partitions') ?? 0));
    case 'GET /socket':
      return (await stores.postgres()).socket ?? '';
    case 'DELETE /database':
      await (await stores.postgres()).dropDatabase(new URL(dropped).pathname.slice(1));
      return '';
    case 'POST /redis':
      return giveRedis(stores);
    case 'DELETE /redis':
      await sendToRedis(dropped, ['FLUSHDB']);
      return '';
    default:
      throw new Error(`nothing here answers ${request.method} ${pathname}`);
  }
}

async function makeDatabase(stores: Stores, partitions: number): Promise<string> {
  if (!Number.isInteger(partitions) || partitions < 0 || partitions > MAX_PARTITIONS)
    throw new Error(`${partitions} is no number of partitions`);
  const template = await stores.template(partitions);
  const postgres = await stores.postgres();
  stores.given.database += 1;
  const name = `test_${stores.given.database}`;
  let newest = '';
  // Retried: PostgreSQL cannot copy a database while a session is still disconnecting from it.
  await waitUntil(
    `a copy of ${template}`,
    async () => {
      try {
        newest = await postgres.createDatabase(name, template);
        return true;
      } catch (error) {
        if ((error as { code?: string }).code === '55006') return false;
        throw error;
      }
    },
    { timeoutMs: 10_000 },
  );
  return newest;
}

async function giveRedis(stores: Stores): Promise<string> {
  const redis = await stores.redis();
  stores.given.redis += 1;
  if (stores.given.redis >= REDIS_DATABASES) throw new Error(`more than ${REDIS_DATABASES - 1} Redis databases`);
  const url = new URL(redis.url);
  url.pathname = `/${stores.given.redis}`;
  return url.href;
}
