import { isShownBy, isSuperseded, lastBreakSql, repetition } from '../files/queries.ts';
import { contentOf } from '../identity/queries.ts';

/** Stores the balances $4 (JSON) of the statements of the file $2, in the channel $3. */
export const addBalancesSql = `insert into statement_balance (merchant_id, file_no, place, channel_id, first_day, last_day, opening, closing)
  select $1, $2, r.place, $3, r."firstDay", r."lastDay", r.opening, r.closing
  from json_to_recordset($4::json) as r(place integer, "firstDay" date, "lastDay" date, opening numeric, closing numeric)`;

/**
 * Days of the channel $2 of which a statement shows only the beginning are whole as soon as the next statement opens with its closing balance. Only from
 * the day $3 on, less a week.
 */
export const completeDaysSql = `update reconciliation_day d set is_part = false
  where d.merchant_id = $1 and d.channel_id = $2 and d.is_part and d.day >= $3::date - 7
    and exists (select from statement_balance b join statement_balance a on a.merchant_id = b.merchant_id and a.channel_id = b.channel_id
      and a.first_day between b.last_day + 1 and b.last_day + 7 and a.opening = b.closing
      where b.merchant_id = $1 and b.channel_id = $2 and b.last_day = d.day and b.is_current)`;

/** A bank corrects days up to a month back. */
const from = '($3::date - 31)';
const ofAccount = (row: string): string => `${row}.merchant_id = $1 and ${row}.channel_id = $2`;
const signed = (line: string): string => `case ${line}.direction when 'in' then ${line}.net else -${line}.net end`;
const lineOf = (row: string): string => `${row}.file_no, ${row}.line_no, ${row}.part`;
const isCounted = `not ${isSuperseded('l')} and l.currency = (select currency from merchant where merchant_id = $1)
    and not exists (select from matched_line m where m.merchant_id = $1 and (${lineOf('m')}) = (${lineOf('l')}) and m.rule = 'same_line')`;

/**
 * What is known of the account of the channel $2 from a month before the day $3 on, beginning some ends of days before: statements that count, what moved by
 * day, and gaps that people ended. What a line moved counts within the days of its statement, also if the bank dates it to another day.
 */
export const accountFactsSql = `
with start as (select coalesce(min(e.last_day), '-infinity') as day from (
    select distinct b.last_day from statement_balance b where ${ofAccount('b')} and b.is_current and b.last_day < ${from} order by 1 desc limit 3) e),
known as materialized (select b.* from statement_balance b where ${ofAccount('b')} and b.is_current and b.last_day >= (select day from start)),
begun as (select min(first_day) as day from known),
outside as (
  select l.day, case when l.day < b.first_day then b.first_day else b.last_day end as counted_on, ${signed('l')} as amount
  from (select k.file_no, min(k.first_day) as first_day, max(k.last_day) as last_day from known k group by k.file_no) b
  join statement_file f on f.merchant_id = $1 and f.file_no = b.file_no and (f.first_day < b.first_day or f.last_day > b.last_day)
  join statement_line l on l.merchant_id = $1 and l.file_no = b.file_no and (l.day < b.first_day or l.day > b.last_day) and ${isCounted}),
moved as (
  select d.day, d.statement_net as amount from reconciliation_day d, begun where ${ofAccount('d')} and d.day >= begun.day and d.statement_net <> 0
  union all select day, -amount from outside
  union all select counted_on, amount from outside
  -- Lines of which operators said that they show a movement again.
  union all
  select l.day, -(${signed('l')}) from reconciliation_break b
  join statement_line l on l.merchant_id = $1 and (${lineOf('l')}) = (${lineOf('b')})
  join matched_line m on m.merchant_id = $1 and (${lineOf('m')}) = (${lineOf('l')}) and m.rule = '${repetition}', begun
  where ${ofAccount('b')} and b.state = 'linked' and b.day >= begun.day and ${isShownBy('l', 'm')} and ${isCounted}
  -- Rows that no line shows have breaks of their own.
  union all
  select coalesce(s.last_day, b.day), b.amount from reconciliation_break b
  left join lateral (select k.last_day from known k where k.file_no = b.file_no and k.closing - k.opening <> coalesce((select sum(${signed('l')})
      from statement_line l join merchant o using (merchant_id) where l.merchant_id = $1 and l.file_no = k.file_no and l.currency = o.currency
        and l.day between k.first_day and k.last_day), 0) order by k.place limit 1) s on true, begun
  where ${ofAccount('b')} and (b.kind = 'unparsed' or b.kind = 'currency' and b.subject ^@ 'balance ') and b.state <> 'matched' and b.amount <> 0
    and b.day >= begun.day)
select
  (select coalesce(json_agg(json_build_object('fileNo', k.file_no, 'place', k.place, 'firstDay', k.first_day, 'lastDay', k.last_day, 'opening', k.opening::text,
    'closing', k.closing::text, 'firstFileNo', (select min(o.file_no) from statement_balance o where ${ofAccount('o')} and o.first_day = k.first_day
      and o.last_day = k.last_day and o.opening = k.opening and o.file_no <= k.file_no and (not o.is_current or o.file_no = k.file_no)))), '[]') from known k) as statements,
  (select coalesce(json_agg(json_build_object('day', t.day, 'amount', t.amount::text)), '[]') from (select day, sum(amount) as amount from moved group by day) t) as moved,
  (select coalesce(json_agg(json_build_object('since', coalesce(b.since, b.day - 1), 'day', b.day, 'isBooked', b.state <> 'linked', 'amount', (case b.state when 'linked' then b.amount + coalesce((
      select sum(o.amount) from reconciliation_break o where o.merchant_id = $1 and o.subject = b.subject and o.state in ('posted', 'written_off')
        and o.break_no < b.break_no), 0) else b.amount end)::text)), '[]') from reconciliation_break b, begun
    where ${ofAccount('b')} and b.kind = 'balance' and b.state in ('linked', 'posted', 'written_off') and b.day >= begun.day
      and coalesce(b.since, b.day - 1) >= begun.day - 1) as ended`;

