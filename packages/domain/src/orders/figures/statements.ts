import type { OrderKind } from '../../core/order.ts';
import { given, is, isOneOf } from '../../lists/conditions.ts';
import { type Scope, withinScope } from '../../lists/scope.ts';
import { type Add, asTime, whereAll } from '../../lists/values.ts';
import { type Dimension, dimensions, type FiguresQuery } from './figures-query.ts';
import { figuresSpans, type Span } from './figures-spans.ts';

/** The value of each dimension in a row of figures, and its form in a group. */
const columns: Record<Dimension, { column: string; name: string; shown?: string; type: string }> = {
  time: {
    ...{ column: 'starts_at', name: 'startsAt', type: 'float8' },
    shown: 'round(extract(epoch from starts_at) * 1000)::float8',
  },
  country: { column: 'country', name: 'country', type: 'text' },
  channel: { column: 'channel_id', name: 'channelId', type: 'text' },
  merchant: { column: 'merchant_id', name: 'merchantId', type: 'text' },
  kind: { column: 'kind', name: 'kind', type: 'text' },
  status: { column: 'status', name: 'status', type: 'text' },
};

/**
 * Counts and sums of orders by the requested groups. `until`: the roll-up has what ended up to then, as PostgreSQL's
 * text. `limit`: the most groups.
 */
export function figuresSql(scope: Scope, query: FiguresQuery, until: string, limit: number, add: Add): string {
  const asked = dimensions.filter((dimension) => query.by?.includes(dimension));
  const group = [...asked.map((dimension) => columns[dimension].column), 'currency'].join(', ');
  const shown = dimensions.map((dimension) => {
    const { column, name, shown = column, type } = columns[dimension];
    return `${asked.includes(dimension) ? shown : `null::${type}`} as "${name}"`;
  });
  const spans = figuresSpans(query);
  const sources = new Set(spans.map(({ source }) => source));
  const parts = [
    ...(sources.has('day') ? [rolledUp('day', scope, query, add)] : []),
    ...(sources.has('hour') ? [rolledUp('hour', scope, query, add)] : []),
    sinceThen(scope, query, until, add),
    stillOpen(scope, query, add),
    ...(sources.has('orders') ? [ordersThemselves(scope, query, add)] : []),
  ];
  return `
with ${spansSql(spans, add)},
figures(starts_at, merchant_id, ${figureColumns}) as (${parts.join(' union all ')}),
asked as (select * from figures${whereAll(given(isOneOf('status', query.statuses, add)))}),
summed as (
  select ${group}, sum(orders) as orders, sum(amount) as amount, sum(orders) filter (where status in ${endedStatuses}) as ended,
    sum(orders) filter (where status = 'completed') as completed, sum(amount) filter (where status = 'completed') as completed_amount,
    sum(fee_amount) filter (where status = 'completed') as fees
  from asked group by ${group})${query.withTimes ? timesSql(group) : ''}
select ${shown.join(', ')}, currency, orders::float8, coalesce(ended, 0)::float8 as ended, coalesce(completed, 0)::float8 as completed,
  amount::text, coalesce(completed_amount, 0.00)::text as "completedAmount", coalesce(fees, 0.00)::text as "feeRevenue",
  ${query.withTimes ? 'p50, p95' : 'null::integer as p50, null::integer as p95'}
from summed${query.withTimes ? ` left join times using (${group})` : ''} where orders > 0
order by ${asked.includes('time') ? 'starts_at, ' : ''}summed.orders desc, ${group} limit ${add(limit)}`;
}

/** The buckets of durations that contain the median and the 95th percentile of each group's completed orders. */
function timesSql(group: string): string {
  return `,
counted as (select ${group}, bucket, sum(count) as count from asked cross join lateral unnest(buckets, counts) as b(bucket, count) group by ${group}, bucket),
ranked as (
  select *, sum(count) over (partition by ${group} order by bucket) as so_far, sum(count) over (partition by ${group}) as of_all from counted),
times as (
  select ${group}, min(bucket) filter (where so_far >= 0.5 * of_all) as p50, min(bucket) filter (where so_far >= 0.95 * of_all) as p95
  from ranked group by ${group})`;
}

const figureColumns = 'country, currency, kind, channel_id, status, orders, amount, fee_amount, buckets, counts';

function spansSql(spans: readonly Span[], add: Add): string {
  const times = (of: (span: Span) => number): string => `${add(spans.map(of))}::float8[]`;
  const sources = `${add(spans.map(({ source }) => source))}::text[]`;
  const time = (column: string): string => `to_timestamp(${column} / 1000)::timestamptz(3)`;
  return `spans as materialized (select source, ${time('s')} as starts_at, ${time('f')} as "from", ${time('t')} as "to"
  from unnest(${sources}, ${times(({ startsAt }) => startsAt)}, ${times(({ from }) => from)}, ${times(({ to }) => to)}) as x(source, s, f, t))`;
}

