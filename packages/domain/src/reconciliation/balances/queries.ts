import { isSuperseded, lastBreakSql } from '../files/queries.ts';
import { contentOf } from '../identity/queries.ts';

// The opening and closing balances of an account form a chain: each statement opens with the balance with which the one before has closed. Where it does
// not, money moved that no statement shows, or two statements contradict each other. Two that show the end of one day with different balances do so too.

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

const isSameAccount = (one: string, other: string): string =>
  `${one}.merchant_id = ${other}.merchant_id and ${one}.channel_id = ${other}.channel_id and (${one}.file_no, ${one}.place) <> (${other}.file_no, ${other}.place)`;
/** The last day, up to the beginning of the statement `s`, that an earlier one has. */
const closestDay = `(select max(least(c.last_day, s.first_day)) as day from statement_balance c where ${isSameAccount('c', 's')} and c.is_current
    and c.first_day < s.first_day)`;
/** Statements `t` with which `s` can continue: the closest before it, of the day `k.day`, and those that end on its first day. */
const isBefore = `${isSameAccount('t', 's')} and (t.last_day = s.first_day
    or t.is_current and t.first_day < s.first_day and least(t.last_day, s.first_day) = k.day)`;
/** The balances to which `s` leads on its day, alone or by others. */
const led = `with recursive led as (select s.closing as balance
    union select n.closing from led join statement_balance n on ${isSameAccount('n', 's')} and n.is_current and n.first_day = s.first_day and n.opening = led.balance)`;
/** How many other statements of the day of `s` lead to where `s` opens. */
const returns = `(select count(*) from statement_balance i where ${isSameAccount('i', 's')} and i.is_current and i.first_day = s.first_day and i.last_day = s.first_day
    and i.closing = s.opening)`;
/**
 * Whether more statements of the day opened with the balance of `s` before it than the day had led back to it. Then the one that leads back is missing, or
 * `s` replaces another one without a line in common.
 */
const isForked = `(s.opening <> s.closing and ${returns} < (select count(*) from statement_balance o where ${isSameAccount('o', 's')} and o.is_current
    and o.first_day = s.first_day and o.last_day = s.first_day and o.opening = s.opening and (o.file_no, o.place) < (s.file_no, s.place)))`;
/**
 * Of the same day the one that came first begins the chain, and what shows it again. One to which `s` leads is later. Where the day forks, all others of the
 * day come before.
 */
const isKnownBefore = `case when t.first_day < s.first_day then not f.is_forked
    when not t.is_current or exists (${led} select from led where led.balance = t.opening and not (f.is_forked and t.opening = s.opening)) then false
    when f.is_forked then t.closing <> s.opening
    else (t.file_no, t.place) < (s.file_no, s.place)
      and not exists (select from statement_balance r where ${isSameAccount('r', 's')} and r.first_day = s.first_day and r.opening = s.opening) end`;
/** Whether the last day of `t` went on from where `t` closed: more of its statements open there than close there. */
const isPassed = `(select count(*) filter (where d.opening = t.closing and d.first_day = t.last_day) > count(*) filter (where d.closing = t.closing)
    from statement_balance d where d.merchant_id = t.merchant_id and d.channel_id = t.channel_id and d.is_current and d.last_day = t.last_day)`;
const isOverlapping = 't.first_day < s.first_day and t.last_day >= s.first_day';
/** The balance of a statement before this day. */
const balanceBefore = (statement: string, day: string): string =>
  `${statement}.opening + coalesce((select sum(case l.direction when 'in' then l.net else -l.net end) from statement_line l join merchant m using (merchant_id)
    where l.merchant_id = ${statement}.merchant_id and l.file_no = ${statement}.file_no and l.currency = m.currency and l.day >= ${statement}.first_day and l.day < ${day}), 0)`;
/** The balance of the overlapping statement `t` at the beginning of `s`. */
const balanceWithin = balanceBefore('t', 's.first_day');
const isExplained = `(t.last_day <= s.first_day and t.closing = s.opening and not (t.last_day < s.first_day and ${isPassed})
    or case when ${isOverlapping} then ${balanceWithin} = s.opening else false end)`;

/** The balances to which `s` leads on its last day, alone or by others. */
const closed = `with recursive closed as (select s.closing as balance
    union select n.closing from closed join statement_balance n on ${isSameAccount('n', 's')} and n.is_current and n.first_day = s.last_day and n.opening = closed.balance)`;
const linesOfLastDay = (statement: string): string =>
  `select ${contentOf('l')} from statement_line l where l.merchant_id = s.merchant_id and l.file_no = ${statement}.file_no and l.day = s.last_day`;
/** Whether the other current statement has all lines of the last day of `s` that count: `s` shows a part of it, or its lines were corrected. */
const isPartOf = (other: string): string =>
  `${other}.first_day <= s.last_day and ${other}.last_day >= s.last_day and not exists (${linesOfLastDay('s')} and not ${isSuperseded('l')} except all ${linesOfLastDay(other)})`;
