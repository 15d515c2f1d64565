/** Each bucket of durations reaches a tenth further than the previous one; the first one to 5.5 ms. */
const firstBucketMs = 5;
const growth = 1.1;

/** The middle of a bucket, in whole ms: at most 5 % from any duration in it, except in the first bucket (below 5.5 ms). */
export function durationOfBucket(bucket: number): number {
  return Math.round(firstBucketMs * growth ** (bucket - 0.5));
}

const added = ['calls', 'answered', 'refused'].map((column) => `${column} = h.${column} + excluded.${column}`);

/**
 * Adds calls to the health of their channels, by minute and by hour. A call that was not sent is only a last error: it
 * says nothing about the channel. Parameters: the calls began at or after $1 and before $2.
 */
export const addCallsSql = `
insert into channel_health as h (channel_id, grain, starts_at, operation, calls, answered, refused, buckets, counts, last_error, last_error_at)
select channel_id, grain, starts_at, operation, sum(calls), sum(answered), sum(refused), coalesce(array_agg(bucket order by bucket) filter (where calls > 0), '{}'),
  coalesce(array_agg(calls::integer order by bucket) filter (where calls > 0), '{}'), (array_agg(last_error order by last_error_at desc) filter (where last_error_at is not null))[1], max(last_error_at)
from (
  select c.channel_id, g.grain, g.starts_at, c.operation, c.bucket, count(*) filter (where c.is_sent) as calls,
    count(*) filter (where c.is_sent and c.is_answer) as answered, count(*) filter (where c.is_sent and c.outcome = 'refused') as refused,
    (array_agg(coalesce(c.detail, c.outcome) order by c.started_at desc) filter (where c.is_error))[1] as last_error,
    max(c.started_at) filter (where c.is_error) as last_error_at
  from (select *, not is_answer or outcome = 'refused' as is_error,
      greatest(1, ceil(ln(greatest(1, duration_ms)::float8 / ${firstBucketMs}) / ln(${growth}::float8)))::integer as bucket
    from channel_call where started_at >= $1::timestamptz and started_at < $2::timestamptz) c
  cross join lateral (values ('minute', date_trunc('minute', c.started_at)), ('hour', date_trunc('hour', c.started_at, 'UTC'))) as g(grain, starts_at)
  group by 1, 2, 3, 4, 5) c
group by 1, 2, 3, 4
on conflict (channel_id, grain, starts_at, operation) do update set ${added.join(', ')},
  last_error = case when excluded.last_error_at is null then h.last_error else excluded.last_error end,
  last_error_at = coalesce(excluded.last_error_at, h.last_error_at),
  (buckets, counts) = (
    select coalesce(array_agg(bucket order by bucket), '{}'), coalesce(array_agg(count order by bucket), '{}') from (
      select bucket, sum(count)::integer as count
      from unnest(h.buckets || excluded.buckets, h.counts || excluded.counts) as both_of(bucket, count) group by 1) b)`;

/** Deletes the rows that are not read any more, as of $1. */
export const purgeHealthSql = 'select purge_channel_health($1)';

/** Health of channels $1 by grain $2, for $3 minutes before the time up to which calls are summed (until), oldest first. */
export const healthSql = `select p.until, h.* from (select round(extract(epoch from until) * 1000)::float8 as until, until as ended from log_progress where log = 'channel_call') p
  left join lateral (
    select h.channel_id as "channelId", round(extract(epoch from h.starts_at) * 1000)::float8 as "startsAt", h.operation, h.calls::float8 as calls,
      h.answered::float8 as answered, h.refused::float8 as refused, h.buckets, h.counts, h.last_error as "lastError",
      round(extract(epoch from h.last_error_at) * 1000)::float8 as "lastErrorAt"
    from channel_health h where h.channel_id = any($1::text[]) and h.grain = $2 and h.starts_at >= p.ended - $3::integer * interval '1 minute'
      and h.starts_at < p.ended order by h.starts_at) h on true`;