const within = (column: string): string => `${column} >= s."from" and ${column} < s."to"`;

/** The figures of the roll-up: of the whole platform, unless they are restricted to merchants or grouped by them. */
function rolledUp(grain: Grain, scope: Scope, query: FiguresQuery, add: Add): string {
  const isOfAll = !query.merchantIds && scope.merchantIds === null && !query.by?.includes('merchant');
  const table = figuresTable(grain);
  const conditions = [`s.source = '${grain}'`, ...narrowed('f', scope, query, add)];
  const what = `select s.starts_at, f.merchant_id, ${figureColumns.replaceAll(/[a-z_]+/g, 'f.$&')} from spans s`;
  const ofSpan = `${table} f on ${within('f.starts_at')}`;
  if (isOfAll) return `${what} join ${ofSpan} and f.merchant_id = 'PLATFORM'${whereAll(conditions)}`;
  const ours = [`m.merchant_id !~ '^PLATFORM($|-)'`, ...amongMerchants('m', scope, query, add)];
  return `${what} cross join merchant m join ${ofSpan} and f.merchant_id = m.merchant_id${whereAll([...ours, ...conditions])}`;
}

const ofRollUp = (column: string): string => `join spans s on s.source <> 'orders' and ${within(column)}`;

/** Orders that ended after the roll-up's time. */
function sinceThen(scope: Scope, query: FiguresQuery, until: string, add: Add): string {
  const ended = endedSql([`x.at > ${add(until)}::timestamptz`, ...ofOrders(scope, query, add)]);
  return `select s.starts_at, merchant_id, country, currency, kind, channel_id, status, orders, amount, fee_amount,
    case when bucket is null then '{}' else array[bucket] end, case when bucket is null then '{}' else array[1] end
    from (${ended}) e ${ofRollUp('e.created_at')}`;
}

/** Orders that have not ended. The two indexes of open orders hold few rows, at any size of the history. */
function stillOpen(scope: Scope, query: FiguresQuery, add: Add): string {
  const conditions = ofOrders(scope, query, add);
  const openOf = (kind: OrderKind): string =>
    `select s.starts_at, o.merchant_id, o.country, o.currency, o.kind, o.channel_id, o.status,
       1, o.amount, o.fee_amount, '{}'::integer[], '{}'::integer[] from orders o ${ofRollUp('o.created_at')}${whereAll([`o.kind = '${kind}'`, `o.status in ${openStatuses[kind]}`, ...conditions])}`;
  return `${openOf('payin')} union all ${openOf('payout')}`;
}

/**
 * Orders outside whole hours of UTC. Each span has its own scan of the index of orders by time; `offset 0` keeps that
 * plan.
 */
function ordersThemselves(scope: Scope, query: FiguresQuery, add: Add): string {
  const conditions = [
    within('o.created_at'),
    // As the index of a merchant's orders by time says.
    `o.created_at > '-infinity'`,
    ...amongMerchants('o', scope, query, add),
    ...narrowed('o', scope, query, add),
  ];
  return `select s.starts_at, o.merchant_id, o.country, o.currency, o.kind, o.channel_id, o.status, 1, o.amount, o.fee_amount,
    case when o.bucket is null then '{}' else array[o.bucket] end, case when o.bucket is null then '{}' else array[1] end
    from spans s cross join lateral (
      select o.*, ${bucketOf('o.status', 'o')} as bucket from orders o${whereAll(conditions)} offset 0) o
    where s.source = 'orders'`;
}

function ofOrders(scope: Scope, query: FiguresQuery, add: Add): string[] {
  return [
    `o.created_at >= ${asTime(add(query.from))}`,
    `o.created_at < ${asTime(add(query.to))}`,
    ...amongMerchants('o', scope, query, add),
    ...narrowed('o', scope, query, add),
  ];
}

function amongMerchants(alias: string, scope: Scope, { merchantIds }: FiguresQuery, add: Add): string[] {
  const merchant = `${alias}.merchant_id`;
  return [...withinScope({ ...scope, countries: null }, merchant, add), ...given(isOneOf(merchant, merchantIds, add))];
}

/** By the columns that orders and figures both have: an order's country is its merchant's. */
function narrowed(alias: string, scope: Scope, query: FiguresQuery, add: Add): string[] {
  return given(
    isOneOf(`${alias}.country`, scope.countries, add),
    isOneOf(`${alias}.country`, query.countries, add),
    is(`${alias}.kind`, query.kind, add),
    isOneOf(`${alias}.channel_id`, query.channelIds, add),
  );
}

