import type { Statement } from '../database/columns.ts';

// The statements of delivery, each for many notifications at once. They are prepared, and their plans kept: see run-pinned.ts.

/** A backlog is read by the index that is sorted like it. */
export const deliverySettings = ['enable_sort = off'];
/** A claim that is lost in a crash of the database is made again, so it need not wait for the disk. */
export const claimSettings = ['synchronous_commit = off'];

// Columns hold whole milliseconds, so the clock is rounded like them. Otherwise a notification that is due now would
// be due half a millisecond later.
const isDue = `n.state = 'pending' and n.next_attempt_at <= clock_timestamp()::timestamptz(3)`;
const isIt = 'n.merchant_id = due.merchant_id and n.order_no = due.order_no and n.status = due.status';
const keyed = 'n.merchant_id = k.m and n.order_no = k.o and n.status = k.s';

// Decisions 7.3: a newer notification of an order waits until the older ones are acknowledged or exhausted. A resent
// one only holds back other resent ones.
const isOlder = `o.merchant_id = n.merchant_id and o.order_no = n.order_no and o.state = 'pending'
    and (o.seq, o.created_at) < (n.seq, n.created_at) and (not o.is_repeat or n.is_repeat)`;

// A notification leaves the schedule only under a lock on an older one. The transaction that settles the older one
// then sees and releases it. If another transaction has that lock, it may be settling it: `is_kept` is null, and the
// row stays on the schedule.
const olderOne = `cross join lateral (select exists (select from notification o where ${isOlder}) as is_blocked) b
    left join lateral (select true as is_kept from notification o where b.is_blocked and ${isOlder} limit 1 for no key update skip locked) l on true`;
const columns = 'n.merchant_id, n.order_no, n.status, n.seq, n.created_at, n.is_repeat, n.held_by';

// `due` has each row as it was locked. The statement's own snapshot may be older: it would not see that the row was
// held meanwhile.
const claimDue = `update notification n set
    attempt = n.attempt + case when due.paused or due.is_blocked then 0 else 1 end,
    next_attempt_at = case when due.paused or due.is_blocked then n.next_attempt_at else clock_timestamp() + $lease * interval '1 ms' end,
    held_by = case when due.is_blocked then case when due.is_kept then 'order' end when due.paused then 'pause' end
  from due where ${isIt} and (due.is_kept or not due.is_blocked or due.held_by = 'order')
  returning n.merchant_id as "merchantId", n.order_no as "orderNo", n.status, n.url, n.body, n.host, n.attempt,
    n.earlier_attempts as "earlierAttempts", n.traceparent, due.paused, due.is_blocked as blocked`;

// Row by row by key, without those that another session has locked: that session is claiming them.
export const claimByKey: Statement = {
  name: 'claim-notifications',
  text: `with due as materialized (
    select n.merchant_id, n.order_no, n.status, n.held_by, m.notifications_paused as paused, b.is_blocked, l.is_kept
    from unnest($1::text[], $2::text[], $3::text[], $4::boolean[]) as k(m, o, s, f) cross join lateral (
      select ${columns} from notification n
      where ${keyed} and ${isDue} and (n.attempt = 0 or not k.f) and n.held_by is distinct from 'pause' for update skip locked) n
    ${olderOne}
    join merchant m on m.merchant_id = n.merchant_id)
  ${claimDue.replace('$lease', '$5')}`,
};

export const claimNextParked: Statement = {
  name: 'claim-next-in-backlog',
  text: `with due as materialized (
    select n.merchant_id, n.order_no, n.status, n.held_by, m.notifications_paused as paused, k.backlog, b.is_blocked, l.is_kept
    from unnest($1::text[], $2::text[], $3::boolean[], $4::integer[]) with ordinality as k(h, m, f, c, backlog) cross join lateral (
      select ${columns} from notification n
      where n.held_by = 'host' and n.host = k.h and n.merchant_id = k.m and ${isDue} and (n.attempt = 0 or not k.f)
      order by (n.attempt > 0), n.next_attempt_at limit k.c for update skip locked) n
    ${olderOne}
    join merchant m on m.merchant_id = n.merchant_id)
  ${claimDue.replace('$lease', '$5')}, due.backlog::integer as backlog`,
};

export const parkAtHost: Statement = {
  name: 'wait-in-backlog',
  text: `with due as materialized (
    select n.merchant_id, n.order_no, n.status, l.is_kept from unnest($1::text[], $2::text[], $3::text[]) as k(m, o, s) cross join lateral (
      select ${columns} from notification n
      where ${keyed} and ${isDue} and n.held_by is null and n.host <> '' for update skip locked) n
    ${olderOne})
  update notification n set held_by = case when due.is_kept then 'order' else 'host' end from due where ${isIt}
  returning n.merchant_id as "merchantId", n.order_no as "orderNo", n.status`,
};

// After a notification was settled, in the same transaction: all that waited for it is due. If it has to wait for
// another one, its claim finds that. A lock of another session means that this session releases or claims it. There is
// one exception: a session that locked the row and then found it changed keeps the lock, and does nothing. Then the
// search for stranded ones releases it, at most half a second later.
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

// An attempt whose lease expired may arrive after a later one has settled the notification, or after a resend. Then it
// is only logged. Rows that another session holds are left out, so that other records do not wait for them. The
// statement returns what it has recorded.
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

/**
 * Gives back an attempt ($1 merchant, $2 order, $3 status, $4 attempt) under which nothing was sent. It is due again
 * in $5 ms.
 */