/** A statement that goes on from another one than `s` can come after holidays. */
const daysBefore = 31;
const nextDay = `(select min(c.first_day) from statement_balance c where ${isSameAccount('c', 's')} and c.is_current and c.first_day > s.last_day)`;
/**
 * What others show as the balance at the end of the last day of `s`: a statement of several days with that day, and the next one, if it continues another
 * statement. Each line counts, whichever statement shows it, so two statements that contradict each other would both be booked.
 */
const otherEnds = `(
    select case when w.last_day = s.last_day then w.closing else ${balanceBefore('w', 's.last_day + 1')} end as balance, 1 as place
    from statement_balance w where ${isSameAccount('w', 's')} and w.is_current and w.first_day <= s.last_day and w.last_day >= s.last_day
      and w.first_day < w.last_day and (s.first_day = s.last_day or w.last_day > s.last_day or (s.file_no, s.place) < (w.file_no, w.place)) and not (${isPartOf('w')})
    union all
    select n.opening, 2 from statement_balance n where ${isSameAccount('n', 's')} and n.is_current and n.first_day = ${nextDay}
      and exists (select from statement_balance t where ${isSameAccount('t', 's')} and t.is_current and t.last_day < n.first_day and t.closing = n.opening)
      and not exists (select from statement_balance w where ${isSameAccount('w', 's')} and w.is_current and ${isPartOf('w')})
      and not exists (${closed} select from closed join statement_balance o on ${isSameAccount('o', 's')} and o.is_current and o.first_day = n.first_day
        and o.opening = closed.balance))`;

/** Breaks of statements that are compared from the day $3 on. */
const isCompared = `b.merchant_id = $1 and b.channel_id = $2 and b.kind = 'balance'
    and case when b.subject ^@ 'opening ' then b.day >= $3::date when b.subject ^@ 'closing ' then b.day >= $3::date - ${daysBefore} else false end`;

/**
 * Compares the statements of the channel $2 from the day $3 on with those before them and beside them, and lists each that does not continue as a break of
 * its day. Those that continue by now end. What people booked for a gap counts: if the gap is smaller than that by now, or gone, the rest is a break again.
 * A gap that people explained stays ended, unless it changes. Where a statement takes the place of another one, so does its gap.
 */
export const chainBalancesSql = `
with openings as materialized (
  select 'opening ' || s.file_no || '/' || s.place as subject, s.first_day as day, s.file_no, p.since, s.opening - p.balance as amount
  from statement_balance s cross join lateral ${closestDay} k cross join lateral (select ${isForked} as is_forked) f
  cross join lateral (select least(t.last_day, s.first_day) as since, case when t.last_day > s.first_day then ${balanceWithin} else t.closing end as balance
    from statement_balance t where ${isBefore} and ${isKnownBefore} order by 1 desc, ${isPassed}, t.file_no desc, t.place desc limit 1) p
  where s.merchant_id = $1 and s.channel_id = $2 and s.is_current and s.first_day >= $3::date
    and (f.is_forked or not exists (select from statement_balance t where ${isBefore} and ${isExplained}))),
-- A day whose statements do not continue each other is told once.
wanted as materialized (
  select * from openings
  union all
  select 'closing ' || s.file_no || '/' || s.place, s.last_day, s.file_no, s.last_day, e.balance - s.closing
  from statement_balance s cross join lateral (select balance from ${otherEnds} o
    where o.balance not in (${closed} select balance from closed) order by place limit 1) e
  where s.merchant_id = $1 and s.channel_id = $2 and s.is_current and s.last_day >= $3::date - ${daysBefore}
    and not exists (select from openings o where s.last_day between o.since and o.day)),
booked as materialized (select b.subject, b.day, min(b.file_no) as file_no, sum(b.amount) as amount from reconciliation_break b
  where ${isCompared} and b.state in ('posted', 'written_off') group by b.subject, b.day),
due as materialized (
  select coalesce(w.subject, k.subject) as subject, coalesce(w.day, k.day) as day, coalesce(w.file_no, k.file_no) as file_no, coalesce(w.since, k.day) as since,
    coalesce(w.amount, 0) - coalesce(k.amount, 0) as amount, w.subject is not null as is_wanted
  from wanted w full join booked k using (subject)),
found as materialized (select d.* from due d where d.amount <> 0
    and not exists (select from due o where o.day = d.day and o.is_wanted <> d.is_wanted and o.amount = -d.amount)
    and not exists (select from reconciliation_break b where b.merchant_id = $1 and b.subject = d.subject and b.state = 'linked' and b.amount = d.amount)),
ended as (update reconciliation_break b set state = 'matched', closed_at = clock_timestamp()
  where ${isCompared} and b.state = 'open' and not exists (select from found f where f.subject = b.subject)),
changed as (update reconciliation_break b set amount = f.amount, since = f.since from found f
  where b.merchant_id = $1 and b.subject = f.subject and b.state = 'open' and (b.amount, b.since) is distinct from (f.amount, f.since))
insert into reconciliation_break (merchant_id, break_no, channel_id, day, subject, kind, amount, file_no, since)
select $1, ${lastBreakSql} + row_number() over (order by f.day, f.subject), $2, f.day, f.subject, 'balance', f.amount, f.file_no, f.since from found f
where not exists (select from reconciliation_break b where b.merchant_id = $1 and b.subject = f.subject and b.state in ('open', 'posting'))`;
