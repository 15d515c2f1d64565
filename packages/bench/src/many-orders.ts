import { countries, createMerchant, type Domain, setChannel } from '@tidegate/domain';
import pg from 'pg';
import { makeMoves, makeOrders, spread } from './many-orders-sql.ts';

/** What the merchants' numbers begin with: `MANY-CN-0`, `MANY-TH-1` … */
export const manyPrefix = 'MANY-';

/**
 * Fills the domain's database with `orders` of the last `days` days, over `merchants` merchants in all countries, some of which have far more
 * than others: payins and payouts, most of them completed, with all that belongs to them (transitions, payments, transfers, wallet
 * entries, notifications), so that the audit finds nothing wrong. A million orders take one to two minutes. The user of `databaseUrl` has to
 * be a superuser: the triggers that refuse an order which begins as completed are off meanwhile. Once for each database.
 */
export async function fillWithOrders(
  domain: Domain,
  databaseUrl: string,
  { orders, merchants, days }: { orders: number; merchants: number; days: number },
): Promise<void> {
  for (const channelId of ['bank-0', 'bank-1'])
    await setChannel(domain, { channelId, adapter: 'sandbox', baseUrl: 'http://127.0.0.1:9', credentials: {} });
  for (let n = 0; n < merchants; n += 1) {
    const country = countries[n % countries.length] ?? 'CN';
    await createMerchant(domain, { merchantId: `${manyPrefix}${country}-${n}`, name: `Shop ${n}`, country });
  }
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(`begin; set local session_replication_role = 'replica'; set local work_mem = '256MB'`);
    await client.query(makeOrders, [orders, days, manyPrefix, Date.now()]);
    await client.query(makeMoves, [manyPrefix]);
    await client.query('analyze made; analyze moved');
    for (const statement of spread) await client.query(statement);
    await client.query('commit');
    await client.query('vacuum (analyze)');
  } finally {
    await client.end();
  }
}