/** The moment up to which orders are rolled up, as PostgreSQL's text. */
export const progressSql = 'select until::text as until from order_figures_progress';

type Grain = 'hour' | 'day';

/** The table of the figures by the hour or by the day. */
function figuresTable(grain: Grain): string {
  return `order_figures_by_${grain}`;
}

/** The statuses of an order that has not ended, as SQL lists: what the two partial indexes of open orders hold. */
const openStatuses: Record<OrderKind, string> = {
  payin: `('created', 'processing', 'partial_paid')`,
  payout: `('created', 'processing', 'market_available')`,
};

/** The statuses that an order ends in, as an SQL list. */
const endedStatuses = `('completed', 'failed', 'timeout', 'cancelled')`;

/** Each bucket of durations reaches a tenth further than the one before; the first one to 110 ms. */
const firstBucketMs = 100;
const growth = 1.1;

/** The bucket of the time from an order's creation to its completion; null where it is not completed. `status` and `order` are SQL. */
function bucketOf(status: string, order: string): string {
  const millis = `extract(epoch from ${order}.completed_at - ${order}.created_at)::float8 * 1000`;
  const bucket = `greatest(1, ceil(ln(greatest(1, ${millis}) / ${firstBucketMs}) / ln(${growth}::float8)))`;
  return `(case ${status} when 'completed' then ${bucket} end)::integer`;
}

/** A duration in the middle of a bucket, in whole milliseconds: no more than 5 % from any in it, but for those below 100 ms. */
export function durationOfBucket(bucket: number): number {
  return Math.round(firstBucketMs * growth ** (bucket - 0.5));
}

/**
 * The effect of order ends on the figures, one row each: plus one for the reached status, minus one for an ended status
 * that is left (a failed order that a case completes). Each row is complete, so any set of rows can be added in any
 * order. `conditions` are about the transition `x` and the order `o`.
 */
function endedSql(conditions: readonly string[]): string {
  return `select o.merchant_id, o.created_at, o.country, o.currency, o.kind, o.channel_id, s.status,
      ${bucketOf('s.status', 'o')} as bucket, s.sign as orders, s.sign * o.amount as amount, s.sign * o.fee_amount as fee_amount
    from order_transition x join orders o on o.merchant_id = x.merchant_id and o.order_no = x.order_no
    cross join lateral (values (x."to", 1), (x."from", -1)) as s(status, sign)
    where x."to" in ${endedStatuses} and s.status in ${endedStatuses} and ${conditions.join(' and ')}`;
}

/**
 * All transitions before this moment are visible: the beginning of the oldest open transaction. A transition's time is
 * never before the beginning of its transaction. Rounded down to whole milliseconds, because rounding up would miss
 * transitions.
 */
export const horizonSql = `select (date_trunc('milliseconds', least(clock_timestamp(), (
    select min(xact_start) from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()))) - interval '1 second')::text as horizon`;

/**
 * The next range to add, of what ended up to $1: its bounds, for at most $2 transitions, and whether there are more.
 */
export const rangeSql = `
with progress as (select until from order_figures_progress),
last as (select at from order_transition where at > (select until from progress) and at <= $1::timestamptz order by at offset $2::integer - 1 limit 1)
select until::text as "from", coalesce((select at from last), $1::timestamptz)::text as "to", exists (select from last) as "isMore"
from progress where until < $1::timestamptz`;

/**
 * Adds orders that ended after $1 and up to $2 to the figures of a grain. Each counts for its merchant, and for all
 * merchants together.
 */
export function addToFiguresSql(grain: Grain): string {
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

/** Notes that all that ended up to $1 is in the figures. */
export const saveProgressSql = 'update order_figures_progress set until = $1';

const oldestOpen = (kind: OrderKind): string => `(select kind, country, status, created_at from orders
    where kind = '${kind}' and status in ${openStatuses[kind]} order by created_at limit $1)`;

/** How many orders have not ended, by kind, country, status and age; of the $1 oldest payins and as many payouts. Planned for the two indexes of open orders. */
export const openOrdersSql = `
  select kind, country, status, case
      when age < interval '1 minute' then 'under_1m' when age < interval '10 minutes' then 'under_10m'
      when age < interval '1 hour' then 'under_1h' when age < interval '1 day' then 'under_1d' else 'over_1d' end as age,
    count(*)::integer as count
  from (select kind, country, status, (select clock_timestamp()) - created_at as age from (
    ${oldestOpen('payin')}
    union all ${oldestOpen('payout')}) o) o
  group by 1, 2, 3, 4`;
