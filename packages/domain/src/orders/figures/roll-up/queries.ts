export type Grain = 'quarter' | 'hour' | 'day';

/** Figures that are divided further: by bank code, or by the reason of failure. */
export type Facet = 'bank' | 'reason';

/** The table of the figures by this unit of UTC; `isFaceted`: of those that are divided further. */
export function figuresTable(grain: Grain, isFaceted: boolean): string {
  return isFaceted ? `order_facets_by_${grain}` : `order_figures_by_${grain}`;
}

/** The roll-ups, and where the progress of each is stored. */
export type RollUp = 'orders' | 'facets';
const progressTables: Readonly<Record<RollUp, string>> = {
  orders: 'order_figures_progress',
  facets: 'order_facets_progress',
};

/** The statuses that an order ends in, as an SQL list. */
export const endedStatuses = `('completed', 'failed', 'timeout', 'cancelled')`;

/** Each bucket of durations reaches a tenth further than the previous one; the first one to 110 ms. */
const firstBucketMs = 100;
const growth = 1.1;

/** The bucket of the time from an order's creation to its completion; null where it is not completed. `status` and `order` are SQL. */
export function bucketOf(status: string, order: string): string {
  const millis = `extract(epoch from ${order}.completed_at - ${order}.created_at)::float8 * 1000`;
  const bucket = `greatest(1, ceil(ln(greatest(1, ${millis}) / ${firstBucketMs}) / ln(${growth}::float8)))`;
  return `(case ${status} when 'completed' then ${bucket} end)::integer`;
}

/** A duration in the middle of a bucket, in whole milliseconds: no more than 5 % from any in it, but for those below 100 ms. */
export function durationOfBucket(bucket: number): number {
  return Math.round(firstBucketMs * growth ** (bucket - 0.5));
}

/**
 * Why the order failed, by the transition `x`: its trigger and, after a space, the channel's own message. Words with
 * numbers are cut out of the message, so that equal reasons are one and no account is kept.
 */
export function reasonOf(x: string): string {
  const message = `left(btrim(regexp_replace(regexp_replace(${x}.detail, '\\S*[0-9]{3}\\S*', '…', 'g'), '\\s+', ' ', 'g')), 80)`;
  return `rtrim(${x}.trigger || ' ' || case when ${x}.actor like 'channel:%' then coalesce(${message}, '') else '' end)`;
}

/**
 * The effect of order ends on the figures, one row each: plus one for the reached status, minus one for an ended status
 * that is left (a failed order that a case completes). Each row is complete, so any set of rows can be added in any
 * order. `conditions` are about the transition `x` and the order `o`. `withReason`: with the reason of failure, which costs more.
 */
