import { nextContentNo } from '../files/queries.ts';

/** Whether a statement of the row's format is imported that covers the row's day, and the day is not only begun. `row` is SQL. */
const isImported = (
  row: string,
): string => `exists (select from statement_file s where s.merchant_id = ${row}.merchant_id and s.channel_id = ${row}.channel_id
  and s.format = ${row}.format and s.state = 'imported' and ${row}.day between s.first_day and s.last_day
  and not exists (select from reconciliation_day u where u.merchant_id = ${row}.merchant_id and u.channel_id = ${row}.channel_id and u.day = ${row}.day and u.is_part))`;
const key = 'merchant_id = $1 and channel_id = $2 and format = $3 and day = $4';
const zones = (countries: string, names: string): string =>
  `unnest(${countries}::text[], ${names}::text[]) as z(country, zone)`;
const isFree = (row: string): string => `(${row}.held_until is null or ${row}.held_until <= clock_timestamp())`;
const ms = (value: string): string => `${value}::float8 * interval '1 millisecond'`;

/** The channels whose statements are fetched by schedule, at most 1,000. */
export const fetchingChannelsSql =
  'select distinct channel_id as "channelId" from reconciled_channel where fetches order by 1 limit 1000';

/**
 * Adds the days of the formats $2 of the channels $1 that are over, and that no statement covers: at most $5 days back. $3 and $4: countries and their time
 * zones. $6: when the first attempt comes, $7: how long it is tried (ms).
 */
export const planFetchesSql = `
insert into statement_fetch (merchant_id, channel_id, format, day, next_at, give_up_at)
select w.merchant_id, w.channel_id, w.format, w.day, (w.day + 1)::timestamp at time zone w.zone + ${ms('$6')}, clock_timestamp() + ${ms('$7')}
from (select c.merchant_id, c.channel_id, o.format, g.day::date as day, z.zone
  from reconciled_channel c join merchant m using (merchant_id)
  join unnest($1::text[], $2::text[]) as o(channel_id, format) on o.channel_id = c.channel_id
  join ${zones('$3', '$4')} on z.country = m.country
  cross join lateral generate_series(greatest(c.begins_on, (clock_timestamp() at time zone z.zone)::date - $5::integer)::timestamp,
    ((clock_timestamp() at time zone z.zone)::date - 1)::timestamp, interval '1 day') as g(day)
  where c.fetches) w
where not exists (select from statement_fetch f where f.merchant_id = w.merchant_id and f.channel_id = w.channel_id and f.format = w.format and f.day = w.day)
  and not ${isImported('w')}
on conflict (merchant_id, channel_id, format, day) do nothing`;

/**
 * Takes the day that has been due longest, at a channel from which no process fetches, for $2 ms. $1: the attempt, $3: the most bytes of a day. Only one process at a time may run this
 * (`runExclusively`). Days that the schedule does not want any more are left alone.
 */
export const claimFetchSql = `
update statement_fetch f set holder = $1, held_until = clock_timestamp() + ${ms('$2')}, attempts = f.attempts + 1
from (select d.merchant_id, d.channel_id, d.format, d.day, m.country
  from statement_fetch d join reconciled_channel c using (merchant_id, channel_id) join merchant m using (merchant_id)
  where d.state = 'due' and d.next_at <= clock_timestamp() and (c.fetches or d.asked_by is not null) and d.day >= c.begins_on
    and d.bytes < $3::bigint and not exists (select from statement_fetch h where h.channel_id = d.channel_id and h.held_until > clock_timestamp())
  order by d.next_at, d.day, d.format limit 1) n
where f.merchant_id = n.merchant_id and f.channel_id = n.channel_id and f.format = n.format and f.day = n.day
returning f.merchant_id as "merchantId", f.channel_id as "channelId", f.format, f.day::text as day, f.attempts, f.holder, f.asked_by as "requestedBy",
  f.bytes::float8 as bytes, n.country`;

/** Adds $6 bytes to what the attempts for the day have transferred. */
export const addBytesSql = `update statement_fetch set bytes = bytes + $6::bigint where ${key} and holder = $5`;

/** Stores the outcome of the attempt $5: the state $6, again in $7 ms, because of $8 and $9. $10: its file. */
export const endAttemptSql = `update statement_fetch set state = $6, next_at = clock_timestamp() + ${ms('$7')}, outcome = $8, detail = $9,
    file_no = coalesce($10::bigint, file_no), holder = null, held_until = null
  where ${key} and holder = $5`;

/** Lets the file $6 of the attempt $5 be imported, in the format version $7, unless another attempt has begun since. A refused file is checked again. */
export const startImportSql = `
with mine as (update statement_fetch set state = 'received', outcome = null, detail = null, file_no = $6::bigint, holder = null, held_until = null
  where ${key} and holder = $5 returning 1)
update statement_file f set state = 'received', channel_id = $2, format = $3, format_version = $7, fetched_day = $4, content_no = ${nextContentNo('f')}
where merchant_id = $1 and file_no = $6::bigint and state in ('uploaded', 'refused') and content_deleted_at is null and exists (select from mine)`;

