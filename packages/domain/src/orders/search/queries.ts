// Statements that keep `order_search` up to date, which operators find orders by.

/**
 * The moment before which every new order is visible. An order is created after its transaction locked a wallet. So the
 * oldest transaction that locks wallets bounds it; backups and other long reads do not. Databases that are copies of one template number their
 * tables alike, so locks of other databases are left out.
 */
export const createdHorizonSql = `select (date_trunc('milliseconds', least(clock_timestamp(), (
    select min(a.xact_start) from pg_locks l join pg_stat_activity a on a.pid = l.pid
    where l.database = (select oid from pg_database where datname = current_database()) and l.relation = 'wallet'::regclass and l.mode <> 'AccessShareLock' and l.pid <> pg_backend_pid()))) - interval '1 second')::text as horizon`;

/** The next new orders, created up to $1: bounds for at most about $2 orders, and whether there are more. */
export const newOrdersSql = `
with progress as (select until from order_search_progress),
last as (select created_at from orders where created_at > (select until from progress) and created_at <= $1::timestamptz
  order by created_at offset $2::integer - 1 limit 1)
select until::text as "from", coalesce((select created_at from last), $1::timestamptz)::text as "to", exists (select from last) as "isMore"
from progress where until < $1::timestamptz`;

/** The next older orders, the newest of them first: bounds for at most about $1 orders, and whether there are more. */
export const olderOrdersSql = `
with progress as (select since, until from order_search_progress),
last as (select created_at from orders where created_at < (select since from progress) order by created_at desc offset $1::integer - 1 limit 1)
select coalesce((select created_at from last), '-infinity')::text as "from", since::text as "to", exists (select from last) as "isMore"
from progress where since > '-infinity' and until > since`;

const searched = `select merchant_id as "merchantId", order_no as "orderNo", merchant_order_no as "merchantOrderNo",
    created_at::text as "createdAt", details->'party'->>'account' as account, details->'party'->>'mobile' as phone,
    details->'party'->>'name' as name
  from orders`;

/** What orders created after $1 and up to $2 are found by. */
export const newSearchedSql = `${searched} where created_at > $1::timestamptz and created_at <= $2::timestamptz`;

/** What orders created from $1 and before $2 are found by. */
export const olderSearchedSql = `${searched} where created_at >= $1::timestamptz and created_at < $2::timestamptz`;

/** Makes orders findable. $1: JSON rows. */
export const insertSearchRowsSql = `
insert into order_search (merchant_id, order_no, merchant_order_no, created_at, account_key, phone_key, name, last_name)
select "merchantId", "orderNo", "merchantOrderNo", "createdAt", "accountKey", "phoneKey", name, "lastName" from json_to_recordset($1::json)
  as r("merchantId" text, "orderNo" text, "merchantOrderNo" text, "createdAt" timestamptz, "accountKey" text, "phoneKey" text, name text, "lastName" text)
on conflict do nothing`;

/** Orders created up to $1 can be found. */
export const foundUntilSql = 'update order_search_progress set until = $1::timestamptz';

/** Orders created from $1 can be found. */
export const foundSinceSql = 'update order_search_progress set since = $1::timestamptz';

/** Up to when created orders can be found, in Unix ms. */
export const searchUntilSql =
  'select round(extract(epoch from until) * 1000)::float8 as until from order_search_progress';
