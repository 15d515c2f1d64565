import type { MikroORM } from '@mikro-orm/postgresql';
import { columnsOf } from '../../database/columns.ts';
import { StatementFileRow } from '../../database/entities/reconciliation.ts';

const fileColumns = (orm: MikroORM): string => columnsOf(orm, StatementFileRow);

/** Begins a file of the tenant $1, called $2, uploaded by $3. */
export const beginFileSql =
  'insert into statement_file (merchant_id, name, uploaded_by) values ($1, $2, $3) returning file_no::float8 as "fileNo"';
export const addChunkSql =
  'insert into statement_chunk (merchant_id, file_no, chunk_no, content) values ($1, $2, $3, $4)';
export const endFileSql = `update statement_file set state = 'uploaded', size = $3, sha256 = $4 where merchant_id = $1 and file_no = $2 and state = 'uploading'`;

/** The statements that the operator $1 uploaded within 24 hours. One that is being uploaded counts as $2 bytes. */
export const uploadUseSql = `select count(*)::integer as files, coalesce(sum(case state when 'uploading' then $2::float8 else size end), 0)::float8 as bytes from statement_file
  where uploaded_at > clock_timestamp() - interval '1 day' and uploaded_by = $1 and fetched_day is null`;

/** Removes uploads that were broken off, or that were not imported within a day; with $2: this one alone. */
export const dropUploadSql = 'select drop_upload($1, $2)';

export const fileSql = (orm: MikroORM): string =>
  `select ${fileColumns(orm)} from statement_file t where t.merchant_id = $1 and t.file_no = $2`;

/**
 * The file of the channel $2 with the content $3 that was imported, or waits for it. Not if another version came since: of the fetched day $4, or without a
 * day one that replaced what the file shows. Then the content is the newest version again.
 */
export const sameFileSql = (orm: MikroORM): string =>
  `select ${fileColumns(orm)} from statement_file t where t.merchant_id = $1 and t.channel_id = $2 and t.sha256 = $3 and t.state in ('received', 'imported')
    and not case when $4::date is not null
      then exists (select from statement_file o where o.merchant_id = $1 and o.channel_id = $2 and o.fetched_day = $4 and o.format = t.format
        and o.file_no > t.file_no and o.state in ('received', 'imported'))
      else exists (select from superseded_line s where s.merchant_id = $1 and s.file_no = t.file_no)
        or exists (select from statement_balance b where b.merchant_id = $1 and b.file_no = t.file_no and not b.is_current) end
  order by t.content_no desc limit 1`;
/** The number of the next file of the channel $2 with the content of the file `row`. */
export const nextContentNo = (row: string): string =>
  `(select coalesce(max(o.content_no) + 1, 0) from statement_file o where o.merchant_id = $1 and o.channel_id = $2 and o.sha256 = ${row}.sha256 and o.state in ('received', 'imported'))`;

/** Whether lines of the file are stored. They are never removed, so a refused file with lines cannot be imported in another format. */
export const hasLinesSql = 'select from statement_line where merchant_id = $1 and file_no = $2 limit 1';

/** Lets the file $3 of the tenant $1 be imported for the channel $2. $6: the operators who decide it. */
export const receiveFileSql = `update statement_file f set state = 'received', channel_id = $2, format = $4, format_version = $5, content_no = ${nextContentNo('f')},
    imported_by = array(select distinct o from unnest(imported_by || $6::text[]) as o where o is not null order by o)
  where merchant_id = $1 and file_no = $3 and state in ('uploaded', 'refused') and content_deleted_at is null`;

/** Keeps who confirmed the file $2 of the tenant $1. */
export const confirmFileSql =
  'update statement_file set confirmed_by = $3, confirmed_at = clock_timestamp() where merchant_id = $1 and file_no = $2';

/** The accounts of the other channels of a country. */
const accountsOfOthers = (merchant: string, channel: string): string =>
  `coalesce((select json_agg(json_build_object('channelId', o.channel_id, 'account', o.account) order by o.channel_id) from reconciled_channel o
      where o.merchant_id = ${merchant} and o.channel_id <> ${channel} and o.account is not null), '[]')`;

