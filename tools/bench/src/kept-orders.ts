import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Domain } from '@tidegate/domain';
import { addOperatorToken, createOperator, makeToken, migrateDatabase } from '@tidegate/domain/admin';
import { startPostgres } from '@tidegate/sandbox';
import pg from 'pg';
import { durable, openBenchDomain } from './bench-environment.ts';
import { fillWithOrders, manyPrefix } from './many-orders.ts';
import { allowOneKeyForAll, type BenchKeys, enable, liftLimits, makeBenchKeys } from './merchants.ts';

/** A database full of orders. */
export interface FilledOrders {
  url: string;
  orders: number;
  /** The middle of the time range, as ISO 8601. */
  middle: string;
  /** Merchants in India that can create payouts, those with the most wallet entries first. */
  payers: readonly string[];
  privateKeyPem: string;
  /** The token of an operator who may read everything. */
  token: string;
}

/**
 * Databases full of orders, kept between runs: filling one with five million takes longer than most measurements. Each
 * measurement adds a few thousand orders.
 */
export interface KeptOrders {
  /** Fills missing databases at the first call, and migrates the schema. */
  filled(orders: number): Promise<FilledOrders>;
  /** May be called while a database is being filled. The next run then fills it again. */
  stop(): Promise<void>;
}

type Postgres = Awaited<ReturnType<typeof startPostgres>>;
type Secrets = BenchKeys & { token: string };

/** Settings without durability for filling. A database that was not completed is filled again. */
const withoutDurability = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '2GB',
  checkpoint_timeout: '1h',
  shared_buffers: '1GB',
  maintenance_work_mem: '512MB',
};
const merchants = 200;
const days = 30;
const payerCount = 8;

/** `dir` is an absolute path, created if missing. `sizes`: the number of orders in each database. */
export function openKeptOrders(dir: string, sizes: readonly number[], say: (line: string) => void): KeptOrders {
  let opening: Promise<Postgres> | null = null;
  let running: Postgres | null = null;
  const place = { dir: join(dir, 'postgres'), logFile: join(dir, 'postgres.log') };
  const open = async (): Promise<Postgres> => {
    mkdirSync(dir, { recursive: true, mode: 0o711 });
    const secrets = keepSecrets(join(dir, 'secrets.json'));
    const filling = await startPostgres({ ...place, settings: withoutDurability });
    running = filling;
    try {
      for (const orders of sizes) await fillUnlessThere(filling, orders, secrets, say);
    } finally {
      await filling.stop();
    }
    running = await startPostgres({ ...place, settings: durable });
    return running;
  };
  return {
    filled: async (orders) => {
      opening ??= open();
      return describe((await opening).databaseUrl(nameOf(orders)), orders, keepSecrets(join(dir, 'secrets.json')));
    },
    stop: async () => {
      await running?.stop();
      // A fill in progress rejects when its server stops.
      await opening?.catch(() => null);
    },
  };
}

async function fillUnlessThere(
  postgres: Postgres,
  orders: number,
  secrets: Secrets,
  say: (line: string) => void,
): Promise<void> {
  const name = nameOf(orders);
  const partial = `${name}_partial`;
  const server = new pg.Client({ connectionString: postgres.url });
  await server.connect();
  try {
    const { rows } = await server.query<{ datname: string }>('select datname from pg_database');
    const names = rows.map(({ datname }) => datname);
    if (names.includes(name)) {
      await migrateDatabase(postgres.databaseUrl(name));
      return;
    }
    // Databases that are incomplete, or that an older version of the filling code made.
    const outdated = names.filter((one) => one.startsWith(`${prefixOf(orders)}_`));
    for (const one of outdated) await postgres.dropDatabase(one);
    say(
      `Filling a database with ${orders} orders, once: it is kept for later runs. Five million take five to nine minutes.`,
    );
    const began = performance.now();
    const url = await postgres.createDatabase(partial);
    await migrateDatabase(url);
    const domain = await openBenchDomain(url);
    try {
      await allowOneKeyForAll(domain);
      await fillWithOrders(domain, url, { orders, merchants, days });
      await enablePayers(domain, secrets);
    } finally {
      await domain.close();
    }
    await server.query(`alter database ${partial} rename to ${name}`);
    // The server is restarted with other settings next. After a checkpoint it stops at once.
    await server.query('checkpoint');
    say(`Filled in ${Math.round((performance.now() - began) / 1000)} s.`);
  } finally {
    await server.end();
  }
}

async function enablePayers(domain: Domain, secrets: Secrets): Promise<void> {
  for (const merchantId of await payersOf(domain.database.pool))
    await enable(domain, merchantId, 'payout', 'bank-0', secrets);
  await liftLimits(domain);
  await createOperator(domain, { operatorId: 'bench', name: 'Bench', roles: ['viewer'] });
  await addOperatorToken(domain, 'bench', secrets.token);
}

async function payersOf(database: pg.Pool | pg.Client): Promise<string[]> {
  const { rows } = await database.query<{ merchantId: string }>(
    `select merchant_id as "merchantId" from wallet where starts_with(merchant_id, $1) order by last_entry_no desc, merchant_id limit $2`,
    [`${manyPrefix}IN-`, payerCount],
  );
  return rows.map(({ merchantId }) => merchantId);
}

async function describe(url: string, orders: number, { privateKeyPem, token }: Secrets): Promise<FilledOrders> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ oldest: Date }>('select min(created_at) as oldest from orders');
    const oldest = rows[0]?.oldest.getTime() ?? 0;
    const middle = new Date(oldest + (days / 2) * 86_400_000).toISOString();
    return { url, orders, middle, payers: await payersOf(client), privateKeyPem, token };
  } finally {
    await client.end();
  }
}

const prefixOf = (orders: number): string => `orders_${orders}`;

/** The name contains a hash of the filling code. After a change of that code a new database is filled. */
function nameOf(orders: number): string {
  const sources = ['many-orders.ts', 'many-orders-sql.ts'];
  const hash = createHash('sha256');
  for (const source of sources) hash.update(readFileSync(fileURLToPath(new URL(source, import.meta.url))));
  return `${prefixOf(orders)}_${hash.digest('hex').slice(0, 12)}`;
}

function keepSecrets(file: string): Secrets {
  if (!existsSync(file)) {
    const secrets: Secrets = { ...makeBenchKeys(), token: makeToken(randomBytes(32)) };
    writeFileSync(file, JSON.stringify(secrets), { mode: 0o600 });
  }
  return JSON.parse(readFileSync(file, 'utf8'));
}
