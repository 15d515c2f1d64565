import { absenceKeys, absencesIn, linesThatShow } from '../absences/queries.ts';
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
    (select -sum(f.amount) from ${breaksOver('e')} f where ${isEnded('f')}) * ${sign('e')} as rest, true as may_exceed
  from wanted_break w join open_line l using (file_no, line_no, part) ${endedNear('b.owner_id is not null')}
  join statement_expectation e on e.merchant_id = b.owner_id and e.transfer_no = b.transfer_no and e.direction = l.direction and e.${expectation} = l.${line}
  where w.owner_id is null and w.kind not in ('currency', 'fee')`;

/**
 * An entry that is missing at the channel, and an ended break over a line, by the line that shows it now. A line that was entered as a report is matched, so
 * it is not one of these.
 */
const expectationAnswers = ([line, expectation]: readonly [string, string]): string => `
  select w.subject, 'break ' || b.break_no, b.break_no, e.amount,
    l.gross - (select coalesce(sum(abs(a.amount)), 0.00) from reconciliation_break a where a.merchant_id = $1 and a.answers = b.break_no and ${isEnded('a')}), true
  from wanted_break w
  join open_expectation e on e.merchant_id = w.owner_id and e.transfer_no = w.transfer_no and e.of_match is null
  ${endedNear(`b.owner_id is null and b.kind not in ('currency', 'fee')`)}
  join matched_line m on m.merchant_id = b.merchant_id and m.match_no = -b.break_no
  join statement_line l on l.merchant_id = m.merchant_id and l.file_no = m.file_no and l.line_no = m.line_no and l.part = m.part
    and l.type not in ('fee', 'settlement') and l.direction = e.direction and l.${line} = e.${expectation} and not ${isSuperseded('l')}
  where w.part is null`;

const absences = absencesIn(
  `(b.state in ('written_off', 'posted') or b.state = 'open' and b.subject in (select subject from open_absence))`,
);
/** What is left of absences. All those of one settlement or bank file are about the same money, whichever line shows it. */
const leftAbsences = `select b.*, coalesce('absence ' || case when b.type <> 'fee' then b.names || ' ' || b.direction end, 'break ' || b.break_no) as about,
    b.amount - (select coalesce(sum(abs(a.amount)), 0.00) from reconciliation_break a where a.merchant_id = $1 and a.answers = b.break_no and ${isEnded('a')}) as unanswered
  from (${absences}) b`;
/** A line, and an absence. By what it names, it can show no more than what is left. */
const absenceAnswers = (key: string, mayExceed: boolean): string => `
  select w.subject, b.about, b.break_no, l.amount, b.rest, ${mayExceed}
  from wanted_break w join (select *, ${key} as key from (${linesThatShow(absences)}) l) l using (file_no, line_no, part)
  join (select *, ${key} as key, sum(b.unanswered) over (partition by b.about) as rest from (${leftAbsences}) b where b.unanswered > 0) b
    on b.key = l.key and b.direction = l.direction and (b.state <> 'posted' or b.day between w.day - 31 and w.day + 31)
  where w.owner_id is null and (${mayExceed} or l.amount <= b.rest)`;

/** Which wanted breaks can show which money: their size, and what is left of it. By the order of both. */
export const foundAnswersSql = `select subject, about, (array_agg(break_no order by may_exceed desc, break_no))[1]::float8 as "breakNo", size::text as size, rest::text as rest,
    bool_or(may_exceed) as "mayExceed"
  from (${[...references.flatMap((one) => [lineAnswers(one), expectationAnswers(one)]), ...absenceKeys.map((key, at) => absenceAnswers(key, at === 0))].join(' union ')}) f where rest > 0
  group by subject, about, size, rest order by subject, min(break_no), about`;

/** The wanted breaks $1 answer the breaks $2. */
export const storeAnswersSql = `update wanted_break w set answers = o.break_no from unnest($1::text[], $2::bigint[]) as o(subject, break_no)
  where o.subject = w.subject`;