export function endedSql(conditions: readonly string[], withReason = false): string {
  const reason = `case when s.status = 'completed' then null when s.sign = 1 then ${reasonOf('x')} else ${reasonOf('p')} end`;
  const previous = `left join lateral (select r.trigger, r.actor, r.detail from order_transition r
      where r.merchant_id = x.merchant_id and r.order_no = x.order_no and r.seq = x.seq - 1) p on s.sign = -1`;
  return `select o.merchant_id, o.created_at, o.country, o.currency, o.kind, o.channel_id, s.status,
      ${bucketOf('s.status', 'o')} as bucket, s.sign as orders, s.sign * o.amount as amount, s.sign * o.fee_amount as fee_amount,
      coalesce(o.bank_code, '') as bank, ${withReason ? reason : 'null::text'} as reason
    from order_transition x join orders o on o.merchant_id = x.merchant_id and o.order_no = x.order_no
    cross join lateral (values (x."to", 1), (x."from", -1)) as s(status, sign)
    ${withReason ? previous : ''}
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
 * The next range to add: its bounds, and whether there are more. Parameters: $1 time up to which orders ended, $2 most
 * transitions.
 */
export function rangeSql(of: RollUp): string {
  const table = progressTables[of];
  return `
with progress as (select until from ${table}),
last as (select at from order_transition where at > (select until from progress) and at <= $1::timestamptz order by at offset $2::integer - 1 limit 1)
select until::text as "from", coalesce((select at from last), $1::timestamptz)::text as "to", exists (select from last) as "isMore"
from progress where until < $1::timestamptz`;
}

/** Adds orders that ended after $1 and up to $2 to the figures: the statements to run one after the other. */
export const additionsSql: Readonly<Record<RollUp, readonly string[]>> = {
  orders: (['hour', 'day'] as const).map((grain) => addSql(grain, false, `(${endedWithin()})`)),
  facets: [
    `with ended as materialized (${endedWithin(true)}),
      quarters as (${addSql('quarter', false, 'ended')}),
      facets_by_quarter as (${addSql('quarter', true, 'ended')}),
      facets_by_hour as (${addSql('hour', true, 'ended')})
      ${addSql('day', true, 'ended')}`,
  ],
};

/** Stores that all orders that ended up to $1 are in the figures. */
export function saveProgressSql(of: RollUp): string {
  return `update ${progressTables[of]} set until = $1`;
}

/**
 * Up to when orders are rolled up, as PostgreSQL's text. `isBehind`: the facets are still being filled after an upgrade.
 */
export const progressSql = `select o.until::text as orders, f.until::text as facets, f.until < o.until - interval '10 minutes' as "isBehind"
  from ${progressTables.orders} o cross join ${progressTables.facets} f`;

function endedWithin(withReason = false): string {
  return endedSql(['x.at > $1::timestamptz', 'x.at <= $2::timestamptz'], withReason);
}

/** The beginning of the unit of UTC that contains `at`. */
function beginningOf(grain: Grain, at: string): string {
  return grain === 'quarter'
    ? `date_bin('15 minutes', ${at}, '2000-01-01 00:00:00+00')`
    : `date_trunc('${grain}', ${at}, 'UTC')`;
}

/** Adds the ended orders `from` to a table of figures. Each counts for its merchant, and for all merchants together. */
function addSql(grain: Grain, isFaceted: boolean, from: string): string {
  const key = [
    'merchant_id',
    'starts_at',
    'country',
    'kind',
    'channel_id',
    'status',
    ...(isFaceted ? ['facet', 'value'] : []),
  ].join(', ');
  const [facets, ofFacet] = isFaceted
    ? [
        `cross join lateral (values ('bank', e.bank), ('reason', e.reason)) as v(facet, value)`,
        'where v.value is not null',
      ]
    : ['', ''];
  return `insert into ${figuresTable(grain, isFaceted)} as f (${key}, currency, orders, amount, fee_amount, buckets, counts)
select ${key}, currency, sum(orders), sum(amount), sum(fee_amount),
  coalesce(array_agg(bucket order by bucket) filter (where bucket is not null), '{}'),
  coalesce(array_agg(orders::integer order by bucket) filter (where bucket is not null), '{}')
from (
  select ${key}, currency, bucket, sum(orders) as orders, sum(amount) as amount, sum(fee_amount) as fee_amount
  from (select g.merchant_id, ${beginningOf(grain, 'e.created_at')} as starts_at, e.country, e.currency, e.kind, e.channel_id, e.status, e.bucket,
      e.orders, e.amount, e.fee_amount${isFaceted ? ', v.facet, v.value' : ''}
    from ${from} e cross join lateral (values (e.merchant_id), ('PLATFORM')) as g(merchant_id) ${facets} ${ofFacet}) e
  group by ${key}, currency, bucket) e
group by ${key}, currency
on conflict (${key}) do update
  set orders = f.orders + excluded.orders, amount = f.amount + excluded.amount, fee_amount = f.fee_amount + excluded.fee_amount,
    (buckets, counts) = (
      select coalesce(array_agg(bucket order by bucket), '{}'), coalesce(array_agg(count order by bucket), '{}') from (
        select bucket, sum(count)::integer as count
        from unnest(f.buckets || excluded.buckets, f.counts || excluded.counts) as both_of(bucket, count) group by 1) b)`;
}