const statement = (name: string): string =>
  `join statement_balance ${name} on ${name}.merchant_id = $1 and ${name}.file_no = r.${name} and ${name}.place = r."${name}Place"`;
const linesWithin = (file: string): string =>
  `statement_line l where l.merchant_id = $1 and l.file_no = ${file}.file_no`;
/**
 * Of these pairs of statements $2 (JSON) those of which the first shows a part of the second: it opens with a balance that the second goes through, and the
 * second has all of its lines that count.
 */
export const isPartOfSql = `select part.file_no || '/' || part.place || ' ' || whole.file_no || '/' || whole.place as pair
  from json_to_recordset($2::json) as r(part bigint, "partPlace" integer, whole bigint, "wholePlace" integer) ${statement('part')} ${statement('whole')}
  where part.opening in (select whole.opening union select whole.opening + sum(${signed('l')}) over (order by l.day, l.line_no, l.part)
      from ${linesWithin('whole')} and l.day between whole.first_day and whole.last_day and l.currency = (select currency from merchant where merchant_id = $1))
    and not exists (select ${contentOf('l')} from ${linesWithin('part')} and l.day between part.first_day and part.last_day and not ${isSuperseded('l')}
      except all select ${contentOf('l')} from ${linesWithin('whole')} and l.day between part.first_day and part.last_day)`;

const isGap = `${ofAccount('b')} and b.kind = 'balance'`;
/**
 * The gaps of the account of the channel $2 from a month before the day $3 on are $4 (JSON). Each is a break of its day. Others that are open end.
 */
export const writeGapsSql = `
with found as materialized (select 'end of ' || $2::text || ' ' || g.day as subject, g.* from json_to_recordset($4::json) as g(since date, day date, amount numeric, "fileNo" bigint)
    where g.day >= ${from}),
ended as (update reconciliation_break b set state = 'matched', closed_at = clock_timestamp()
  where ${isGap} and b.day >= ${from} and b.state = 'open' and not exists (select from found f where f.subject = b.subject)),
changed as (update reconciliation_break b set amount = f.amount, since = f.since from found f
  where ${isGap} and b.subject = f.subject and b.state = 'open' and (b.amount, b.since) is distinct from (f.amount, f.since))
insert into reconciliation_break (merchant_id, break_no, channel_id, day, subject, kind, amount, file_no, since)
select $1, ${lastBreakSql} + row_number() over (order by f.day), $2, f.day, f.subject, 'balance', f.amount, f."fileNo", f.since from found f
where not exists (select from reconciliation_break b where ${isGap} and b.subject = f.subject and b.state in ('open', 'posting'))`;
