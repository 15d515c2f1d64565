import { absenceKeys, absencesIn, linesThatShow } from '../absences/queries.ts';
import { isSuperseded } from '../files/queries.ts';
import { isOnItsDay, mayBeSame, mayShow, movementOf, placeOf } from '../identity/queries.ts';
import { breaksOver, isEnded, paymentsOf } from '../missing-credits/queries.ts';

// A wanted break can show money of which a break had ended: a line shows an entry after it was missing, or the ledger has an entry after its line was booked. It may come in
// several parts. Each of them answers the ended break, up to what is left of it.

/** How a line is found among expectations: a reference of the one equals a reference of the other. */
const references = [
  { line: 'channel_ref', expectation: 'channel_ref', of: 'own' },
  { line: 'channel_ref', expectation: 'order_ref', of: 'own' },
  { line: 'order_no', expectation: 'order_no', of: 'order' },
  { line: 'bank_ref', expectation: 'bank_ref', of: 'bank' },
  { line: 'bank_ref', expectation: 'channel_ref', of: 'bank' },
] as const;
type Reference = (typeof references)[number];

const sign = (row: string): string => `(case ${row}.direction when 'in' then 1 else -1 end)`;
const isOfOrder = mayBeSame(['order_no', 'order_no']);

/** The lines, and the entries, of wanted breaks that can show money of a break that had ended. */
const wantedSides = `wanted_line as (select w.subject, w.kind, w.day as wanted_day, ${movementOf('s')} as movement, l.* from wanted_break w join open_line l using (file_no, line_no, part)
    join statement_line s on s.merchant_id = $1 and s.file_no = l.file_no and s.line_no = l.line_no and s.part = l.part
    where w.owner_id is null and w.kind not in ('currency', 'fee')),
wanted_entry as (select w.subject, w.day as wanted_day, e.* from wanted_break w join open_expectation e on e.merchant_id = w.owner_id and e.transfer_no = w.transfer_no
    where w.part is null and e.of_match is null)`;

const ofChannel = 'b.merchant_id = $1 and b.channel_id = $2';
/** Breaks that two operators ended: by a posting near the wanted breaks, or at any time if somebody bears the money. */
const nearBreaks = `near_break as (select b.* from reconciliation_break b where ${ofChannel} and b.state in ('written_off', 'charged')
  union all select b.* from (select min(day) - 31 as first, max(day) + 31 as last from wanted_break) w
    join reconciliation_break b on ${ofChannel} and b.state = 'posted' and b.day between w.first and w.last)`;
const isNear = (ended: string, wanted: string): string =>
  `(${ended}.state <> 'posted' or ${ended}.ended_day between ${wanted}.wanted_day - 31 and ${wanted}.wanted_day + 31)`;
const ended = 'b.break_no, b.state, b.day as ended_day';

/**
 * The entries of payments, and of orders, that have the channel reference of a wanted line, whatever their age, and those of the platform over which there is a
 * break. All are found by indexes.
 */
const namedEntries = `
    select t.merchant_id, t.transfer_no from wanted_line l join payment p on p.reference = l.channel_ref and p.channel_id = $2
      join transfer t on t.merchant_id = p.merchant_id and t.order_no = p.order_no
    union select t.merchant_id, t.transfer_no from wanted_line l join orders o on o.channel_ref = l.channel_ref and o.channel_id = $2
      join transfer t on t.merchant_id = o.merchant_id and t.order_no = o.order_no
    union select e.merchant_id, e.transfer_no from wanted_line l join statement_expectation e on e.channel_ref = l.channel_ref
      join reconciliation_break o on o.merchant_id = $1 and o.owner_id = $1 and o.channel_id = $2 and e.merchant_id = o.owner_id and e.transfer_no = o.transfer_no`;
/**
 * The entries of which decisions booked that they are missing, and the other payments of their orders (not `is_its`). `nos`: what each is counted with.
 * `movement`: of the line that had shown it and is gone.
 */
