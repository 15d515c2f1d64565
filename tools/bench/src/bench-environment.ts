import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Domain, type OrderKind, openDomain } from '@tidegate/domain';
import { migrateDatabase } from '@tidegate/domain/admin';
import { jsonLines, testKeys } from '@tidegate/domain/testing';
import { makeRunFolder, startPostgres, startRedis } from '@tidegate/sandbox';
import { Redis } from 'ioredis';
import pg from 'pg';
import { cpuMsOf, cpuMsOfTree } from './cpu-time.ts';
import { type BenchKeys, makeBenchKeys, merchantNo, seedMerchants } from './merchants.ts';
import { functionScript, orderFunction } from './order-function.ts';
import { newestOrderRows, type OrderRows } from './order-rows.ts';
import { pgbenchScript } from './pgbench-script.ts';
import { pgledgerScript } from './pgledger.ts';
import { createOne, merchantOf } from './send-to-writer.ts';
import { type RunningService, type ServiceName, startService } from './services.ts';

/**
 * The environment of all measurements: one PostgreSQL and one Redis, and for each measurement a fresh copy of the same
 * database.
 */
export interface BenchEnvironment {
  /** A temporary folder, removed by `stop`. */
  dir: string;
  keys: BenchKeys;
  redisUrl: string;
  /** The pgbench scripts, and the database functions that they call. */
  peers: Peers;
  /**
   * A copy of the seeded database, after a checkpoint and with an empty Redis, so that measurements do not affect each
   * other. With `hasOrders` it has 4,000 orders and statistics, as a database in use has. PostgreSQL keeps plans, and plans from
   * the time when a table was empty can read all orders of a merchant.
   */
  freshDatabase(options?: { hasOrders?: boolean }): Promise<{ url: string; drop(): Promise<void> }>;
  /** The domain in this process. */
  openDomain(databaseUrl: string, options?: WriterOptions): Promise<Domain>;
  /** Starts one of our processes, or a reference. Channels call back at `publicPort`, if given. */
  start(name: ServiceName, databaseUrl: string, publicPort?: number): Promise<RunningService>;
  /** Starts counting processor time. Pass the number of answers to the result: it returns µs per answer, by process. */
  countCpu(): (answers: number) => Record<string, number>;
  stop(): Promise<void>;
}

/** The scripts with which pgbench does comparable work. */
export interface Peers {
  scriptFiles: Readonly<Record<OrderKind, string>>;
  /** SQL of a function that writes the rows of a payout, and the script that calls it. */
  orderFunction: { sql: string; scriptFile: string };
  /** Folder with the SQL of pgledger, if given, and the script that calls its function. */
  pgledger: { folder: string | null; scriptFile: string };
}

export interface WriterOptions {
  /** Called for every transaction. */
  batch?: (batch: { size: number }) => void;
  /** The most orders in one transaction. With 1, each order is written at once in its own transaction. */
  batchSize?: number;
}

const template = 'bench_template';
const templateWithOrders = 'bench_template_with_orders';
const quiet = { debug: () => undefined, info: () => undefined, warn: console.warn, error: console.error };
/** PostgreSQL settings under which a committed transaction survives a crash. */
export const durable = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on', max_wal_size: '8GB' };

/**
 * Starts PostgreSQL and Redis with durable settings, and seeds `merchants` merchants of each country. `pgledger` is a
 * folder with its SQL.
 */
