import { given, is, isOneOf } from '../lists/conditions.ts';
import { type Scope, withinScope } from '../lists/scope.ts';
import { type Add, asTime, whereAll } from '../lists/values.ts';
import { type Dimension, dimensions, type FiguresQuery } from './figures-query.ts';
import { figuresSpans, type Span } from './figures-spans.ts';
import { bucketOf, endedSql, endedStatuses, figuresTable, type Grain } from './order-figures.ts';

/** What each dimension is of a row of figures, and how a group shows it. */
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

/** Statement of the groups. `until`: the roll-up holds what ended up to then, as PostgreSQL's text. `limit`: of groups. */
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

/** In which bucket of durations the half of each group's completed orders is reached, and 95 of 100. */
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

/** What the roll-up holds: of the platform as a whole, unless merchants are to be told apart. */
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

/** What ended after the roll-up's time. */
function sinceThen(scope: Scope, query: FiguresQuery, until: string, add: Add): string {
  const ended = endedSql([`x.at > ${add(until)}::timestamptz`, ...ofOrders(scope, query, add)]);
  return `select s.starts_at, merchant_id, country, currency, kind, channel_id, status, orders, amount, fee_amount,
    case when bucket is null then '{}' else array[bucket] end, case when bucket is null then '{}' else array[1] end
    from (${ended}) e ${ofRollUp('e.created_at')}`;
}

/** What has not ended: the two indexes of open orders hold few rows, whatever the history. */
function stillOpen(scope: Scope, query: FiguresQuery, add: Add): string {
  const conditions = ofOrders(scope, query, add);
  const openOf = (kind: string, statuses: string): string =>
    `select s.starts_at, o.merchant_id, o.country, o.currency, o.kind, o.channel_id, o.status,
       1, o.amount, o.fee_amount, '{}'::integer[], '{}'::integer[] from orders o ${ofRollUp('o.created_at')}${whereAll([`o.kind = '${kind}'`, `o.status in ${statuses}`, ...conditions])}`;
  return `${openOf('payin', `('created', 'processing', 'partial_paid')`)} union all ${openOf('payout', `('created', 'processing', 'market_available')`)}`;
}

/** What no whole hour of UTC holds. Each span is looked up by itself in the index of orders by time: `offset 0` keeps it so. */
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
