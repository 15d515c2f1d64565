import type { PoolClient } from 'pg';
import type { DatabaseAccess } from '../database/database.ts';
import { runExclusively } from '../database/run-exclusively.ts';
import { requireVisibleTransactions } from '../database/session-visibility.ts';
import { endedSql, figuresTable, type Grain } from './order-figures.ts';

/** How many transitions one call takes at most. */
const most = 20_000;

/**
 * Adds what ended since the last time to the orders' figures. Resolves to whether there was more than one call takes: then call it again. Of
 * several processes one does it, the others find nothing to do. Nobody waits for it, and readers add by themselves what is not in yet.
 */
export function rollUpOrders(domain: DatabaseAccess, limit = most): Promise<boolean> {
  return runExclusively(domain, 'orders', async (client) => {
    await requireVisibleTransactions(client);
    // Before the next statement's snapshot: whatever was begun before this moment, and has written something, is seen by then.
    const horizon = await client.query<{ horizon: string }>(horizonSql);
    const range = await client.query<{ from: string; to: string; isMore: boolean }>(rangeSql, [
      horizon.rows[0]?.horizon,
      limit,
    ]);
    const { from, to, isMore } = range.rows[0] ?? {};
    if (from === undefined || to === undefined) return false;
    await add(client, from, to);
    return isMore ?? false;
  });
}

async function add(client: PoolClient, from: string, to: string): Promise<void> {
  for (const grain of ['hour', 'day'] as const) await client.query(addSql(grain), [from, to]);
  await client.query('update order_figures_progress set until = $1', [to]);
}

// A transition's time is the clock's after its transaction began. So all before the oldest open transaction's beginning are there to be seen.
// In whole milliseconds, as it is kept: rounded up it would leave out what lies between.
const horizonSql = `select (date_trunc('milliseconds', least(clock_timestamp(), (
    select min(xact_start) from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()))) - interval '1 second')::text as horizon`;

const rangeSql = `
with progress as (select until from order_figures_progress),
last as (select at from order_transition where at > (select until from progress) and at <= $1::timestamptz order by at offset $2::integer - 1 limit 1)
select until::text as "from", coalesce((select at from last), $1::timestamptz)::text as "to", exists (select from last) as "isMore"
from progress where until < $1::timestamptz`;

/** Each end counts for its merchant, and for all together. */
function addSql(grain: Grain): string {
  return `
insert into ${figuresTable(grain)} as f
  (merchant_id, starts_at, country, currency, kind, channel_id, status, orders, amount, fee_amount, buckets, counts)
select merchant_id, starts_at, country, currency, kind, channel_id, status, sum(orders), sum(amount), sum(fee_amount),
  coalesce(array_agg(bucket order by bucket) filter (where bucket is not null), '{}'),
  coalesce(array_agg(orders::integer order by bucket) filter (where bucket is not null), '{}')
from (
  select g.merchant_id, date_trunc('${grain}', e.created_at, 'UTC') as starts_at, country, currency, kind, channel_id, status, bucket,
    sum(orders) as orders, sum(amount) as amount, sum(fee_amount) as fee_amount
  from (${endedSql(['x.at > $1::timestamptz', 'x.at <= $2::timestamptz'])}) e
  cross join lateral (values (e.merchant_id), ('PLATFORM')) as g(merchant_id)
  group by 1, 2, 3, 4, 5, 6, 7, 8) e
group by 1, 2, 3, 4, 5, 6, 7
on conflict (merchant_id, starts_at, country, kind, channel_id, status) do update
  set orders = f.orders + excluded.orders, amount = f.amount + excluded.amount, fee_amount = f.fee_amount + excluded.fee_amount,
    (buckets, counts) = (
      select coalesce(array_agg(bucket order by bucket), '{}'), coalesce(array_agg(count order by bucket), '{}') from (
        select bucket, sum(count)::integer as count
        from unnest(f.buckets || excluded.buckets, f.counts || excluded.counts) as both_of(bucket, count) group by 1) b)`;
}
