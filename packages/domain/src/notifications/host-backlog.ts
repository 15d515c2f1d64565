import type { NotificationWork } from '../core/queued-work.ts';
import type { DatabaseAccess } from '../database/database.ts';
import { isOlder } from './statements.ts';

/**
 * A merchant's notifications that wait for their turn at one host. They stand off the schedule, so that however many they are nobody looks at
 * them again and again; whoever ends an attempt there takes the next one, and `dispatch` looks at each line in turn.
 */
export interface Line {
  host: string;
  merchantId: string;
}

/** Lines in which somebody waits, by host and merchant, those that come after `after`; at most `limit`, with `ofHost` of that host only. */
export async function waitingLines(
  domain: DatabaseAccess,
  { after, ofHost = null, limit }: { after: Line; ofHost?: string | null; limit: number },
): Promise<Line[]> {
  const { rows } = await domain.database.pool.query<Line>(linesSql, [after.host, after.merchantId, ofHost, limit]);
  return rows;
}

/** The first `count` of each of these lines, as work for the queues. */
export async function firstInLines(
  domain: DatabaseAccess,
  wanted: readonly (Line & { count: number })[],
): Promise<NotificationWork[]> {
  const { rows } = await domain.database.pool.query<NotificationWork & { traceparent: string | null }>(firstSql, [
    wanted.map((line) => line.host),
    wanted.map((line) => line.merchantId),
    wanted.map((line) => line.count),
  ]);
  return rows.map(({ traceparent, ...work }) => ({ ...work, ...(traceparent !== null && { traceparent }) }));
}

/** Takes a paused merchant's notifications out of its line; they wait for the end of the pause instead. At most 5,000 at once. */
export async function pauseLine(domain: DatabaseAccess, { host, merchantId }: Line): Promise<number> {
  const { rowCount } = await domain.database.pool.query(pauseSql, [host, merchantId, pausedAtOnce]);
  return rowCount ?? 0;
}

/**
 * Puts what merchants' pauses kept into the lines at its hosts, once the pause is over: the longest due first, at most `limit`. So a pause ends by one
 * flag, whatever dies meanwhile, and a large backlog drains at the pace of its own host. Gives how many there were.
 */
export async function releaseResumed(domain: DatabaseAccess, limit: number): Promise<number> {
  const { rowCount } = await domain.database.pool.query(releaseSql, [limit]);
  return rowCount ?? 0;
}

/**
 * Puts those back on the schedule that wait for an older notification of their order although it was settled: a worker of an older release
 * releases nobody. Looks at `limit` of them that are due after `after`, in Unix ms, and at those of the same millisecond as the last; gives where the next look goes on, null at the end.
 */
export async function releaseForgotten(domain: DatabaseAccess, after: number, limit: number): Promise<number | null> {
  const { rows } = await domain.database.pool.query<{ last: number | null; seen: number }>(forgottenSql, [
    after,
    limit,
  ]);
  const { last = null, seen = 0 } = rows[0] ?? {};
  return seen >= limit ? last : null;
}

const pausedAtOnce = 5_000;

// From one line to the next by the index, without reading who waits in them. Statements here are unnamed: planned for the tables as they are.
const linesSql = `with recursive line as (
    (select host, merchant_id from notification
      where held_by = 'host' and (host, merchant_id) > ($1::text, $2::text) and ($3::text is null or host = $3) order by host, merchant_id limit 1)
    union all
    select n.host, n.merchant_id from line l cross join lateral (
      select host, merchant_id from notification where held_by = 'host' and (host, merchant_id) > (l.host, l.merchant_id)
        and ($3::text is null or host = $3) order by host, merchant_id limit 1) n)
  select host, merchant_id as "merchantId" from line limit $4`;

const firstSql = `
  select case when n.attempt = 0 then 'notify' else 'retry' end as queue, n.merchant_id as "merchantId", n.order_no as "orderNo", n.status, n.host,
    round(extract(epoch from n.next_attempt_at) * 1000)::float8 as "dueAt", n.traceparent
  from unnest($1::text[], $2::text[], $3::integer[]) as k(h, m, c) cross join lateral (
    select * from notification where held_by = 'host' and host = k.h and merchant_id = k.m
    order by (attempt > 0), next_attempt_at limit k.c) n`;

const moved = (held: string): string => `update notification n set held_by = ${held} from due
  where n.merchant_id = due.merchant_id and n.order_no = due.order_no and n.status = due.status`;

const pauseSql = `with due as materialized (
    select merchant_id, order_no, status from notification where held_by = 'host' and host = $1 and merchant_id = $2
      and exists (select from merchant m where m.merchant_id = $2 and m.notifications_paused) limit $3 for update skip locked)
  ${moved("'pause'")}`;

const forgottenSql = `with seen as materialized (
    select merchant_id, order_no, status, seq, created_at, is_repeat, next_attempt_at from notification
    where held_by = 'order' and body <> '' and next_attempt_at > to_timestamp($1::float8 / 1000) order by next_attempt_at
    fetch first $2 rows with ties),
  due as (select n.* from seen n where not exists (select from notification o where ${isOlder})),
  released as (${moved('null')})
  select count(*)::integer as seen, max(round(extract(epoch from next_attempt_at) * 1000))::float8 as last from seen`;

const releaseSql = `with recursive paused as (
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
