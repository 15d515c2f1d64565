import type { OrderKind } from '../../core/order.ts';
import { given, is, isOneOf } from '../../lists/conditions.ts';
import { type Scope, withinScope } from '../../lists/scope.ts';
import { type Add, asTime, whereAll } from '../../lists/values.ts';
import { type Dimension, dimensions, type FiguresQuery } from './figures-query.ts';
import type { Source, Span } from './figures-spans.ts';
import {
  bucketOf,
  endedSql,
  endedStatuses,
  type Facet,
  figuresTable,
  type Grain,
  reasonOf,
} from './roll-up/queries.ts';

/** A dimension of the figures. By reason or trigger, only failed, timed-out and cancelled orders count. */
export type GroupedBy = Dimension | 'trigger' | 'reason';

/** The value of each dimension in a row of figures, and its form in a group. */
const columns: Record<GroupedBy, { column: string; name: string; shown?: string; type: string }> = {
  time: {
    column: 'starts_at',
    name: 'startsAt',
    type: 'float8',
    shown: 'round(extract(epoch from starts_at) * 1000)::float8',
  },
  country: { column: 'country', name: 'country', type: 'text' },
  channel: { column: 'channel_id', name: 'channelId', type: 'text' },
  merchant: { column: 'merchant_id', name: 'merchantId', type: 'text' },
  kind: { column: 'kind', name: 'kind', type: 'text' },
  status: { column: 'status', name: 'status', type: 'text' },
  bank: { column: 'value', name: 'bankCode', shown: `nullif(value, '')`, type: 'text' },
  reason: { column: 'value', name: 'reason', type: 'text' },
  trigger: { column: 'trigger', name: 'trigger', type: 'text' },
};

/** The requested figures, and up to which times the roll-ups are complete. */
export interface FiguresPlan {
  query: Omit<FiguresQuery, 'by'>;
  /** From the same query, see `figuresSpans`. */
  spans: readonly Span[];
  by: readonly GroupedBy[];
  /** Times up to which each roll-up is complete, as PostgreSQL text. `facets` is null while they are being filled. */
  until: { orders: string; facets: string | null };
  /** The most groups. */
  limit: number;
}

/** Counts and sums of orders by the requested groups. */
export function figuresSql(scope: Scope, plan: FiguresPlan, add: Add): string {
  const { query, spans, by, limit } = plan;
  const group = [...by.map((dimension) => columns[dimension].column), 'currency'].join(', ');
  const shown = [...dimensions, ...by.filter((one) => one === 'reason' || one === 'trigger')].map((dimension) => {
    const { column, name, shown = column, type } = columns[dimension];
    return `${by.includes(dimension) ? shown : `null::${type}`} as "${name}"`;
  });
  const parts = partsOf(scope, plan, add);
  const conditions = given(isOneOf('status', query.statuses, add), isOneOf('value', query.bankCodes, add));
  return `
with ${spansSql(spans, add)},
figures(starts_at, merchant_id, ${figureColumns}, value) as (${parts.join(' union all ')}),
asked as (select *${by.includes('trigger') ? `, split_part(value, ' ', 1) as trigger` : ''} from figures${whereAll(conditions)}),
summed as (
  select ${group}, sum(orders) as orders, sum(amount) as amount, sum(orders) filter (where status in ${endedStatuses}) as ended,
    sum(orders) filter (where status = 'completed') as completed, sum(amount) filter (where status = 'completed') as completed_amount,
    sum(fee_amount) filter (where status = 'completed') as fees
  from asked group by ${group})${query.withTimes ? timesSql(group) : ''}
select ${shown.join(', ')}, currency, orders::float8, coalesce(ended, 0)::float8 as ended, coalesce(completed, 0)::float8 as completed,
  amount::text, coalesce(completed_amount, 0.00)::text as "completedAmount", coalesce(fees, 0.00)::text as "feeRevenue",
  ${query.withTimes ? 'p50, p95' : 'null::integer as p50, null::integer as p95'}
from summed${query.withTimes ? ` left join times using (${group})` : ''} where orders > 0
order by ${by.includes('time') ? 'starts_at, ' : ''}summed.orders desc, ${group} limit ${add(limit)}`;
}