export async function prepareFixture(merchants: number, pgledger: string | null = null): Promise<BenchEnvironment> {
  const folder = await makeRunFolder();
  const place = (name: string) => ({
    dir: join(folder.dir, name),
    logFile: join(folder.dir, `${name}.log`),
    onSpawn: (identity: Parameters<typeof folder.record.add>[1]) => folder.record.add(name, identity),
  });
  const postgres = await startPostgres({ ...place('postgres'), settings: durable });
  const redis = await startRedis(place('redis'));
  const keys = makeBenchKeys();
  const templateUrl = await postgres.createDatabase(template);
  await migrateDatabase(templateUrl);
  const domain = await openBenchDomain(templateUrl);
  await seedMerchants(domain, merchants, keys);
  await domain.close();
  const sampleUrl = await postgres.createDatabase('bench_sample', template);
  const peers = await writePeers(sampleUrl, folder.dir, pgledger);
  const running = new Map<string, number>();
  let databaseCount = 0;
  const templateInUse = once(async () => {
    await placeOrders(await postgres.createDatabase(templateWithOrders, template), Math.min(merchants, 50));
    return templateWithOrders;
  });
  return {
    dir: folder.dir,
    keys,
    peers,
    redisUrl: redis.url,
    openDomain: openBenchDomain,
    freshDatabase: async ({ hasOrders = false } = {}) => {
      databaseCount += 1;
      const name = `bench_${databaseCount}`;
      const url = await postgres.createDatabase(name, hasOrders ? await templateInUse() : template);
      await checkpoint(url);
      await emptyRedis(redis.url);
      return { url, drop: () => postgres.dropDatabase(name) };
    },
    start: async (name, databaseUrl, publicPort) => {
      const place = { databaseUrl, redisUrl: redis.url, dir: folder.dir, publicPort };
      const service = await startService(name, place);
      folder.record.add(name, service.identity);
      running.set(`${name}-${service.port}`, service.identity.pid);
      return {
        ...service,
        stop: async () => {
          running.delete(`${name}-${service.port}`);
          await service.stop();
          folder.record.remove(service.identity);
        },
      };
    },
    countCpu: () => {
      const read = (): Record<string, number> => ({
        postgres: cpuMsOfTree(postgres.identity.pid),
        redis: cpuMsOf(redis.identity.pid),
        bench: process.cpuUsage().user / 1000 + process.cpuUsage().system / 1000,
        ...ofProcesses(running),
      });
      const before = read();
      return (answers) =>
        Object.fromEntries(
          Object.entries(read()).map(([name, ms]) => [name, (1000 * (ms - (before[name] ?? 0))) / answers]),
        );
    },
    stop: async () => {
      await Promise.all([postgres.stop(), redis.stop()]);
      await folder.remove();
    },
  };
}

/** Opens the domain without wake-ups for workers. */
export function openBenchDomain(databaseUrl: string, { batch, batchSize }: WriterOptions = {}): Promise<Domain> {
  return openDomain({
    databaseUrl,
    keys: testKeys,
    adapters: {},
    publicBaseUrl: 'http://127.0.0.1',
    wakeUp: () => undefined,
    log: quiet,
    observer: batch ? { batch } : {},
    statementFormats: { 'json-lines': jsonLines },
    ...(batchSize !== undefined && { batchSize }),
  });
}

const ordersOfEachKind = 2_000;

/** Adds orders of the first `merchants` merchants, and statistics. */
async function placeOrders(databaseUrl: string, merchants: number): Promise<void> {
  const domain = await openBenchDomain(databaseUrl);
  try {
    for (const kind of ['payout', 'payin'] as const)
      for (let n = 1; n <= merchants; n += 1) {
        const merchant = await merchantOf(domain, merchantNo(kind, n));
        const each = Math.ceil(ordersOfEachKind / merchants);
        await Promise.all(Array.from({ length: each }, () => createOne(domain, kind, merchant)));
      }
    await domain.database.pool.query('vacuum (analyze)');
  } finally {
    await domain.close();
  }
}

/** Runs `work` at the first call, and gives its result to all calls. */
function once<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => {
    result ??= work();
    return result;
  };
}

async function checkpoint(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('checkpoint').finally(() => client.end());
}

async function emptyRedis(url: string): Promise<void> {
  const client = new Redis(url);
  await client.flushall().finally(() => client.disconnect());
}

/** Processor time by process name. Processes of the same name are added up. */
function ofProcesses(running: ReadonlyMap<string, number>): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const [place, pid] of running) {
    const name = place.replace(/-\d+$/, '');
    sums[name] = (sums[name] ?? 0) + cpuMsOf(pid);
  }
  return sums;
}

/** Creates one order of each kind, and makes pgbench's scripts from their rows. */
async function writePeers(databaseUrl: string, dir: string, pgledger: string | null): Promise<Peers> {
  const write = (name: string, text: string): string => {
    const file = join(dir, `${name}.sql`);
    writeFileSync(file, text);
    return file;
  };
  const payout = await sampleOf(databaseUrl, 'payout');
  const payin = await sampleOf(databaseUrl, 'payin');
  return {
    scriptFiles: {
      payout: write('payout', pgbenchScript('payout', payout)),
      payin: write('payin', pgbenchScript('payin', payin)),
    },
    orderFunction: {
      sql: orderFunction('payout', payout),
      scriptFile: write('payout-function', functionScript('payout')),
    },
    pgledger: { folder: pgledger, scriptFile: write('pgledger', pgledgerScript) },
  };
}

async function sampleOf(databaseUrl: string, kind: OrderKind): Promise<OrderRows> {
  const domain = await openBenchDomain(databaseUrl);
  try {
    await createOne(domain, kind, await merchantOf(domain, merchantNo(kind, 1)));
    return await newestOrderRows(domain.database.pool, kind);
  } finally {
    await domain.close();
  }
}