/** What the channel $2 of the tenant $1 is known for. */
export const expectedFileSql = `select c.account, c.begins_on::text as "beginsOn", ${accountsOfOthers('t.merchant_id', 't.channel_id')} as others
  from (select $1::text as merchant_id, $2::text as channel_id) t left join reconciled_channel c using (merchant_id, channel_id)`;

/** The files that have waited longest for their import, with what their channels expect. Parameters: $1 limit. */
export const nextFilesSql = `select f.merchant_id as "merchantId", f.file_no::float8 as "fileNo", f.channel_id as "channelId", f.format,
    f.format_version as "formatVersion", m.country, c.account, c.begins_on::text as "beginsOn", f.fetched_day::text as "fetchedDay", f.sha256,
    ${accountsOfOthers('f.merchant_id', 'f.channel_id')} as others
  from statement_file f join merchant m using (merchant_id) left join reconciled_channel c on c.merchant_id = f.merchant_id and c.channel_id = f.channel_id
  where f.state = 'received' order by f.uploaded_at limit $1::integer for no key update of f skip locked`;

/** Today in the time zone $1. */
export const todaySql = 'select (clock_timestamp() at time zone $1)::date::text as today';

export const chunkSql = 'select content from statement_chunk where merchant_id = $1 and file_no = $2 and chunk_no = $3';

/** The file $2 of the tenant $1, as long as its bytes are there. */
export const contentSql = `select merchant_id as "merchantId", file_no::float8 as "fileNo", size::float8 as size, sha256 from statement_file
  where merchant_id = $1 and file_no = $2::bigint and state <> 'uploading' and content_deleted_at is null`;

/** How many lines of the file are stored. They are stored in the order of the file. */
export const storedLinesSql =
  'select count(*)::integer as count from statement_line where merchant_id = $1 and file_no = $2';

/** Stores the lines $5 (JSON) of the file $2 of the tenant $1 and the channel $3, as format version $4 reads them. */
export const addLinesSql = `insert into statement_line (merchant_id, file_no, line_no, part, channel_id, day, format_version, type, direction, gross, fee, tax, net,
    currency, occurred_at, channel_ref, order_no, bank_ref, settlement_ref, balance_after)
  select $1, $2, r."lineNo", r.part, $3, r."bookedOn", $4, r.type, r.direction, r.gross, r.fee, r.tax, r.net, r.currency, to_timestamp(r."occurredAt" / 1000),
    r."channelRef", r."orderNo", r."bankRef", r."settlementRef", r."balanceAfter"
  from json_to_recordset($5::json) as r("lineNo" integer, part integer, "bookedOn" date, type text, direction text, gross numeric, fee numeric, tax numeric,
    net numeric, currency text, "occurredAt" float8, "channelRef" text, "orderNo" text, "bankRef" text, "settlementRef" text, "balanceAfter" numeric)
  on conflict (merchant_id, file_no, line_no, part) do nothing`;
export const addUnparsedSql = `insert into statement_unparsed (merchant_id, file_no, line_no, reason)
  select distinct on (r."lineNo") $1, $2::bigint, r."lineNo", r.reason from json_to_recordset($3::json) as r("lineNo" integer, reason text)
  on conflict (merchant_id, file_no, line_no) do nothing`;

export const refuseFileSql = `update statement_file set state = 'refused', refusal = $3 where merchant_id = $1 and file_no = $2 and state = 'received'`;

/** $11: the last whole day, where the file names it. $12: the time zone. A day that is not over when the file comes is not whole either. */
export const finishFileSql = `update statement_file set state = 'imported', imported_at = clock_timestamp(), refusal = null,
    lines = $3, unparsed = $4, first_day = $5, last_day = $6, total_in = $7, total_out = $8, opening = $9, closing = $10,
    covered_until = least($6::date, $11::date)
  where merchant_id = $1 and file_no = $2 and state = 'received'
  returning least(covered_until, (uploaded_at at time zone $12)::date - 1)::text as "wholeUntil"`;