/** The facet table to read; null if the figures without facets are enough. */
export function facetOf({ bankCodes }: Pick<FiguresQuery, 'bankCodes'>, by: readonly GroupedBy[]): Facet | null {
  if (by.includes('reason') || by.includes('trigger')) return 'reason';
  return by.includes('bank') || bankCodes ? 'bank' : null;
}

/** The selects whose rows together are the figures. */
function partsOf(scope: Scope, { query, spans, by, until }: FiguresPlan, add: Add): string[] {
  const facet = facetOf(query, by);
  const sources = new Set(spans.map(({ source }) => source));
  const rolledUp = (['day', 'hour', 'quarter'] as const).filter((grain) => sources.has(grain));
  // Without a facet, hours and days come from the roll-up "orders"; everything else from "facets".
  const isFromOrdersRollUp = (grain: Grain): boolean => facet === null && grain !== 'quarter';
  const ordersGrains = rolledUp.filter(isFromOrdersRollUp);
  const facetGrains = rolledUp.filter((grain) => !isFromOrdersRollUp(grain));
  const isByMerchant = by.includes('merchant');
  return [
    ...rolledUp.map((grain) => fromRollUp({ grain, facet, isByMerchant }, scope, query, add)),
    ...(ordersGrains.length > 0
      ? [sinceThen(scope, query, { until: until.orders, sources: ordersGrains, facet }, add)]
      : []),
    ...(facetGrains.length > 0 && until.facets !== null
      ? [sinceThen(scope, query, { until: until.facets, sources: facetGrains, facet }, add)]
      : []),
    ...(facet === 'reason' ? [] : [stillOpen(scope, query, facet, add)]),
    ...(sources.has('orders') ? [ordersThemselves(scope, query, facet, add)] : []),
  ];
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

interface RolledUp {
  grain: Grain;
  facet: Facet | null;
  isByMerchant: boolean;
}

/** The figures of a roll-up: of the whole platform, unless they are restricted to merchants or grouped by them. */
function fromRollUp(
  { grain, facet, isByMerchant }: RolledUp,
  scope: Scope,
  query: FiguresPlan['query'],
  add: Add,
): string {
  const isOfAll = !query.merchantIds && scope.merchantIds === null && !isByMerchant;
  const ofFacet = facet === null ? [] : [`f.facet = '${facet}'`];
  const conditions = [`s.source = '${grain}'`, ...ofFacet, ...narrowed('f', scope, query, add)];
  const value = facet === null ? 'null' : 'f.value';
  const what = `select s.starts_at, f.merchant_id, ${figureColumns.replaceAll(/[a-z_]+/g, 'f.$&')}, ${value} from spans s`;
  const ofSpan = `${figuresTable(grain, facet !== null)} f on ${within('f.starts_at')}`;
  if (isOfAll) return `${what} join ${ofSpan} and f.merchant_id = 'PLATFORM'${whereAll(conditions)}`;
  const ours = [`m.merchant_id !~ '^PLATFORM($|-)'`, ...amongMerchants('m', scope, query, add)];
  return `${what} cross join merchant m join ${ofSpan} and f.merchant_id = m.merchant_id${whereAll([...ours, ...conditions])}`;
}

/** Durations in their buckets, of one order. */
const ofOne = `case when bucket is null then '{}'::integer[] else array[bucket] end, case when bucket is null then '{}'::integer[] else array[1] end`;

/** Orders that ended after the roll-up's time, in spans of these sources. */
function sinceThen(
  scope: Scope,
  query: FiguresPlan['query'],
  { until, sources, facet }: { until: string; sources: readonly Source[]; facet: Facet | null },
  add: Add,
): string {
  const conditions = [`x.at > ${add(until)}::timestamptz`, ...ofOrders(scope, query, add)];
  const ended = endedSql(conditions, facet === 'reason');
  return `select s.starts_at, merchant_id, country, currency, kind, channel_id, status, orders, amount, fee_amount, ${ofOne}, ${facet ?? 'null'}
    from (${ended}) e join spans s on s.source = any(${add(sources)}::text[]) and ${within('e.created_at')}${facet === 'reason' ? ' where reason is not null' : ''}`;
}

/** Orders that have not ended. The two indexes of open orders hold few rows, at any size of the history. */
function stillOpen(scope: Scope, query: FiguresPlan['query'], facet: Facet | null, add: Add): string {
  const conditions = ofOrders(scope, query, add);
  const value = facet === 'bank' ? `coalesce(o.bank_code, '')` : 'null';
  const openOf = (kind: OrderKind): string =>
    `select s.starts_at, o.merchant_id, o.country, o.currency, o.kind, o.channel_id, o.status,
       1, o.amount, o.fee_amount, '{}'::integer[], '{}'::integer[], ${value}
     from orders o join spans s on s.source <> 'orders' and ${within('o.created_at')}${whereAll([`o.kind = '${kind}'`, `o.status in ${openStatuses[kind]}`, ...conditions])}`;
  return `${openOf('payin')} union all ${openOf('payout')}`;
}

/**
 * Orders outside whole quarter hours of UTC. Each span has its own scan of the index of orders by time; `offset 0`
 * keeps that plan.
 */
function ordersThemselves(scope: Scope, query: FiguresPlan['query'], facet: Facet | null, add: Add): string {
  const conditions = [
    within('o.created_at'),
    // Repeats the condition of the partial index orders_by_merchant_time.
    `o.created_at > '-infinity'`,
    ...amongMerchants('o', scope, query, add),
    ...narrowed('o', scope, query, add),
    ...(facet === 'reason' ? [`o.status in ('failed', 'timeout', 'cancelled')`] : []),
  ];
  const values = { bank: `coalesce(o.bank_code, '')`, reason: reasonOf('x') };
  // The transition to the current status.
  const end = `cross join lateral (select x.trigger, x.actor, x.detail from order_transition x
      where x.merchant_id = o.merchant_id and x.order_no = o.order_no and x."to" = o.status order by x.seq desc limit 1) x`;
  return `select s.starts_at, o.merchant_id, o.country, o.currency, o.kind, o.channel_id, o.status, 1, o.amount, o.fee_amount, ${ofOne},
      ${facet === null ? 'null' : values[facet]}
    from spans s cross join lateral (
      select o.*, ${bucketOf('o.status', 'o')} as bucket from orders o${whereAll(conditions)} offset 0) o ${facet === 'reason' ? end : ''}
    where s.source = 'orders'`;
}

function ofOrders(scope: Scope, query: FiguresPlan['query'], add: Add): string[] {
  return [
    `o.created_at >= ${asTime(add(query.from))}`,
    ...amongMerchants('o', scope, query, add),
    ...narrowed('o', scope, query, add),
  ];
}

function amongMerchants(
  alias: string,
  scope: Scope,
  { merchantIds }: Pick<FiguresQuery, 'merchantIds'>,
  add: Add,
): string[] {
  const merchant = `${alias}.merchant_id`;
  return [...withinScope({ ...scope, countries: null }, merchant, add), ...given(isOneOf(merchant, merchantIds, add))];
}

/** Conditions on the columns that orders and figures both have. An order's country is its merchant's. */
function narrowed(alias: string, scope: Scope, query: FiguresPlan['query'], add: Add): string[] {
  return given(
    isOneOf(`${alias}.country`, scope.countries, add),
    isOneOf(`${alias}.country`, query.countries, add),
    is(`${alias}.kind`, query.kind, add),
    isOneOf(`${alias}.channel_id`, query.channelIds, add),
  );
}

/** The statuses of an order that has not ended, as SQL lists: what the two partial indexes of open orders hold. */
const openStatuses: Record<OrderKind, string> = {
  payin: `('created', 'processing', 'partial_paid')`,
  payout: `('created', 'processing', 'market_available')`,
};

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