/**
 * The last statement of the channel $2 with the content $3 that was fetched for the day $4 and refused. One with stored lines is left out: another version
 * of its format may read them otherwise. Empty files of other days have the same content.
 */
export const refusedFileSql = `select s.file_no::float8 as "fileNo" from statement_file s
  where s.merchant_id = $1 and s.channel_id = $2 and s.sha256 = $3 and s.fetched_day = $4 and s.state = 'refused' and s.content_deleted_at is null
    and not exists (select from statement_line l where l.merchant_id = s.merchant_id and l.file_no = s.file_no)
  order by s.file_no desc limit 1`;

/**
 * Whether the format of the fetch `f` of the channel `c` is fetched for its day, and has not come. A day after the end of the day the channel has none if
 * it says so. `zone` is SQL.
 */
export const isAwaited = (zone: string): string => `f.state <> 'fetched' and (c.fetches or f.asked_by is not null)
    and not (f.outcome is not distinct from 'not_ready' and (f.day + 2)::timestamp at time zone ${zone} <= clock_timestamp()) and not ${isImported('f')}`;

/** What a day of a channel still waits for: formats that have not come, with what came of the last attempt. $4: the time zone. */
export const awaitedSql = `select f.format || coalesce(' (' || f.detail || ')', '') as awaited from statement_fetch f
  join reconciled_channel c using (merchant_id, channel_id)
  where f.merchant_id = $1 and f.channel_id = $2 and f.day = $3 and ${isAwaited('$4')}
  order by f.format`;

/** Fetched days whose file is imported or refused. Parameters: $1 limit. */
export const endedImportsSql = `select f.merchant_id as "merchantId", f.channel_id as "channelId", f.format, f.day::text as day, f.attempts, s.state,
    m.country, s.file_no::float8 as "fileNo", s.refusal, coalesce(f.day between s.first_day and s.last_day, false) as "isOfDay", s.lines = 0 and s.unparsed = 0 as "isEmpty"
  from statement_fetch f join merchant m using (merchant_id) join statement_file s on s.merchant_id = f.merchant_id and s.file_no = f.file_no
  where f.state = 'received' and s.state in ('imported', 'refused') limit $1`;
export const endReceivedSql = `update statement_fetch set state = $5, next_at = clock_timestamp() + ${ms('$6')}, outcome = $7, detail = $8
  where ${key} and state = 'received'`;

/** Ends the days that an uploaded statement covers by now. An operator may still request one. */
export const endUploadedSql = `update statement_fetch f set state = 'fetched', outcome = null, detail = null
  where f.state in ('due', 'given_up') and f.asked_by is null and ${isFree('f')} and ${isImported('f')}`;

/** Gives up the days whose time is over, or whose attempts have transferred $1 bytes. */
export const giveUpSql = `update statement_fetch f set state = 'given_up',
    detail = case when f.bytes >= $1::bigint then left(f.bytes / 1048576 || ' MiB came, and no file that can be used: ' || coalesce(f.detail, ''), 300) else f.detail end
  where f.state = 'due' and f.attempts > 0 and (f.give_up_at <= clock_timestamp() or f.bytes >= $1::bigint) and ${isFree('f')}
  returning f.channel_id as "channelId", f.format, f.day::text as day, f.detail`;

/** Makes the day $4 due now, for $6 ms, because the operator $5 requested it. A running attempt is not changed. */
export const askForFetchSql = `insert into statement_fetch as f (merchant_id, channel_id, format, day, next_at, give_up_at, asked_by)
  values ($1, $2, $3, $4, clock_timestamp(), clock_timestamp() + ${ms('$6')}, $5)
  on conflict (merchant_id, channel_id, format, day) do update set state = 'due', attempts = 0, bytes = 0, next_at = excluded.next_at, give_up_at = excluded.give_up_at,
    asked_by = excluded.asked_by, outcome = null, detail = null
  where f.state <> 'received' and ${isFree('f')}`;

/** First day of a channel's reconciliation, and whether the day $3 is over in the time zone $4. */
export const fetchableDaySql = `select begins_on::text as "beginsOn", ($3::date + 1)::timestamp at time zone $4 <= clock_timestamp() as "isOver"
  from reconciled_channel where merchant_id = $1 and channel_id = $2`;

/**
 * How many statements of each fetching channel are missing a day after they could be there, of the last 31 days. Days for which the channel has none, and on
 * which the ledger expects nothing, are not counted. $1 and $2: countries and their time zones.
 */
export const missingStatementsSql = `
select c.channel_id as "channelId", count(f.day)::integer as count
from reconciled_channel c join merchant m using (merchant_id) join ${zones('$1', '$2')} on z.country = m.country
left join statement_fetch f on f.merchant_id = c.merchant_id and f.channel_id = c.channel_id and f.state in ('due', 'given_up')
  and f.day >= (clock_timestamp() at time zone z.zone)::date - 31 and (f.day + 2)::timestamp at time zone z.zone <= clock_timestamp()
  and (f.outcome is distinct from 'not_ready' or exists (select from reconciliation_day d
    where d.merchant_id = f.merchant_id and d.channel_id = f.channel_id and d.day = f.day and d.expectations > 0))
where c.fetches group by 1 order by 1`;
