import { countries, type Domain } from '@tidegate/domain';
import { createMerchant, generateServiceKey, setChannel } from '@tidegate/domain/admin';
import { fillOrderSearch } from '@tidegate/domain/worker';
import pg from 'pg';
import { makeMoves, makeOrders, spread, takeShare } from './many-orders-sql.ts';

/** The prefix of merchant numbers: `MANY-CN-0`, `MANY-TH-1` … */
export const manyPrefix = 'MANY-';
/** Number of concurrent connections, each for its own merchants. */
const shares = 2;

/**
 * Fills the domain's database with `orders` of the last `days` days, over `merchants` merchants in all countries.
 * Some merchants have far more orders than others. Most payins and payouts are completed.
 * Everything that belongs to them (transitions, payments, transfers, wallet entries, notifications) is there, so that the audit finds nothing wrong.
 * A million orders take one to two minutes of both connections.
 * The user of `databaseUrl` must be a superuser, because the triggers that refuse an order which begins as completed are off meanwhile.
 * Call it once for each database.
 */
export async function fillWithOrders(
  domain: Domain,
  databaseUrl: string,
  { orders, merchants, days }: { orders: number; merchants: number; days: number },
): Promise<void> {
  for (const channelId of ['bank-0', 'bank-1'])
    await setChannel(domain, { channelId, adapter: 'sandbox', baseUrl: 'http://127.0.0.1:9', credentials: {} });
  const pair = await generateServiceKey();
  for (let n = 0; n < merchants; n += 1) {
    const country = countries[n % countries.length] ?? 'CN';
    await createMerchant(domain, { merchantId: `${manyPrefix}${country}-${n}`, name: `Shop ${n}`, country }, pair);
  }
  const until = Date.now();
  const fillShare = (share: number): Promise<void> =>
    connected(databaseUrl, async (client) => {
      await client.query(`begin; set local session_replication_role = 'replica'; set local work_mem = '256MB'`);
      await client.query(takeShare, [manyPrefix, share, shares]);
      await client.query(makeOrders, [orders, days, until]);
      await client.query(makeMoves);
      // Temporary tables of this share: its merchants, its orders, and the movements of money of these orders.
      await client.query('analyze own; analyze made; analyze moved');
      for (const statement of spread) await client.query(statement);
      await client.query('commit');
    });
  await connected(databaseUrl, async (client) => {
    const indexes = await dropIndexes(client);
    await Promise.all(Array.from({ length: shares }, (_, share) => fillShare(share)));
    const isOfSearch = (create: string): boolean => create.includes(' ON public.order_search ');
    for (const create of indexes) if (!isOfSearch(create)) await client.query(create);
    // Filling `order_search` reads orders by their indexes, and is faster before it has its own.
    await makeFindable(domain, client);
    for (const create of indexes) if (isOfSearch(create)) await client.query(create);
    await client.query('vacuum (analyze)');
  });
}

/** Fills the search as the worker does after a migration, in larger pieces. */
async function makeFindable(domain: Domain, client: pg.Client): Promise<void> {
  await client.query(
    `update order_search_progress set (since, until) = (select d, d from (select clock_timestamp() - interval '2 s') t(d))`,
  );
  while (await fillOrderSearch(domain, 5_000));
}

async function connected(databaseUrl: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

/**
 * Drops indexes other than keys, because making them afterwards is faster. Returns the statements that make them again.
 */
async function dropIndexes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; create: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as create
     from pg_index join pg_class t on t.oid = indrelid
     where t.relnamespace = 'public'::regnamespace and t.relkind = 'r' and not indisunique`,
  );
  for (const { name } of rows) await client.query(`drop index ${name}`);
  return rows.map(({ create }) => create);
}
