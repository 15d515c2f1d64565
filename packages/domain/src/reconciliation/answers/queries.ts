import { absenceKeys, absencesIn, linesThatShow } from '../absences/queries.ts';
import { isSuperseded } from '../files/queries.ts';
import { isOnItsDay, mayBeSame, mayShow } from '../identity/queries.ts';
import { breaksOver, isEnded } from '../missing-credits/queries.ts';

// A wanted break can show money of which a break had ended: a line shows an entry after it was missing, or the ledger has an entry after its line was booked. It may come in
// several parts. Each of them answers the ended break, up to what is left of it.

/** How a line is found among expectations: a reference of the one equals a reference of the other. */
const references = [
  { line: 'channel_ref', expectation: 'channel_ref', of: 'channel' },
  { line: 'channel_ref', expectation: 'order_ref', of: 'channel' },
  { line: 'order_no', expectation: 'order_no', of: 'order' },
  { line: 'bank_ref', expectation: 'bank_ref', of: 'bank' },
  { line: 'bank_ref', expectation: 'channel_ref', of: 'bank' },
] as const;
type Reference = (typeof references)[number];

const sign = (row: string): string => `(case ${row}.direction when 'in' then 1 else -1 end)`;
const isOfOrder = mayBeSame(['order_no', 'order_no']);

/** Breaks that two operators ended by a posting, 31 days around a wanted break; at any time if somebody bears the money. `side`: what it was about. */
const endedNear = (
  side: string,
): string => `join reconciliation_break b on b.merchant_id = $1 and b.channel_id = $2 and ${side}
    and (b.state in ('written_off', 'charged') or b.state = 'posted' and b.day between w.day - 31 and w.day + 31)`;

/**
 * Whether the line `l` and the entry `e` are one movement, of which `size` comes now and `r.rest` is left of the `whole`: as `may_exceed`, or null. By the
 * channel's own reference they are. By another name they are if nothing shows a part of it yet, as matching would have paired them. Else no reference
 * may contradict, and it has to fit. A bank's reference identifies on its day; on another one it has to be the whole amount.
 */
const columns = ({ of }: Reference, whole: string, size: string): string => {
  const isWhole = `r.rest = ${whole}`;
  const named = `case when ${isWhole} then true when ${size} <= r.rest and ${mayShow} then false end`;
  const found = {
    channel: 'true',
    order: named,
    bank: `case when ${isOnItsDay} then ${named} when ${isWhole} and ${size} = r.rest then false end`,
  };
  return `${size} as size, r.rest, ${found[of]} as may_exceed, ${of === 'channel'} as is_own`;
};

/** What is left of an entry of which decisions booked that it is missing: what they booked so far, with what answered them. */
const restOfEntry = `(select (select -sum(f.amount) from ${breaksOver('e')} f where ${isEnded('f')}) * ${sign('e')} as rest)`;
/** A line, and an entry of which decisions booked that it is missing. `ended`: how its breaks are found. */
const lineAnswers = (reference: Reference, ended: string): string => `
  select w.subject, e.merchant_id || ' ' || e.transfer_no as about, b.break_no, ${columns(reference, 'e.amount', 'l.amount')}
  from wanted_break w join open_line l using (file_no, line_no, part) ${ended}
  join statement_expectation e on e.merchant_id = b.owner_id and e.transfer_no = b.transfer_no and e.direction = l.direction
    and e.${reference.expectation} = l.${reference.line} and ${isOfOrder}
  cross join lateral ${restOfEntry} r
  where w.owner_id is null and w.kind not in ('currency', 'fee')`;
/**
 * The entries of payments, and of orders, that have the channel reference of a wanted line, whatever their age, and those of the platform over which there is a
 * break. All are found by indexes.
 */
const wantedLine = 'wanted_break w join open_line l using (file_no, line_no, part)';
const namedEntries = `
    select w.subject, t.merchant_id, t.transfer_no from ${wantedLine} join payment p on p.reference = l.channel_ref and p.channel_id = $2
      join transfer t on t.merchant_id = p.merchant_id and t.order_no = p.order_no
    union select w.subject, t.merchant_id, t.transfer_no from ${wantedLine} join orders o on o.channel_ref = l.channel_ref and o.channel_id = $2
      join transfer t on t.merchant_id = o.merchant_id and t.order_no = o.order_no
    union select w.subject, e.merchant_id, e.transfer_no from ${wantedLine} join statement_expectation e on e.channel_ref = l.channel_ref
      join reconciliation_break o on o.merchant_id = $1 and o.owner_id = $1 and o.channel_id = $2 and e.merchant_id = o.owner_id and e.transfer_no = o.transfer_no`;
const endedOfReference = `join named_entry n on n.subject = w.subject
  join reconciliation_break b on b.merchant_id = $1 and b.owner_id = n.merchant_id and b.transfer_no = n.transfer_no and b.channel_id = $2 and ${isEnded('b')}`;

