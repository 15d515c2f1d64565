import type { Statement } from '../database/columns.ts';

// The statements of delivery, each for many notifications at once. They are prepared, and their plans kept: see run-pinned.ts.

/** A line is read by the index that has its order. */
export const deliverySettings = ['enable_sort = off'];
/** A claim that a crash of the database forgets is made again, as after any crash, and so need not wait for the disk. */
export const claimSettings = ['synchronous_commit = off'];

// Columns hold whole milliseconds, so the clock is rounded like them: what is due now is due now, not half a millisecond later.
const isDue = `n.state = 'pending' and n.next_attempt_at <= clock_timestamp()::timestamptz(3)`;
const isIt = 'n.merchant_id = due.merchant_id and n.order_no = due.order_no and n.status = due.status';
const keyed = 'n.merchant_id = k.m and n.order_no = k.o and n.status = k.s';

// Decisions 7.3: a newer notification of an order waits until the older ones were acknowledged or are exhausted. One that was, and is sent
// again, keeps back only others that are sent again.
export const isOlder = `o.merchant_id = n.merchant_id and o.order_no = n.order_no and o.state = 'pending'
    and (o.seq, o.created_at) < (n.seq, n.created_at) and (not o.is_repeat or n.is_repeat)`;

// One that has to wait leaves the schedule only under a lock on an older one: who settles that one releases it, and sees it then. Where
// somebody else has the lock, and may be settling it, `is_kept` is null, and the row stays on the schedule or comes back to it.
const olderOne = `cross join lateral (select exists (select from notification o where ${isOlder}) as is_blocked) b
    left join lateral (select true as is_kept from notification o where b.is_blocked and ${isOlder} limit 1 for no key update skip locked) l on true`;
const columns = 'n.merchant_id, n.order_no, n.status, n.seq, n.created_at, n.is_repeat, n.held_by';

// `due` has each row as it was locked. The statement's own snapshot may be older: it would miss that the row was held meanwhile, and leave it held.
const claimDue = `update notification n set
    attempt = n.attempt + case when due.paused or due.is_blocked then 0 else 1 end,
    next_attempt_at = case when due.paused or due.is_blocked then n.next_attempt_at else clock_timestamp() + $lease * interval '1 ms' end,
    held_by = case when due.is_blocked then case when due.is_kept then 'order' end when due.paused then 'pause' end
  from due where ${isIt} and (due.is_kept or not due.is_blocked or due.held_by = 'order')
  returning n.merchant_id as "merchantId", n.order_no as "orderNo", n.status, n.url, n.body, n.host, n.attempt,
    n.earlier_attempts as "earlierAttempts", n.traceparent, due.paused, due.is_blocked as blocked`;

// One row after the other by its key, and none that somebody else holds: he is claiming it.
export const claimByKey: Statement = {
  name: 'claim-notifications',
  text: `with due as materialized (
    select n.merchant_id, n.order_no, n.status, n.held_by, m.notifications_paused as paused, b.is_blocked, l.is_kept
    from unnest($1::text[], $2::text[], $3::text[]) as k(m, o, s) cross join lateral (
      select ${columns} from notification n
      where ${keyed} and ${isDue} and n.held_by is distinct from 'pause' for update skip locked) n
    ${olderOne}
    join merchant m on m.merchant_id = n.merchant_id)
  ${claimDue.replace('$lease', '$4')}`,
};

export const claimNextInLine: Statement = {
  name: 'claim-next-in-line',
  text: `with due as materialized (
    select n.merchant_id, n.order_no, n.status, n.held_by, m.notifications_paused as paused, k.line, b.is_blocked, l.is_kept
    from unnest($1::text[], $2::text[], $3::boolean[], $4::integer[]) with ordinality as k(h, m, f, c, line) cross join lateral (
      select ${columns} from notification n
      where n.held_by = 'host' and n.host = k.h and n.merchant_id = k.m and ${isDue} and (n.attempt = 0 or not k.f)
      order by (n.attempt > 0), n.next_attempt_at limit k.c for update skip locked) n
    ${olderOne}
    join merchant m on m.merchant_id = n.merchant_id)
  ${claimDue.replace('$lease', '$5')}, due.line::integer as line`,
};

export const waitInLine: Statement = {
  name: 'wait-in-line',
  text: `with due as materialized (
    select n.merchant_id, n.order_no, n.status, l.is_kept from unnest($1::text[], $2::text[], $3::text[]) as k(m, o, s) cross join lateral (
      select ${columns} from notification n
      where ${keyed} and ${isDue} and n.held_by is null and n.host <> '' for update skip locked) n
    ${olderOne})
  update notification n set held_by = case when due.is_kept then 'order' else 'host' end from due where ${isIt}
  returning n.merchant_id as "merchantId", n.order_no as "orderNo", n.status`,
};

// After a notification was settled, in the same transaction: whatever waited for it is due. Where it has to wait for another one, its claim
// says so. Somebody else's lock is that of another one who releases it, or who claims it and looks whether it has to wait.
export const releaseNewer: Statement = {
  name: 'release-newer-notifications',
  text: `with due as materialized (
    select n.merchant_id, n.order_no, n.status from unnest($1::text[], $2::text[]) as k(m, o) cross join lateral (
      select n.merchant_id, n.order_no, n.status from notification n
      where n.merchant_id = k.m and n.order_no = k.o and n.held_by = 'order' for update skip locked) n)
  update notification n set held_by = null from due where ${isIt}
  returning case when n.attempt = 0 then 'notify' else 'retry' end as queue, n.merchant_id as "merchantId", n.order_no as "orderNo", n.status, n.host,
    round(extract(epoch from n.next_attempt_at) * 1000)::float8 as "dueAt", n.traceparent`,
};

// An attempt whose lease ran out may come after a later one has settled it, or after a resend: then it is only logged. What another session
// holds is left out, so that nobody else's records wait for it: the statement gives what it has recorded.
export const recordAttempts: Statement = {
  name: 'record-attempts',
  text: `with due as materialized (
    select r."merchantId" as merchant_id, r."orderNo" as order_no, r.status, r.attempt, r."startedAt" as started_at, r."durationMs" as duration_ms,
      r.address, r."httpStatus" as http_status, r.reply, r.error, r.state, r.wait
    from json_to_recordset($1::json) as r("merchantId" text, "orderNo" text, status text, attempt integer, "startedAt" float8, "durationMs" integer,
      address text, "httpStatus" integer, reply text, error text, state text, wait float8)
    cross join lateral (
      select from notification n where n.merchant_id = r."merchantId" and n.order_no = r."orderNo" and n.status = r.status
      for no key update skip locked) n),
  logged as (
    insert into notification_attempt (merchant_id, order_no, status, attempt, started_at, duration_ms, address, http_status, reply, error)
    select merchant_id, order_no, status, attempt, to_timestamp(started_at / 1000), duration_ms, address, http_status, reply, error from due
    on conflict do nothing),
  recorded as (
    update notification n set state = due.state, held_by = null, next_attempt_at = clock_timestamp() + due.wait * interval '1 ms',
    delivered_at = case when due.state = 'delivered' then clock_timestamp() end
    from due where ${isIt} and n.state <> 'delivered' and due.attempt > n.earlier_attempts
      and (n.attempt = due.attempt or due.state = 'delivered'))
  select merchant_id as "merchantId", order_no as "orderNo", status from due`,
};
