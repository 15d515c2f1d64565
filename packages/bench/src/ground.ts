import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createPayout, type Domain, migrateDatabase, openDomain } from '@tidegate/domain';
import { findFreePort, makeRunFolder, nodeService, startPostgres, startRedis } from '@tidegate/sandbox';
import pg from 'pg';
import { type BenchKeys, makeBenchKeys, merchantNo, payoutRequest, seedMerchants } from './merchants.ts';
import { newestPayoutRows } from './payout-rows.ts';
import { pgbenchScript } from './pgbench-script.ts';

/** Where everything is measured: one PostgreSQL and one Redis, and for each measurement a database of its own, all alike at its start. */
export interface Ground {
  keys: BenchKeys;
  /** Does what pgbench has to do. */
  scriptFile: string;
  /** A copy of the seeded database; with a checkpoint behind it, so that none of them pays for the one before. */
  freshDatabase(): Promise<{ url: string; drop(): Promise<void> }>;
  /** The domain in this process. `batch` is told of every transaction. */
  openDomain(databaseUrl: string, batch?: (batch: { size: number }) => void): Promise<Domain>;
  /** The REST adapter as a process of its own. */
  startRest(databaseUrl: string): Promise<RunningService>;
  /** The GraphQL API as a process of its own. */
  startApi(databaseUrl: string): Promise<RunningService>;
  stop(): Promise<void>;
}

interface RunningService {
  port: number;
  stop(): Promise<void>;
}

const template = 'bench_template';
const secret = randomBytes(32).toString('hex');
const quiet = { debug: () => undefined, info: () => undefined, warn: console.warn, error: console.error };

/** Starts the servers with their durable defaults, and seeds `merchants`. */
export async function prepareGround(merchants: number): Promise<Ground> {
  const folder = await makeRunFolder();
  const place = (name: string) => ({
    dir: join(folder.dir, name),
    logFile: join(folder.dir, `${name}.log`),
    onSpawn: (identity: Parameters<typeof folder.record.add>[1]) => folder.record.add(name, identity),
  });
  const settings = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on', max_wal_size: '8GB' };
  const postgres = await startPostgres({ ...place('postgres'), settings });
  const redis = await startRedis(place('redis'));
  const keys = makeBenchKeys();
  const scriptFile = join(folder.dir, 'payout.sql');
  const templateUrl = await postgres.createDatabase(template);
  await migrateDatabase(templateUrl);
  const domain = await open(templateUrl);
  await seedMerchants(domain, merchants, keys);
  await domain.close();
  const sampleUrl = await postgres.createDatabase('bench_sample', template);
  writeFileSync(scriptFile, await scriptFrom(sampleUrl));
  let made = 0;
  return {
    keys,
    scriptFile,
    openDomain: open,
    freshDatabase: async () => {
      made += 1;
      const name = `bench_${made}`;
      const url = await postgres.createDatabase(name, template);
      await checkpoint(url);
      return { url, drop: () => postgres.dropDatabase(name) };
    },
    startRest: (databaseUrl) => startService('rest-adapter', databaseUrl, redis.url, folder.dir),
    startApi: (databaseUrl) => startService('api', databaseUrl, redis.url, folder.dir),
    stop: async () => {
      await Promise.all([postgres.stop(), redis.stop()]);
      await folder.remove();
    },
  };
}

function open(databaseUrl: string, batch: (batch: { size: number }) => void = () => undefined): Promise<Domain> {
  return openDomain({
    ...{ databaseUrl, secret, adapters: {}, publicBaseUrl: 'http://127.0.0.1', nudge: () => undefined, log: quiet },
    observer: { batch },
  });
}

async function checkpoint(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('checkpoint').finally(() => client.end());
}

/** Creates one payout, and makes of its rows what pgbench is to write. */
async function scriptFrom(databaseUrl: string): Promise<string> {
  const domain = await open(databaseUrl);
  try {
    const merchant = await domain.directory.merchant(merchantNo(1));
    const created = merchant && (await createPayout(domain, merchant, payoutRequest()));
    if (!created?.ok) throw new Error('the first payout was refused');
    return pgbenchScript(await newestPayoutRows(domain.database.pool));
  } finally {
    await domain.close();
  }
}

async function startService(
  name: 'rest-adapter' | 'api',
  databaseUrl: string,
  redisUrl: string,
  dir: string,
): Promise<RunningService> {
  const port = await findFreePort();
  const service = nodeService({
    name,
    script: fileURLToPath(new URL(`../../${name}/src/main.ts`, import.meta.url)),
    env: {
      PATH: process.env.PATH,
      NODE_OPTIONS: process.env.BENCH_REST_NODE_OPTIONS,
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      REDIS_URL: redisUrl,
      TIDEGATE_SECRET: secret,
      TIDEGATE_ENV: 'sandbox',
      PUBLIC_BASE_URL: `http://127.0.0.1:${port}`,
    },
    logFile: join(dir, `${name}-${port}.log`),
    port,
    readyPath: '/readyz',
  });
  const running = await service.start(() => undefined);
  return { port, stop: () => running.stop() };
}