const endedEntries = `ended_entry as (select b.break_no, b.state, b.ended_day, b.owner_id, e.transfer_no, e.transfer_no = y.transfer_no as is_its, p.nos, ${movementOf('g')} as movement, e.direction, e.amount, e.day, e.channel_ref, e.order_ref, e.order_no, e.bank_ref from (
    select ${ended}, b.file_no, b.line_no, b.subject, b.owner_id, b.transfer_no from near_break b where b.owner_id is not null
    union select ${ended}, b.file_no, b.line_no, b.subject, b.owner_id, b.transfer_no from (${namedEntries}) n
      join reconciliation_break b on b.owner_id = n.merchant_id and b.transfer_no = n.transfer_no and ${ofChannel} and ${isEnded('b')}) b
  join statement_expectation y on y.merchant_id = b.owner_id and y.transfer_no = b.transfer_no cross join lateral ${paymentsOf('y')} p
  cross join lateral unnest(p.nos) n(no) join statement_expectation e on e.merchant_id = y.merchant_id and e.transfer_no = n.no
  left join statement_line g on g.merchant_id = $1 and g.file_no = b.file_no and g.line_no = b.line_no and b.subject = 'withdrawn ' || ${placeOf('g')})`;

const isOverLine = `b.owner_id is null and b.kind not in ('currency', 'fee')`;
const lineOfMatch =
  'l.merchant_id = m.merchant_id and l.file_no = m.file_no and l.line_no = m.line_no and l.part = m.part';
/**
 * The lines of which decisions booked that the ledger has no entry: near the wanted breaks, and those of any age that have the own reference of a wanted entry. A
 * line that was entered as a report is matched, so it is not one of these.
 */
const endedLines = `ended_line as (select b.break_no, b.state, b.ended_day, l.* from (
    select ${ended}, m.file_no, m.line_no, m.part from near_break b join matched_line m on m.merchant_id = b.merchant_id and m.match_no = -b.break_no where ${isOverLine}
    union select ${ended}, m.file_no, m.line_no, m.part from wanted_entry e
      join statement_line l on l.merchant_id = $1 and l.channel_id = $2 and l.channel_ref = any (array[e.channel_ref, e.order_ref])
      join matched_line m on ${lineOfMatch} join reconciliation_break b on b.break_no = -m.match_no and ${ofChannel} and ${isOverLine} and ${isEnded('b')}) b
  join statement_line l on l.merchant_id = $1 and l.file_no = b.file_no and l.line_no = b.line_no and l.part = b.part
  where l.type not in ('fee', 'settlement') and not ${isSuperseded('l')})`;

/** The lines `l` and the entries `e` of one direction, of which one side is wanted and the other one ended. */
interface Sides {
  wanted: 'l' | 'e';
  ended: 'l' | 'e';
  from: string;
  columns: string;
  /** What else has to be, by how they are found. */
  where: Record<Reference['of'], string>;
}
const candidates = ({ wanted, ended, from, columns, where }: Sides, by: Reference['of'], on: string): string =>
  `select ${wanted}.subject, ${ended}.break_no, '${by}' as found_by, ${columns}, ${isOnItsDay} as is_on_its_day, ${mayShow} as may_show
    from ${from} on e.direction = l.direction and ${on} and ${where[by]}`;
/** Those of one reference. Days bound what is found by weaker names than the channel's own reference. */
const byReferences = (sides: Sides): string[] =>
  references.map(({ line, expectation, of }) => candidates(sides, of, `e.${expectation} = l.${line} and ${isOfOrder}`));
const isNearIts = `e.is_its and ${isNear('e', 'l')}`;
/** What a line shows of a payment, by its own reference, can be of the other payments too, unless it only repeats a line. */
const linesSide: Sides = {
  wanted: 'l',
  ended: 'e',
  from: 'wanted_line l join ended_entry e',
  columns: 'e.owner_id, e.transfer_no, e.nos, e.direction, l.amount as size, e.amount as whole, e.is_its',
  where: { own: "(e.is_its or l.kind <> 'duplicate')", order: isNearIts, bank: isNearIts },
};
const entriesSide: Sides = {
  wanted: 'e',
  ended: 'l',
  from: 'wanted_entry e join ended_line l',
  columns: 'e.amount as size, l.gross as whole, true as is_its',
  where: { own: 'true', order: isNear('l', 'e'), bank: isNear('l', 'e') },
};
/** A line that is the same movement as the one that had shown the entry shows it again. */
const bySameMovement = candidates(linesSide, 'own', 'e.movement = l.movement and e.is_its');
const allCandidates = `line_candidate as (${[...byReferences(linesSide), bySameMovement].join(' union ')}),
entry_candidate as (${byReferences(entriesSide).join(' union ')})`;

const restOf = (nos: string): string =>
  `(select -sum(f.amount) from ${breaksOver('e', nos)} f where ${isEnded('f')}) * ${sign('e')}`;