/** The file $2 came again: days that were not over when it came first are whole now, if they are over. $3: the time zone. */
export const seenAgainSql = `update reconciliation_day d set is_part = false from statement_file f
  where f.merchant_id = $1 and f.file_no = $2 and f.state = 'imported' and d.merchant_id = f.merchant_id and d.channel_id = f.channel_id and d.is_part
    and d.day between f.first_day and least(f.covered_until, (clock_timestamp() at time zone $3)::date - 1)`;

/** The first file of a channel says from which day it is reconciled, and which account it is about. */
export const beginChannelSql = `with known as (update reconciled_channel set account = $4 where merchant_id = $1 and channel_id = $2 and account is null and $4::text is not null)
  insert into reconciled_channel (merchant_id, channel_id, begins_on, account) values ($1, $2, $3, $4) on conflict (merchant_id, channel_id) do nothing`;

/** Whether a later version of its statement shows the line otherwise, or not at all. `line` is SQL. */
export const isSuperseded = (line: string): string => `exists (select from superseded_line v
  where v.merchant_id = ${line}.merchant_id and v.file_no = ${line}.file_no and v.line_no = ${line}.line_no and v.part = ${line}.part)`;
/** The rule of a line of which operators said that it shows a movement again. It has the match of the movement, and nothing was booked for it. */
export const repetition = 'repeated';
/**
 * Whether another line that counts shows the movement of the repetition `l`, whose match is `m`: as it was, or corrected. `which`: of these lines `t` only
 * some. All are SQL.
 */
export const isShownBy = (l: string, m: string, which = 'true'): string => `exists (select from matched_line t
    join statement_line o on o.merchant_id = t.merchant_id and o.file_no = t.file_no and o.line_no = t.line_no and o.part = t.part
    where t.merchant_id = ${m}.merchant_id and t.match_no = ${m}.match_no and (t.file_no, t.line_no, t.part) <> (${m}.file_no, ${m}.line_no, ${m}.part)
      and o.direction = ${l}.direction and (o.gross = ${l}.gross or t.rule = 'corrected_line') and not ${isSuperseded('t')} and ${which})`;
/** Whether another file of its account has the line already. `line` is SQL. */
const isSameLine = (
  line: string,
): string => `exists (select from matched_line m where m.merchant_id = ${line}.merchant_id and m.file_no = ${line}.file_no
  and m.line_no = ${line}.line_no and m.part = ${line}.part and m.rule = 'same_line')`;

/** The last number of a match of the tenant $1. The lock of the reconciliation keeps others away. Decisions of operators have negative numbers. */
export const nextMatch = `base as (select greatest((select coalesce(max(match_no), 0) from matched_line where merchant_id = $1),
  (select coalesce(max(match_no), 0) from matched_expectation where tenant = $1)) as no)`;

/**
 * Counts the file's lines by day, marks its days $4 to $5 as covered, and as due for matching. Those after $6 are only begun, unless another file shows
 * them as a whole. Only lines in the currency of the tenant are summed up.
 */
export const coverDaysSql = `
insert into reconciliation_day as d (merchant_id, channel_id, day, is_covered, is_part, is_due, lines, statement_net)
select $1, $3, g.day::date, true, coalesce(g.day::date > $6::date, false), true, coalesce(l.lines, 0), coalesce(l.net, 0)
from generate_series($4::date, $5::date, interval '1 day') as g(day)
left join (select day, count(*)::integer as lines,
    coalesce(sum(case direction when 'in' then net else -net end) filter (where currency = (select m.currency from merchant m where m.merchant_id = $1)), 0) as net
  from statement_line l where merchant_id = $1 and file_no = $2 and not ${isSameLine('l')} group by day) l on l.day = g.day::date
order by g.day
on conflict (merchant_id, channel_id, day) do update set is_covered = true, is_part = excluded.is_part and (d.is_part or not d.is_covered), is_due = true, lines = d.lines + excluded.lines,
  statement_net = d.statement_net + excluded.statement_net`;

