import { isSuperseded, repetition } from '../files/queries.ts';
import { addBreaks, hasOwnEntry } from '../versions/queries.ts';

// A bank takes a booking back and books the movement once more, all under one reference. The group of its lines, of its entry and of the decisions over
// them keeps its one match: what all its lines come to beyond the rest is one break.

const place = (row: string): string => `(${row}.file_no, ${row}.line_no, ${row}.part)`;
const isOf = (m: string, d: string): string =>
  `${m}.merchant_id = ${d}.merchant_id and ${place(m)} = ${place(d)} and ${m}.rule <> 'same_line'`;

/** References under which lines of both directions are open. */
const bothWays =
  'select channel_ref from open_line where channel_ref is not null and may_match and not is_closed group by 1 having count(distinct direction) = 2';
/**
 * Lines under these references that are matched with an entry, in the direction of the first of them, and how many lines took back their amount so far. `n`:
 * the place among equal lines. A reference of several matches names a batch, and no movement.
 */
const booked = `select *, row_number() over (partition by channel_ref, gross order by day, file_no, line_no, part) as n,
    (select count(*) from statement_line r join matched_line m on ${isOf('m', 'r')} where r.merchant_id = $1 and r.channel_id = $2
      and r.channel_ref = f.channel_ref and r.direction <> f.direction and r.gross = f.gross and r.currency = f.currency
      and m.rule <> '${repetition}' and not ${hasOwnEntry('r')} and not ${isSuperseded('r')}) as taken_back
  from (select d.*, m.match_no, coalesce(d.order_no, o.order_no) as of_order,
      first_value(d.direction) over (partition by d.channel_ref order by d.day, d.file_no, d.line_no, d.part) as first_direction,
      min(m.match_no) over same as first_match, max(m.match_no) over same as last_match
    from statement_line d join matched_line m on ${isOf('m', 'd')} join merchant t on t.merchant_id = $1 and t.currency = d.currency
    cross join lateral (select min(e.order_no) as order_no, count(*) as entries from matched_expectation s
      join statement_expectation e on e.merchant_id = s.merchant_id and e.transfer_no = s.transfer_no where s.tenant = $1 and s.match_no = m.match_no) o
    where d.merchant_id = $1 and d.channel_id = $2 and d.channel_ref in (${bothWays}) and not ${isSuperseded('d')} and o.entries > 0
    window same as (partition by d.channel_ref, d.direction)) f
  where direction = first_direction and first_match = last_match`;
/** Open lines in the order in which they are looked at. */
const inOrder = (by: string): string =>
  `select *, row_number() over (partition by channel_ref, direction, ${by} order by day, file_no, line_no, part) as n from open_line
   where channel_ref in (${bothWays}) and may_match and not is_closed and foreign_order is null`;

/** What of the line `d` is booked again by the line `a`, after the line `b` took it back. */
const isRebooked = `b.channel_ref = d.channel_ref and b.direction <> d.direction and a.channel_ref = d.channel_ref and a.direction = d.direction and a.type = d.type
    and (a.order_no is null or d.of_order is null or a.order_no = d.of_order)`;
/** Two open lines over one amount cancel out. */
const cancelled = `d as (select * from booked), b as (${inOrder('amount')}), a as (${inOrder('amount')}),
found as (select distinct on ${place('a')} ${place('a')} as again, ${place('b')} as back, ${place('d')} as of
  from d join b on true join a on b.amount = a.amount and b.n = a.n and ${isRebooked} order by a.file_no, a.line_no, a.part, d.n, d.day, ${place('d')})`;
/** One takes back what is matched, so the other one shows the movement otherwise. */
const shownOtherwise = `b as (${inOrder('amount')}), a as (${inOrder('type')}),
d as (select d.*, ${place('b')} as back, row_number() over (partition by d.channel_ref, d.type order by d.day, ${place('d')}) as nth from booked d
  join b on b.channel_ref = d.channel_ref and b.direction <> d.direction and b.amount = d.gross and b.n = d.n - d.taken_back),
found as (select ${place('a')} as again, d.back, ${place('d')} as of from d join a on a.n = d.nth join b on ${place('b')} = d.back and ${isRebooked})`;

/**
 * A line that takes a booking back, and one that books the movement again: both get the match of the line that shows it, and what then differs is a break. $1 and
 * $2: tenant and channel.
 */
export const rebookingSteps: readonly string[] = [cancelled, shownOtherwise].map(
  (steps) => `
with booked as (${booked}), ${steps},
pair as (select a.file_no, a.line_no, a.part, a.day, coalesce(a.order_no, d.of_order) as order_no, a.direction, a.amount as gross, b.amount as taken,
    b.file_no as back_file, b.line_no as back_line, b.part as back_part, d.match_no, d.file_no as of_file, d.line_no as of_line, d.part as of_part
  from found f join a on ${place('a')} = f.again join b on ${place('b')} = f.back join booked d on ${place('d')} = f.of),
lines as (select file_no, line_no, part, match_no, 'corrected_line' as rule from pair union all select back_file, back_line, back_part, match_no, 'taken_back' from pair),
stored as (insert into matched_line (merchant_id, file_no, line_no, part, match_no, rule) select $1, file_no, line_no, part, match_no, rule from lines),
changed as (${addBreaks(
    'correction',
    `select p.*, 'amount' as kind, (p.gross - p.taken) * case p.direction when 'in' then 1 else -1 end as amount from pair p where p.gross <> p.taken`,
  )})
delete from open_line o using lines p where ${place('o')} = ${place('p')}`,
);