/** What is left of entries of which decisions booked that they are missing: what they booked so far, with what answered them. `own`: of the entry alone. */
const entryRests = `entry_rest as materialized (select e.merchant_id as owner_id, e.transfer_no, ${restOf('array[e.transfer_no]')} as own, ${restOf('e.nos')} as rest
  from (select distinct $1 as tenant, owner_id as merchant_id, transfer_no, nos, direction from line_candidate) e)`;
/** What is left of a line that was booked. */
const restOfLine = `c.whole - (select coalesce(sum(abs(a.amount)), 0.00) from reconciliation_break a where a.merchant_id = $1 and a.answers = c.break_no and ${isEnded('a')})`;

const named = 'case when own = whole then true when size <= rest and may_show then false end';
/**
 * Whether both sides are one movement, of which `size` comes now and `rest` is left of the `whole`: as `may_exceed`, or null. By the channel's own reference they
 * are. By another name they are if nothing shows a part of it yet, as matching would have paired them. Else no reference may contradict, and it has to fit. A
 * bank's reference identifies on its day; on another one it has to be the whole amount.
 */
const movementAnswers = `select subject, about, break_no, size, rest, case found_by when 'own' then true when 'order' then ${named}
    else case when is_on_its_day then ${named} when own = whole and size = own then false end end as may_exceed, found_by = 'own' as is_own, is_its
  from (select c.subject, c.owner_id || ' ' || c.nos[1] as about, c.break_no, c.found_by, c.size, c.whole, r.own, r.rest, c.is_on_its_day, c.may_show, c.is_its
      from line_candidate c join entry_rest r using (owner_id, transfer_no)
    union all select c.subject, 'break ' || c.break_no, c.break_no, c.found_by, c.size, c.whole, r.rest, r.rest, c.is_on_its_day, c.may_show, c.is_its
      from entry_candidate c cross join lateral (select ${restOfLine} as rest) r) c`;

const absences = absencesIn(
  `(b.state in ('written_off', 'posted') or b.state = 'open' and b.subject in (select subject from open_absence))`,
);
/** What is left of absences. All those of one settlement or bank file are about the same money, whichever line shows it. */
const leftAbsences = `select b.*, coalesce('absence ' || case when b.type <> 'fee' then b.names || ' ' || b.direction end, 'break ' || b.break_no) as about,
    b.amount - (select coalesce(sum(abs(a.amount)), 0.00) from reconciliation_break a where a.merchant_id = $1 and a.answers = b.break_no and ${isEnded('a')}) as unanswered
  from absence b`;
/** A line, and an absence. By what it names, it can show no more than what is left. */
const absenceAnswers = (key: string, isOwn: boolean): string => `
  select w.subject, b.about, b.break_no, l.amount, b.rest, ${isOwn}, ${isOwn}, true
  from wanted_break w join (select *, ${key} as key from shown_line l) l using (file_no, line_no, part)
  join (select *, ${key} as key, sum(b.unanswered) over (partition by b.about) as rest from left_absence b where b.unanswered > 0) b
    on b.key = l.key and b.direction = l.direction${isOwn ? '' : " and (b.state <> 'posted' or b.day between w.day - 31 and w.day + 31)"}
  where w.owner_id is null`;

/**
 * Which wanted breaks can show which money: their size, and what is left of it. By the order of both. What shows it by its own reference comes first: others
 * can show only what is left then.
 */
export const foundAnswersSql = `with ${[wantedSides, nearBreaks, endedEntries, endedLines, allCandidates, entryRests].join(',\n')},
absence as (${absences}), left_absence as (${leftAbsences}), shown_line as (${linesThatShow('select from absence')}),
found as (${[movementAnswers, ...absenceKeys.map((key, at) => absenceAnswers(key, at === 0))].join(' union ')}),
answer as (select *, sum(size) filter (where is_own) over (partition by about) as of_own from (
    select subject, about, (array_agg(break_no order by is_own desc, is_its desc, break_no))[1] as break_no, size, rest, bool_or(may_exceed) as may_exceed, bool_or(is_own) as is_own
    from found where rest > 0 and may_exceed is not null group by subject, about, size, rest) f)
  select subject, about, break_no::float8 as "breakNo", size::text as size, rest::text as rest, may_exceed and (is_own or of_own is null) as "mayExceed"
  from answer where is_own or may_exceed and of_own is null or size <= rest - coalesce(of_own, 0) order by subject, break_no, about`;

/** The wanted breaks $1 answer the breaks $2. */
export const storeAnswersSql = `update wanted_break w set answers = o.break_no from unnest($1::text[], $2::bigint[]) as o(subject, break_no)
  where o.subject = w.subject`;
