/** Adds attempts to the health of their merchants' hosts. Parameters: the attempts began at or after $1 and before $2. */
export const addAttemptsSql = `
insert into host_health as h (merchant_id, host, last_success_at, last_failure_at, last_error, last_http_status, last_attempt_at)
select merchant_id, host, max(started_at) filter (where error is null), max(started_at) filter (where error is not null),
  (array_agg(error order by started_at desc) filter (where error is not null))[1],
  (array_agg(http_status order by started_at desc) filter (where error is not null))[1], max(started_at)
from (select a.merchant_id, n.host, a.started_at, a.error, a.http_status
  from notification_attempt a join notification n on n.merchant_id = a.merchant_id and n.order_no = a.order_no and n.status = a.status
  where a.started_at >= $1::timestamptz and a.started_at < $2::timestamptz) a
group by 1, 2
on conflict (merchant_id, host) do update set
  last_success_at = coalesce(excluded.last_success_at, h.last_success_at),
  last_error = case when excluded.last_failure_at is null then h.last_error else excluded.last_error end,
  last_http_status = case when excluded.last_failure_at is null then h.last_http_status else excluded.last_http_status end,
  last_failure_at = coalesce(excluded.last_failure_at, h.last_failure_at),
  last_attempt_at = excluded.last_attempt_at`;

/**
 * Deletes hosts without an attempt for 30 days before $2, and keeps at most $3 hosts of each merchant with an attempt in a
 * period: those that were used last. Parameters: $1 beginning, $2 end (exclusive).
 */
export const purgeHostsSql = 'select purge_host_health($1, $2, $3)';

const due = (held: 'host' | 'pause'): string =>
  `select n.next_attempt_at from notification n where n.held_by = '${held}' and n.host = k.h and n.merchant_id = k.m`;

/**
 * Number of notifications that wait at each merchant's host, or for the end of its pause; and since when the oldest
 * waits. Parameters: $1 hosts, $2 merchants, $3 most to count of each.
 */
export const waitingSql = `select k.place::integer, count(w.next_attempt_at)::integer as waiting,
    round(extract(epoch from min(w.next_attempt_at)) * 1000)::float8 as "oldestAt"
  from unnest($1::text[], $2::text[]) with ordinality as k(h, m, place) left join lateral (
    select n.next_attempt_at from (values (false), (true)) as t(tried) cross join lateral (
      ${due('host')} and (n.attempt > 0) = t.tried order by n.next_attempt_at limit $3) n
    union all (${due('pause')} order by n.next_attempt_at limit $3)) w on true
  group by k.place`;
