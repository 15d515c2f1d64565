import { isSuperseded } from '../files/queries.ts';
import { breaksOver, isEnded } from '../missing-credits/queries.ts';

// A wanted break can show money of which a break had ended: a line shows an entry after it was missing, or the ledger has an entry after its line was booked. It may come in
// several parts. Each of them answers the ended break, up to what is left of it.

/** How a line is found among expectations: a reference of the one equals a reference of the other. */
const references = [
  ['channel_ref', 'channel_ref'],
  ['channel_ref', 'order_ref'],
  ['order_no', 'order_no'],
  ['bank_ref', 'bank_ref'],
  ['bank_ref', 'channel_ref'],
] as const;

const sign = (row: string): string => `(case ${row}.direction when 'in' then 1 else -1 end)`;
/** Breaks that two operators ended by a posting, 31 days around a wanted break; at any time if somebody bears the money. `side`: what it was about. */
const endedNear = (
  side: string,
): string => `join reconciliation_break b on b.merchant_id = $1 and b.channel_id = $2 and ${side}
    and (b.state in ('written_off', 'charged') or b.state = 'posted' and b.day between w.day - 31 and w.day + 31)`;

/** A line, and an entry of which decisions booked that it is missing. What is left: what they booked so far, with what answered them. */
const lineAnswers = ([line, expectation]: readonly [string, string]): string => `
  select w.subject, e.merchant_id || ' ' || e.transfer_no as about, b.break_no, l.amount as size,
    (select -sum(f.amount) from ${breaksOver('e')} f where ${isEnded('f')}) * ${sign('e')} as rest
  from wanted_break w join open_line l using (file_no, line_no, part) ${endedNear('b.owner_id is not null')}
  join statement_expectation e on e.merchant_id = b.owner_id and e.transfer_no = b.transfer_no and e.direction = l.direction and e.${expectation} = l.${line}
  where w.owner_id is null and w.kind not in ('currency', 'fee')`;

/**
 * An entry that is missing at the channel, and an ended break over a line, by the line that shows it now. A line that was entered as a report is matched, so
 * it is not one of these.
 */
const expectationAnswers = ([line, expectation]: readonly [string, string]): string => `
  select w.subject, 'break ' || b.break_no, b.break_no, e.amount,
    l.gross - (select coalesce(sum(abs(a.amount)), 0.00) from reconciliation_break a where a.merchant_id = $1 and a.answers = b.break_no and ${isEnded('a')})
  from wanted_break w
  join open_expectation e on e.merchant_id = w.owner_id and e.transfer_no = w.transfer_no and e.of_match is null
  ${endedNear(`b.owner_id is null and b.kind not in ('currency', 'fee')`)}
  join matched_line m on m.merchant_id = b.merchant_id and m.match_no = -b.break_no
  join statement_line l on l.merchant_id = m.merchant_id and l.file_no = m.file_no and l.line_no = m.line_no and l.part = m.part
    and l.type not in ('fee', 'settlement') and l.direction = e.direction and l.${line} = e.${expectation} and not ${isSuperseded('l')}
  where w.part is null`;

/** Wanted breaks that come after each other, and what they can be about: each takes the first one of which something is left. */
const inTurn = (found: string): string => `
  listed as (select subject, max(size) as size, array_agg(distinct about order by about) as abouts from ${found} group by subject),
  shown as (select *, sum(size) over (partition by abouts order by subject) - size as before from listed),
  left_of as (select s.abouts, k.about, k.break_no, sum(k.rest) over (partition by s.abouts order by k.break_no, k.about) - k.rest as begins,
      sum(k.rest) over (partition by s.abouts order by k.break_no, k.about) as ends
    from (select distinct abouts from listed) s join (select about, min(break_no) as break_no, max(rest) as rest from ${found} group by about) k on k.about = any(s.abouts))
  select s.subject, k.about, k.break_no from shown s join left_of k on k.abouts = s.abouts and s.before >= k.begins and s.before < k.ends`;

/** Those that show all that is left of something come first, in the order of both. Then parts of it. */
export const answerEndedSql = `
with found as materialized (select * from (${references.flatMap((one) => [lineAnswers(one), expectationAnswers(one)]).join(' union ')}) f where rest > 0),
same as (select subject, about, break_no, row_number() over (partition by about order by subject) as nth, row_number() over (partition by subject order by break_no, about) as place
  from (select subject, about, min(break_no) as break_no from found where size = rest group by subject, about) f),
whole as (select * from same where nth = place),
parts_of as (select * from found f where not exists (select from whole o where o.subject = f.subject or o.about = f.about)),
parts as (with ${inTurn('parts_of')})
update wanted_break w set answers = o.break_no from (select subject, break_no from whole union all select subject, break_no from parts) o where o.subject = w.subject`;