/** The next number of a break of the tenant $1 is one more than this. */
export const lastBreakSql = '(select coalesce(max(break_no), 0) from reconciliation_break where merchant_id = $1)';

/** Another line that counts shows the movement of the line `l` in a file that is not `files`, so that its fee is booked with that one. On another day it is another movement. */
const isBookedElsewhere = (files: string): string => `exists (select from statement_line d
  join statement_file f on f.merchant_id = d.merchant_id and f.file_no = d.file_no and f.state = 'imported'
  where d.merchant_id = $1 and d.channel_id = $3 and d.channel_ref = l.channel_ref and d.file_no not in (${files})
    and d.day = l.day and d.type = l.type and d.direction = l.direction and d.gross = l.gross and d.fee = l.fee and d.tax = l.tax and d.currency = l.currency
    and not ${isSuperseded('d')} and not ${isSameLine('d')})`;

/**
 * One break for each day over what the channel charged within its lines in the currency $4: what the lines of this file say that count now, less what was
 * booked for those that count no more. What other files show of the same movement is booked with them.
 */
export const addFeeBreaksSql = `insert into reconciliation_break (merchant_id, break_no, channel_id, day, subject, kind, amount, file_no)
  select $1, ${lastBreakSql} + row_number() over (order by f.day), $3, f.day, 'fees ' || $2::bigint || '/' || f.day, 'fee', -f.charged, $2::bigint
  from (select day, sum(charged) as charged from (
      select l.day, l.fee + l.tax as charged from statement_line l
      where l.merchant_id = $1 and l.file_no = $2 and l.currency = $4 and l.fee + l.tax > 0 and not ${isSameLine('l')} and not ${isBookedElsewhere('$2::bigint')}
      union all
      select l.day, -(l.fee + l.tax) from superseded_line s join statement_line l using (merchant_id, file_no, line_no, part)
      where s.merchant_id = $1 and s.by_file_no = $2 and l.currency = $4 and l.fee + l.tax > 0 and not ${isBookedElsewhere('$2::bigint, l.file_no')}
    ) c group by day having sum(charged) <> 0) f`;

/** One break for each row of the file that cannot be read, on the file's first day $4. The first break has the amount of all these rows together: $5. */
export const addUnparsedBreaksSql = `insert into reconciliation_break (merchant_id, break_no, channel_id, day, subject, kind, amount, file_no, line_no)
  select $1, ${lastBreakSql} + row_number() over (order by line_no), $3, $4::date, 'unparsed ' || $2::bigint || '/' || line_no, 'unparsed',
    case when row_number() over (order by line_no) = 1 then $5::numeric else 0 end, $2::bigint, line_no
  from statement_unparsed where merchant_id = $1 and file_no = $2`;

/**
 * One break on the file's first day $4 over $5: what its lines in another currency changed in the balance of the account, less what was booked for earlier
 * versions of them, or of rows that could not be read there.
 */
export const addForeignBreakSql = `insert into reconciliation_break (merchant_id, break_no, channel_id, day, subject, kind, amount, file_no)
  select $1, ${lastBreakSql} + 1, $3, $4::date, 'balance ' || $2::bigint, 'currency', $5::numeric, $2::bigint`;

/** The oldest statement whose import has ended, and whose bytes are older than $1 days. */
export const oldContentSql = `select merchant_id as "merchantId", file_no::float8 as "fileNo" from statement_file
  where state in ('imported', 'refused') and content_deleted_at is null and uploaded_at < clock_timestamp() - $1 * interval '1 day'
  order by uploaded_at limit 1`;
/** Deletes the bytes of the file $2, unless it waits for its import again. */
export const deleteContentSql = 'select purge_statement_content($1, $2)';

export const knownChannelSql = 'select from channel where channel_id = $1';