export const giveBackSql = `update notification set attempt = attempt - 1, next_attempt_at = clock_timestamp() + $5 * interval '1 ms'
     where merchant_id = $1 and order_no = $2 and status = $3 and state = 'pending' and attempt = $4 and earlier_attempts < $4`;

// The host backlog. These statements are unnamed: planned for the tables as they are.

/** Backlogs (host and merchant) at a host that are not empty. The index leads from one to the next. Parameters: $1 host, $2 limit. */
export const backlogsOfHostSql = `with recursive backlog as (
    (select host, merchant_id from notification where held_by = 'host' and host = $1::text order by host, merchant_id limit 1)
    union all
    select n.host, n.merchant_id from backlog l cross join lateral (
      select host, merchant_id from notification where held_by = 'host' and host = $1::text and (host, merchant_id) > (l.host, l.merchant_id)
      order by host, merchant_id limit 1) n)
  select host, merchant_id as "merchantId" from backlog limit $2`;

// The same condition as that of the index by merchant.
const inBacklog = `held_by = 'host' and created_at > '-infinity'`;

/**
 * Backlogs that are not empty. Each merchant has the same share, which is returned too. The index leads from one to the
 * next. Parameters: $1 merchant to begin after, $2 most merchants, $3 most backlogs in all, $4 merchants that continue
 * after their host in $5.
 */
export const nextBacklogsSql = `with recursive merchants as (
    (select merchant_id from notification where ${inBacklog} and merchant_id > $1::text order by merchant_id limit 1)
    union all
    select n.merchant_id from merchants m cross join lateral (
      select merchant_id from notification where ${inBacklog} and merchant_id > m.merchant_id order by merchant_id limit 1) n),
  visited as materialized (select merchant_id from merchants limit $2),
  shared as materialized (select greatest(1, $3::integer / greatest(1, count(*)::integer)) as share from visited)
  select v.merchant_id as "merchantId", b.host, s.share from visited v cross join shared s
    left join unnest($4::text[], $5::text[]) as c(merchant_id, host) on c.merchant_id = v.merchant_id
    left join lateral (
      with recursive backlog as (
        (select host from notification where ${inBacklog} and merchant_id = v.merchant_id and host > coalesce(c.host, '') order by host limit 1)
        union all
        select n.host from backlog l cross join lateral (
          select host from notification where ${inBacklog} and merchant_id = v.merchant_id and host > l.host order by host limit 1) n)
      select host from backlog limit s.share) b on true
  order by v.merchant_id, b.host`;

/** The first of each backlog, as work for the queues: $1 hosts, $2 merchants, $3 how many of each. */
export const firstOfBacklogsSql = `
  select case when n.attempt = 0 then 'notify' else 'retry' end as queue, n.merchant_id as "merchantId", n.order_no as "orderNo", n.status, n.host,
    round(extract(epoch from n.next_attempt_at) * 1000)::float8 as "dueAt", n.traceparent
  from unnest($1::text[], $2::text[], $3::integer[]) as k(h, m, c) cross join lateral (
    select * from notification where held_by = 'host' and host = k.h and merchant_id = k.m
    order by (attempt > 0), next_attempt_at limit k.c) n`;

const moved = (held: string): string => `update notification n set held_by = ${held} from due where ${isIt}`;

/** Takes notifications out of a backlog if the merchant is paused. Parameters: $1 host, $2 merchant, $3 limit. */
export const pauseBacklogSql = `with due as materialized (
    select merchant_id, order_no, status from notification where held_by = 'host' and host = $1 and merchant_id = $2
      and exists (select from merchant m where m.merchant_id = $2 and m.notifications_paused) limit $3 for update skip locked)
  ${moved("'pause'")}`;

/**
 * Puts notifications back on the schedule that no longer wait for an older one. Looks at $2 of them that are due after
 * $1 (Unix ms). Returns how many it saw, and the last one's time.
 */
export const releaseStrandedSql = `with seen as materialized (
    select merchant_id, order_no, status, seq, created_at, is_repeat, next_attempt_at from notification
    where held_by = 'order' and body <> '' and next_attempt_at > to_timestamp($1::float8 / 1000) order by next_attempt_at
    fetch first $2 rows with ties),
  due as (select n.* from seen n where not exists (select from notification o where ${isOlder})),
  released as (${moved('null')})
  select count(*)::integer as seen, max(round(extract(epoch from next_attempt_at) * 1000))::float8 as last from seen`;

/** Moves notifications whose pause is over to the backlogs of their hosts, the longest due first. Parameters: $1 limit. */
export const releaseResumedSql = `with recursive paused as (
    (select merchant_id from notification where held_by = 'pause' order by merchant_id limit 1)
    union all
    select n.merchant_id from paused p cross join lateral (
      select merchant_id from notification where held_by = 'pause' and merchant_id > p.merchant_id order by merchant_id limit 1) n),
  due as materialized (
    select n.* from paused p join merchant m on m.merchant_id = p.merchant_id and not m.notifications_paused cross join lateral (
      select merchant_id, order_no, status from notification where held_by = 'pause' and merchant_id = p.merchant_id
      order by next_attempt_at limit $1 for update skip locked) n
    limit $1)
  ${moved("case when n.host = '' then null else 'host' end")}`;

/** Pauses or resumes a merchant's notifications; no row if nothing changes. Parameters: $1 merchant, $2 whether to pause. */
export const pauseMerchantSql =
  'update merchant set notifications_paused = $2 where merchant_id = $1 and notifications_paused <> $2';