/** What is left of the line of the ended break `b`. */
const restOfLine = `(select l.gross - coalesce(sum(abs(a.amount)), 0.00) as rest from reconciliation_break a where a.merchant_id = $1 and a.answers = b.break_no and ${isEnded('a')})`;
const lineOfMatch =
  'l.merchant_id = m.merchant_id and l.file_no = m.file_no and l.line_no = m.line_no and l.part = m.part';
/** The ended breaks over lines, near the wanted one, and over lines of any age that have the own reference of the entry `e`. */
const endedLinesNear = `${endedNear(`b.owner_id is null and b.kind not in ('currency', 'fee')`)}
  join matched_line m on m.merchant_id = b.merchant_id and m.match_no = -b.break_no
  join statement_line l on ${lineOfMatch}`;
const endedLinesOf = (
  reference: string,
): string => `join statement_line l on l.merchant_id = $1 and l.channel_id = $2 and l.channel_ref = e.${reference}
  join matched_line m on ${lineOfMatch}
  join reconciliation_break b on b.merchant_id = $1 and b.break_no = -m.match_no and b.channel_id = $2 and b.owner_id is null and b.kind not in ('currency', 'fee')
    and ${isEnded('b')}`;
/**
 * An entry that is missing at the channel, and an ended break over a line, by the line that shows it now. A line that was entered as a report is matched, so
 * it is not one of these.
 */
const expectationAnswers = (reference: Reference, ended: string): string => `
  select w.subject, 'break ' || b.break_no, b.break_no, ${columns(reference, 'l.gross', 'e.amount')}
  from wanted_break w
  join open_expectation e on e.merchant_id = w.owner_id and e.transfer_no = w.transfer_no and e.of_match is null
  ${ended}
  cross join lateral ${restOfLine} r
  where w.part is null and l.type not in ('fee', 'settlement') and l.direction = e.direction and l.${reference.line} = e.${reference.expectation} and ${isOfOrder}
    and not ${isSuperseded('l')}`;
/** Days bound only what is found by weaker names than the channel's own reference. */
const movementAnswers = references.flatMap((one) => [
  lineAnswers(one, endedNear('b.owner_id is not null')),
  expectationAnswers(one, endedLinesNear),
  ...(one.of === 'channel'
    ? [lineAnswers(one, endedOfReference), expectationAnswers(one, endedLinesOf(one.expectation))]
    : []),
]);

const absences = absencesIn(
  `(b.state in ('written_off', 'posted') or b.state = 'open' and b.subject in (select subject from open_absence))`,
);
/** What is left of absences. All those of one settlement or bank file are about the same money, whichever line shows it. */
const leftAbsences = `select b.*, coalesce('absence ' || case when b.type <> 'fee' then b.names || ' ' || b.direction end, 'break ' || b.break_no) as about,
    b.amount - (select coalesce(sum(abs(a.amount)), 0.00) from reconciliation_break a where a.merchant_id = $1 and a.answers = b.break_no and ${isEnded('a')}) as unanswered
  from (${absences}) b`;
/** A line, and an absence. By what it names, it can show no more than what is left. */
const absenceAnswers = (key: string, isOwn: boolean): string => `
  select w.subject, b.about, b.break_no, l.amount, b.rest, ${isOwn}, ${isOwn}
  from wanted_break w join (select *, ${key} as key from (${linesThatShow(absences)}) l) l using (file_no, line_no, part)
  join (select *, ${key} as key, sum(b.unanswered) over (partition by b.about) as rest from (${leftAbsences}) b where b.unanswered > 0) b
    on b.key = l.key and b.direction = l.direction${isOwn ? '' : " and (b.state <> 'posted' or b.day between w.day - 31 and w.day + 31)"}
  where w.owner_id is null`;

/**
 * Which wanted breaks can show which money: their size, and what is left of it. By the order of both. What shows it by its own reference comes first: others
 * can show only what is left then.
 */
export const foundAnswersSql = `with named_entry as (${namedEntries}),
found as (${[...movementAnswers, ...absenceKeys.map((key, at) => absenceAnswers(key, at === 0))].join(' union ')}),
answer as (select *, sum(size) filter (where is_own) over (partition by about) as of_own from (
    select subject, about, (array_agg(break_no order by is_own desc, break_no))[1] as break_no, size, rest, bool_or(may_exceed) as may_exceed, bool_or(is_own) as is_own
    from found where rest > 0 and may_exceed is not null group by subject, about, size, rest) f)
  select subject, about, break_no::float8 as "breakNo", size::text as size, rest::text as rest, may_exceed and (is_own or of_own is null) as "mayExceed"
  from answer where is_own or may_exceed and of_own is null or size <= rest - coalesce(of_own, 0) order by subject, break_no, about`;

/** The wanted breaks $1 answer the breaks $2. */
export const storeAnswersSql = `update wanted_break w set answers = o.break_no from unnest($1::text[], $2::bigint[]) as o(subject, break_no)
  where o.subject = w.subject`;
