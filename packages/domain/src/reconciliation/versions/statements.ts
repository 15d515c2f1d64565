import { lastBreakSql, nextMatch } from '../files/statements.ts';

// A statement that is fetched again for its day is a new version of it. Its lines are compared with those that count so far. All of it is one transaction.

/** Whether the file $2 of the channel $3 was fetched for a day that has an earlier version in its format. */
export const hasEarlierVersionSql = `select from statement_file n
  join statement_file p on p.merchant_id = n.merchant_id and p.channel_id = n.channel_id and p.format = n.format and p.fetched_day = n.fetched_day
    and p.state = 'imported' and p.file_no <> n.file_no
  where n.merchant_id = $1 and n.file_no = $2 and n.channel_id = $3 limit 1`;

/**
 * Locks the open breaks of the earlier versions, as each decision about a break does first. So a line is decided on before its version is compared, or
 * after it was replaced.
 */
export const lockEarlierBreaksSql = `select from reconciliation_break b
  join statement_file n on n.merchant_id = b.merchant_id and n.file_no = $2 and n.channel_id = b.channel_id
  join statement_file p on p.merchant_id = b.merchant_id and p.file_no = b.file_no and p.channel_id = n.channel_id and p.format = n.format
    and p.fetched_day = n.fetched_day
  where b.merchant_id = $1 and b.channel_id = $3 and b.state in ('open', 'posting') and b.part is not null and b.file_no <> n.file_no
  order by b.break_no for update of b`;

const columns = `file_no bigint, line_no integer, part integer, day date, type text, direction text, gross numeric, currency text, channel_ref text,
  order_no text, bank_ref text, key text, n bigint`;
export const createVersionTablesSql = `
create temp table earlier_line (${columns}, is_matched boolean) on commit drop;
create temp table later_line (${columns}) on commit drop;
create temp table changed_line (file_no bigint, line_no integer, part integer, earlier_file_no bigint, earlier_line_no integer, earlier_part integer) on commit drop`;

/** All values of a line, except its place and the balance after it. A line that is inserted before it changes both. */
const wordsOf = (line: string): string =>
  `md5(row(${[
    'day',
    'type',
    'direction',
    'gross',
    'fee',
    'tax',
    'net',
    'currency',
    'occurred_at',
    'channel_ref',
    'order_no',
    'bank_ref',
    'settlement_ref',
  ]
    .map((column) => `${line}.${column}`)
    .join(', ')})::text)`;
const copied = `l.file_no, l.line_no, l.part, l.day, l.type, l.direction, l.gross, l.currency, l.channel_ref, l.order_no, l.bank_ref, ${wordsOf('l')},
  row_number() over (partition by ${wordsOf('l')} order by l.file_no, l.line_no, l.part)`;

/** The lines of the earlier versions that count so far, and those of the file $2. */
export const fillVersionTablesSql = [
  `insert into earlier_line select ${copied}, m.match_no is not null
  from statement_file n
  join statement_file p on p.merchant_id = n.merchant_id and p.channel_id = n.channel_id and p.format = n.format and p.fetched_day = n.fetched_day
    and p.state = 'imported' and p.file_no <> n.file_no
  join statement_line l on l.merchant_id = p.merchant_id and l.file_no = p.file_no
  left join matched_line m on m.merchant_id = l.merchant_id and m.file_no = l.file_no and m.line_no = l.line_no and m.part = l.part
  where n.merchant_id = $1 and n.file_no = $2 and m.rule is distinct from 'same_line'
    and not exists (select from superseded_line s where s.merchant_id = l.merchant_id and s.file_no = l.file_no and s.line_no = l.line_no and s.part = l.part)`,
  `insert into later_line select ${copied} from statement_line l where l.merchant_id = $1 and l.file_no = $2`,
] as const;
export const analyzeVersionsSql = 'analyze earlier_line, later_line';

const place = (row: string): string => `(${row}.file_no, ${row}.line_no, ${row}.part)`;
const storeLater = (
  rule: string,
): string => `insert into matched_line (merchant_id, file_no, line_no, part, match_no, rule)
  select $1, p.file_no, p.line_no, p.part, b.no + row_number() over (), '${rule}' from pair p, base b`;

