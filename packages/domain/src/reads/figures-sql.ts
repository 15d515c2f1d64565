import { endedSql, endedStatuses, figuresTable } from '../store/order-figures.ts';
import { given, is, isOneOf } from './conditions.ts';
import { type Dimension, dimensions, type FiguresQuery } from './filters.ts';
import { type Scope, withinScope } from './scope.ts';
import { type Add, asTime, whereAll } from './values.ts';

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
  return `
with figures as (${rolledUp(scope, query, add)} union all ${sinceThen(scope, query, until, add)} union all ${stillOpen(scope, query, add)}),
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

/** What the roll-up holds: of the platform as a whole, unless merchants are to be told apart. */
function rolledUp(scope: Scope, query: FiguresQuery, add: Add): string {
  const isOfAll = !query.merchantIds && scope.merchantIds === null && !query.by?.includes('merchant');
  const table = figuresTable(query.grain);
  const conditions = [
    `f.starts_at >= ${asTime(add(query.from))}`,
    `f.starts_at < ${asTime(add(query.to))}`,
    ...narrowed('f', scope, query, add),
  ];
  const what = `select f.starts_at, f.merchant_id, ${figureColumns.replaceAll(/[a-z_]+/g, 'f.$&')} from`;
  if (isOfAll) return `${what} ${table} f${whereAll([`f.merchant_id = 'PLATFORM'`, ...conditions])}`;
  const ours = [`m.merchant_id !~ '^PLATFORM($|-)'`, ...amongMerchants('m', scope, query, add)];
  return `${what} merchant m join ${table} f using (merchant_id)${whereAll([...ours, ...conditions])}`;
}

/** What ended after the roll-up's time. */
function sinceThen(scope: Scope, query: FiguresQuery, until: string, add: Add): string {
  const ended = endedSql([`x.at > ${add(until)}::timestamptz`, ...ofOrders(scope, query, add)]);
  return `select date_trunc('${query.grain}', e.created_at, 'UTC'), merchant_id, country, currency, kind, channel_id, status, orders, amount, fee_amount,
    case when bucket is null then '{}' else array[bucket] end, case when bucket is null then '{}' else array[1] end from (${ended}) e`;
}

/** What has not ended: the two indexes of open orders hold few rows, whatever the history. */
function stillOpen(scope: Scope, query: FiguresQuery, add: Add): string {
  const conditions = ofOrders(scope, query, add);
  const openOf = (kind: string, statuses: string): string =>
    `select date_trunc('${query.grain}', o.created_at, 'UTC'), o.merchant_id, o.country, o.currency, o.kind, o.channel_id, o.status,
       1, o.amount, o.fee_amount, '{}'::integer[], '{}'::integer[] from orders o${whereAll([`o.kind = '${kind}'`, `o.status in ${statuses}`, ...conditions])}`;
  return `${openOf('payin', `('created', 'processing', 'partial_paid')`)} union all ${openOf('payout', `('created', 'processing', 'market_available')`)}`;
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