/** A line that is there already counts once: the earlier one keeps its match or its break. */
export const matchSameLinesSql = `
with ${nextMatch}, pair as (select l.file_no, l.line_no, l.part, e.file_no as f, e.line_no as n, e.part as p from later_line l join earlier_line e using (key, n)),
stored as (${storeLater('same_line')}),
gone as (delete from later_line l using pair where ${place('l')} = ${place('pair')})
delete from earlier_line e using pair where ${place('e')} = (pair.f, pair.n, pair.p)`;

/** The reference that identifies a movement: the first one that it has. */
const named = "coalesce('c ' || channel_ref, 'o ' || order_no, 'b ' || bank_ref)";
const ofMovement = (table: string): string =>
  `(select *, ${named} as name, row_number() over (partition by ${named}, type, direction order by file_no, line_no, part) as nth from ${table} where ${named} is not null)`;

/**
 * A matched movement that the new version shows otherwise: its new line is explained by the earlier one, and what differs is a break. One that is not
 * matched is replaced, and its new line is matched like any other.
 */
export const matchChangedLinesSql = `
with ${nextMatch}, pair as (insert into changed_line
  select l.file_no, l.line_no, l.part, e.file_no, e.line_no, e.part
  from ${ofMovement('later_line')} l join ${ofMovement('earlier_line')} e using (name, type, direction, nth) where e.is_matched
  returning *)
${storeLater('corrected_line')}`;

const sign = (row: string): string => `(case ${row}.direction when 'in' then 1 else -1 end)`;
const addBreaks = (
  subject: string,
): string => `insert into reconciliation_break (merchant_id, break_no, channel_id, day, subject, kind, amount, file_no, line_no, order_no)
  select $1, ${lastBreakSql} + row_number() over (order by w.day, w.file_no, w.line_no, w.part), $2, w.day,
    '${subject} ' || w.file_no || '/' || w.line_no || '/' || w.part, w.kind, w.amount, w.file_no, w.line_no, w.order_no`;

/** Breaks of changed lines. $3: the tenant's currency. What a line was charged is compared by day. */
export const addChangedBreaksSql = `${addBreaks('correction')}
  from (select l.day, l.file_no, l.line_no, l.part, coalesce(l.order_no, e.order_no) as order_no, case l.currency when $3 then 'amount' else 'currency' end as kind,
      (case l.currency when $3 then l.gross else 0 end - case e.currency when $3 then e.gross else 0 end) * ${sign('l')} as amount
    from changed_line c join later_line l using (file_no, line_no, part)
    join earlier_line e on ${place('e')} = (c.earlier_file_no, c.earlier_line_no, c.earlier_part)
    where (l.gross, l.currency, l.day, l.channel_ref, l.order_no, l.bank_ref) is distinct from (e.gross, e.currency, e.day, e.channel_ref, e.order_no, e.bank_ref)) w`;

/** Breaks of matched lines that the new version does not have any more. $3: the tenant's currency. */
export const addMissingBreaksSql = `${addBreaks('withdrawn')}
  from (select e.day, e.file_no, e.line_no, e.part, e.order_no, 'missing_at_channel' as kind, -(case e.currency when $3 then e.gross else 0 end) * ${sign('e')} as amount
    from earlier_line e where e.is_matched
      and not exists (select from changed_line c where ${place('e')} = (c.earlier_file_no, c.earlier_line_no, c.earlier_part))) w`;

/** Lines that the version $2 shows otherwise, or not at all, count no more. */
export const supersedeLinesSql = `insert into superseded_line (merchant_id, file_no, line_no, part, by_file_no)
  select $1, file_no, line_no, part, $2 from earlier_line`;

/** The days of the lines that the version $2 of the channel $3 supersedes lose them, and are matched again. $4: the tenant's currency. */
export const uncountSupersededSql = `update reconciliation_day d set is_due = d.is_due or d.is_covered, lines = d.lines - g.lines, statement_net = d.statement_net - g.net
  from (select l.day, count(*)::integer as lines, coalesce(sum(case l.direction when 'in' then l.net else -l.net end) filter (where l.currency = $4), 0) as net
    from superseded_line s join statement_line l using (merchant_id, file_no, line_no, part) where s.merchant_id = $1 and s.by_file_no = $2 group by 1) g
  where d.merchant_id = $1 and d.channel_id = $3 and d.day = g.day`;
