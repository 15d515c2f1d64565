import { createAbsencesSql, showAgainSteps, takeOver } from '../absences/queries.ts';
import { isRepeated, namesOf, orderOfLine } from '../breaks/queries.ts';
import { isBehind, isOnClosedDay } from '../days/queries.ts';
import { isSuperseded, nextMatch } from '../files/queries.ts';
import { mayBeSame, mayShow, postedReferenceOf } from '../identity/queries.ts';
import { rebookingSteps } from '../rebookings/queries.ts';

// Matching works on two temporary tables of what is open, so that each step sees what the one before has left. All of it is one transaction.

/**
 * The first channel behind the tenant $1 and the channel $2 with days that have to be matched again. Only where all is expected that the ledger had ten
 * seconds ago, up to the end of the newest such day: $3 and $4 are the countries with their time zones.
 */
export const dueChannelSql = `
select d.merchant_id as "merchantId", d.channel_id as "channelId", m.currency, m.country, c.tolerance::text as tolerance
from (select merchant_id, channel_id, max(day) as day from reconciliation_day where is_due and (merchant_id, channel_id) > ($1, $2) group by 1, 2) d
join merchant m using (merchant_id) join reconciled_channel c using (merchant_id, channel_id)
join unnest($3::text[], $4::text[]) as z(country, zone) on z.country = m.country
where not ${isBehind('d.merchant_id', "least((d.day + 1)::timestamp at time zone z.zone, clock_timestamp() - interval '10 seconds')")}
order by 1, 2 limit 1`;

/** How many days of a channel one transaction matches: the oldest first. */
const maxDays = 7;

/** The days that this transaction matches, as they are before anything else is read. `version` changes whenever the row does. */
const createDueDays = `create temp table due_day (day date, version text) on commit drop`;
export const fillDueDaysSql = `insert into due_day select day, xmin::text from reconciliation_day where merchant_id = $1 and channel_id = $2 and is_due
  order by day limit ${maxDays}`;
export const isMoreDueSql =
  'select exists (select from reconciliation_day where merchant_id = $1 and channel_id = $2 and is_due) as "isMore"';

export const createOpenTablesSql = `
${createDueDays};
${createAbsencesSql};
create temp table open_line (file_no bigint, line_no integer, part integer, day date, is_closed boolean, may_match boolean, type text, direction text,
  amount numeric, currency text, channel_ref text, order_no text, bank_ref text, settlement_ref text, reported_ref text,
  foreign_order text) on commit drop;
create temp table open_expectation (merchant_id text, transfer_no bigint, day date, is_closed boolean, is_covered boolean, cause text, direction text,
  amount numeric, order_no text, channel_ref text, order_ref text, bank_ref text, posted_at timestamptz, of_match bigint, withdrawn text) on commit drop;
create temp table wanted_break (subject text, kind text, amount numeric, day date, file_no bigint, line_no integer, part integer, owner_id text,
  transfer_no bigint, order_no text, names text, answers bigint) on commit drop`;

/** The days to look at: those that are due, and their neighbours. $1 and $2: tenant and channel. */
const lookedAt = '(array(select distinct d.day + n from due_day d, generate_series(-1, 1) n))';
/**
 * The last 31 days without a statement, before the newest of the due days. A later statement may have lines of these days. $1 and $2
 * as above.
 */
const uncovered = `(array(select d.day from reconciliation_day d where d.merchant_id = $1 and d.channel_id = $2 and not d.is_covered and d.expectations > 0
  and d.day < (select max(t.day) from due_day t) order by d.day desc limit 31))`;
const openBreaks = `reconciliation_break b where b.merchant_id = $1 and b.channel_id = $2 and b.state in ('open', 'posting')`;

/** Lines without a match: of the days looked at, and of open breaks. $3: the currency. */
export const fillOpenLinesSql = `
insert into open_line
select l.file_no, l.line_no, l.part, l.day, ${isOnClosedDay('l')}, l.currency = $3 and l.type not in ('fee', 'settlement'), l.type, l.direction, l.gross, l.currency,
  l.channel_ref, l.order_no, l.bank_ref, l.settlement_ref,
  case when l.is_posting then ${postedReferenceOf('l')} end
from (
  select l.*, false as is_posting from statement_line l where l.merchant_id = $1 and l.channel_id = $2 and l.day = any ${lookedAt}
    and not exists (select from ${openBreaks} and b.file_no = l.file_no and b.line_no = l.line_no and b.part = l.part)
  union all
  select l.*, b.decided_at is not null from reconciliation_break b
  join statement_line l on l.merchant_id = b.merchant_id and l.file_no = b.file_no and l.line_no = b.line_no and l.part = b.part
  where b.merchant_id = $1 and b.channel_id = $2 and b.state in ('open', 'posting')) l
join statement_file f on f.merchant_id = l.merchant_id and f.file_no = l.file_no and f.state = 'imported'
left join matched_line m on m.merchant_id = l.merchant_id and m.file_no = l.file_no and m.line_no = l.line_no and m.part = l.part
where m.match_no is null and l.gross > 0 and not ${isSuperseded('l')}`;

/** Expectations of days at which every matching looks, and those since the oldest break that is being posted. $3: the time zone. */
const isNear = `(e.day = any ${lookedAt} or e.day = any ${uncovered} or coalesce(e.day >= (select min(b.decided_at at time zone $3)::date - 1 from reconciliation_break b
      where b.merchant_id = $1 and b.channel_id = $2 and b.state = 'posting'), false))
    and not exists (select from ${openBreaks} and b.owner_id = e.merchant_id and b.transfer_no = e.transfer_no)`;

/** The channel's reference of a payment that operators had seen before the channel reported it. */
const evidenceRef = `case when e.cause = 'payout_settle' then (select p.reference from payment p
  where p.merchant_id = e.merchant_id and p.order_no = e.order_no and p.channel_id = e.channel_id and p.use = 'credited' limit 1) end`;

/**
 * Locks the open breaks over lines that are gone, and whose match another line can take over. So each is decided on before the matching, or after it. $1 and
 * $2: tenant and channel.
 */
export const lockWithdrawnSql = `select from reconciliation_break b where b.merchant_id = $1 and b.channel_id = $2 and b.state = 'open' and b.match_no is not null
  order by b.break_no for update`;

/**
 * Expectations without a match: those that are near, those of open breaks, and those of the orders that open lines name: the channel may have reported
 * such a payment on any day. `of_match`: the line of its match is gone, and another line can take the match over. Its amount is that of the line.
 */
export const fillOpenExpectationsSql = `
insert into open_expectation
select e.merchant_id, e.transfer_no, e.day, ${isOnClosedDay('e')}, coalesce(c.is_covered, false), e.cause, e.direction, coalesce(e.of_amount, e.amount), e.order_no, coalesce(e.channel_ref, ${evidenceRef}),
  e.order_ref, e.bank_ref, e.posted_at, e.of_match, e.withdrawn
from (
  select e.*, null::bigint as of_match, null as withdrawn, null::numeric as of_amount from statement_expectation e where e.tenant = $1 and e.channel_id = $2 and ${isNear}
  union all
  select e.*, null, null, null from (select distinct b.order_no from ${openBreaks} and b.part is not null and b.order_no is not null) o
  join merchant m on m.tag = substr(o.order_no, 12, 4) join transfer t on t.merchant_id = m.merchant_id and t.order_no = o.order_no
  join statement_expectation e on e.merchant_id = t.merchant_id and e.transfer_no = t.transfer_no
  where e.tenant = $1 and e.channel_id = $2 and not (${isNear})
    and not exists (select from ${openBreaks} and b.owner_id = e.merchant_id and b.transfer_no = e.transfer_no)
  union all
  select e.*, b.match_no, case when b.match_no is not null then b.subject end,
    case when b.match_no is not null then abs(b.amount) end from reconciliation_break b join statement_expectation e on e.merchant_id = b.owner_id and e.transfer_no = b.transfer_no
  where b.merchant_id = $1 and b.channel_id = $2 and b.state in ('open', 'posting')) e
left join matched_expectation m on m.merchant_id = e.merchant_id and m.transfer_no = e.transfer_no
left join reconciliation_day c on c.merchant_id = $1 and c.channel_id = $2 and c.day = e.day
where m.match_no is null or e.of_match is not null`;

export const analyzeOpenSql = 'analyze open_line, open_expectation';

/** Stores the pairs of `pair`, and takes them off the open ones. A match whose line is gone gets the new line: an entry can have several such matches. */
const storePairs = (rule: string): string => `
stored as (insert into matched_line (merchant_id, file_no, line_no, part, match_no, rule, difference)
  select $1, p.file_no, p.line_no, p.part, coalesce(p.of_match, b.no + p.place), '${rule}', p.difference from pair p, base b),
expected as (insert into matched_expectation (merchant_id, transfer_no, tenant, match_no) select p.merchant_id, p.transfer_no, $1, b.no + p.place from pair p, base b
  where p.of_match is null),
gone as (delete from open_line o using pair p where (o.file_no, o.line_no, o.part) = (p.file_no, p.line_no, p.part))
delete from open_expectation o using pair p where (o.merchant_id, o.transfer_no) = (p.merchant_id, p.transfer_no) and o.of_match is not distinct from p.of_match`;

/**
 * Lines whose channel reference is that of another order's payment, or of another order, lose their order number: it must match nothing. $1 and $2: tenant
 * and channel. It comes after the steps by channel reference, when few lines are left.
 */
const setForeignOrders = `update open_line l set foreign_order = l.order_no, order_no = null
where l.channel_ref is not null and l.order_no is not null
  and (exists (select from payment p join merchant m on m.merchant_id = p.merchant_id join merchant own on own.country = m.country
      where own.merchant_id = $1 and p.reference = l.channel_ref
        and p.channel_id = $2 and p.order_no <> l.order_no)
    or exists (select from orders o where o.channel_ref = l.channel_ref and o.channel_id = $2 and o.order_no <> l.order_no))
  and not exists (select from open_expectation e where e.order_no = l.order_no and l.channel_ref in (e.channel_ref, e.order_ref))
  and not exists (select from payment own where own.reference = l.channel_ref and own.channel_id = $2 and own.order_no = l.order_no)
  and not exists (select from orders own where own.order_no = l.order_no and own.channel_ref = l.channel_ref and own.channel_id = $2)`;

/** How a line is found among the expectations: a reference of the one equals a reference of the other. The strongest first. */
const references = [
  ['reported', 'reported_ref', 'channel_ref'],
  ['channel_reference', 'channel_ref', 'channel_ref'],
  ['channel_reference', 'channel_ref', 'order_ref'],
  ['order_number', 'order_no', 'order_no'],
  ['bank_reference', 'bank_ref', 'bank_ref'],
  ['bank_reference', 'bank_ref', 'channel_ref'],
] as const;

const withOrder = (reference: string): string => `(${reference} || ' ' || order_no)`;
/** One reference can pay several orders, so a line is compared with its own order first. */
const keys = [
  references[0],
  ['channel_reference', withOrder('channel_ref'), withOrder('channel_ref')],
  ['channel_reference', withOrder('channel_ref'), withOrder('order_ref')],
  ...references.slice(1),
] as const;

const keyed = (table: string, key: string, by: string, order: string): string =>
  `select *, ${key} as key, row_number() over (partition by ${key}, direction${by} order by ${order}) as n from ${table} where ${key} is not null and not is_closed`;
const lineOrder = 'day, file_no, line_no, part';
const expectationOrder = 'posted_at, merchant_id, transfer_no';
const signed = (row: string): string => `(case ${row}.direction when 'in' then 1 else -1 end)`;

/** One to one: the same reference, direction and amount. With $2, a tolerance, the amounts may differ by as much. */
function pairByReference(rule: string, [line, expectation]: readonly [string, string], isTolerant: boolean): string {
  const by = isTolerant ? '' : ', amount';
  const inOrder = (order: string): string => (isTolerant ? `amount, ${order}` : order);
  return `
with ${nextMatch},
l as (${keyed('open_line', line, by, inOrder(lineOrder))} and may_match),
e as (${keyed('open_expectation', expectation, by, inOrder(expectationOrder))}),
pair as (select l.file_no, l.line_no, l.part, e.merchant_id, e.transfer_no, e.of_match, row_number() over () as place, (l.amount - e.amount) * ${signed('l')} as difference
  from l join e on e.key = l.key and e.direction = l.direction and e.n = l.n and ${isTolerant ? 'abs(l.amount - e.amount) <= $2::numeric' : 'e.amount = l.amount'}),
${storePairs(rule)}`;
}

/** Many to many: all that is open under one reference comes to the same sum on both sides. */
function groupByReference(rule: string, [line, expectation]: readonly [string, string]): string {
  const sums = (table: string, key: string, more: string): string =>
    `select ${key} as key, sum(amount * ${signed('t')}) as total from ${table} t where ${key} is not null and not is_closed${more} group by 1`;
  return `
with ${nextMatch},
agreed as (select key, row_number() over (order by key) as place from (${sums('open_line', line, ' and may_match')}) l
  join (${sums('open_expectation', expectation, ' and of_match is null')}) e using (key, total)),
lines as (select o.file_no, o.line_no, o.part, a.place from open_line o join agreed a on a.key = o.${line} where o.may_match and not o.is_closed),
expectations as (select o.merchant_id, o.transfer_no, a.place from open_expectation o join agreed a on a.key = o.${expectation} where not o.is_closed and o.of_match is null),
stored as (insert into matched_line (merchant_id, file_no, line_no, part, match_no, rule)
  select $1, p.file_no, p.line_no, p.part, b.no + p.place, '${rule}' from lines p, base b),
expected as (insert into matched_expectation (merchant_id, transfer_no, tenant, match_no) select p.merchant_id, p.transfer_no, $1, b.no + p.place from expectations p, base b),
gone as (delete from open_line o using lines p where (o.file_no, o.line_no, o.part) = (p.file_no, p.line_no, p.part))
delete from open_expectation o using expectations p where (o.merchant_id, o.transfer_no) = (p.merchant_id, p.transfer_no)`;
}

/** Money that went from the platform's suspense to a merchant's, through the channel's account: no statement shows it. */
const pairInternal = `
with ${nextMatch},
o as (select *, row_number() over (partition by posted_at, amount order by transfer_no) as n from open_expectation where merchant_id = $1 and cause = 'suspense_out' and of_match is null),
i as (select *, row_number() over (partition by posted_at, amount order by merchant_id, transfer_no) as n from open_expectation where merchant_id <> $1 and cause = 'suspense_in' and of_match is null),
pair as (select o.merchant_id as m1, o.transfer_no as t1, i.merchant_id as m2, i.transfer_no as t2, row_number() over () as place
  from o join i using (posted_at, amount, n) where not o.is_closed and not i.is_closed),
both_sides as (select m1 as merchant_id, t1 as transfer_no, place from pair union all select m2, t2, place from pair),
expected as (insert into matched_expectation (merchant_id, transfer_no, tenant, match_no) select s.merchant_id, s.transfer_no, $1, b.no + s.place from both_sides s, base b)
delete from open_expectation o using both_sides s where (o.merchant_id, o.transfer_no) = (s.merchant_id, s.transfer_no)`;

/** Exact amount and day, if both are there once on either side, no reference contradicts, and the line names no settlement and repeats no other. $2: the channel. */
const pairByAmount = `
with ${nextMatch},
l as (select *, count(*) over (partition by day, direction, amount) as alike from open_line where may_match and not is_closed),
e as (select *, count(*) over (partition by day, direction, amount) as alike from open_expectation where not is_closed),
pair as (select l.file_no, l.line_no, l.part, e.merchant_id, e.transfer_no, e.of_match, row_number() over () as place, 0::numeric as difference
  from l join e on e.day = l.day and e.direction = l.direction and e.amount = l.amount
  where l.alike = 1 and e.alike = 1 and l.foreign_order is null and l.type in ('payin', 'payout', 'refund', 'payout_return', 'unknown')
    and ${namesOf(orderOfLine)} is null and not ${isRepeated} and ${mayShow}),
${storePairs('amount_and_day')}`;

/** The number of the first reference that is not the channel's own. */
const afterOwnReferences = keys.findIndex(([rule]) => rule === 'order_number');

/** One step of matching, and what it takes as $2. All take the tenant as $1. */
interface MatchingStep {
  text: string;
  takes: 'nothing' | 'tolerance' | 'channel';
}

/** The steps of matching, in their order. */
export function matchingSteps(isTolerant: boolean): readonly MatchingStep[] {
  const step = (text: string, takes: MatchingStep['takes'] = 'nothing'): MatchingStep => ({ text, takes });
  const exact = keys.map(([rule, l, e]) => step(pairByReference(rule, [l, e], false)));
  const near = keys.map(([rule, l, e]) => step(pairByReference(rule, [l, e], true), 'tolerance'));
  const groups = references.slice(1).map(([rule, l, e]) => step(groupByReference(rule, [l, e])));
  return [
    step(pairInternal),
    ...exact.slice(0, afterOwnReferences),
    step(setForeignOrders, 'channel'),
    ...exact.slice(afterOwnReferences),
    ...groups,
    ...rebookingSteps.map((text) => step(text, 'channel')),
    ...(isTolerant ? near : []),
    step(pairByAmount, 'channel'),
  ];
}

/**
 * A line of the reference of one that is gone takes its match over, as if the version without it had not come. What differs is a break. $2: the channel.
 */
export const takeOverSteps: readonly string[] = [
  ...keys.slice(1).map(([, line, expectation]) =>
    takeOver(
      `with l as (${keyed('open_line', line, '', lineOrder)} and may_match),
e as (${keyed('open_expectation', expectation, '', expectationOrder)} and of_match is not null),
pair as (select l.file_no, l.line_no, l.part, l.day, e.merchant_id, e.transfer_no, e.of_match, coalesce(l.order_no, e.order_no) as order_no,
    (l.amount - e.amount) * ${signed('l')} as difference
  from l join e on e.key = l.key and e.direction = l.direction and e.n = l.n
    and ${mayBeSame(['channel_ref', 'channel_ref'], ['order_no', 'order_no'], ['bank_ref', 'bank_ref'])})`,
      'delete from open_expectation o using pair p where o.of_match = p.of_match',
    ),
  ),
  ...showAgainSteps,
];

/**
 * A line and an expectation of one reference and direction whose amounts or currencies differ: one break for both. $1: the tenant's currency, whose lines
 * come first.
 */
export const differingSteps: readonly string[] = keys.slice(1).map(
  ([, line, expectation]) => `
with l as (select *, ${line} as key, row_number() over (partition by ${line}, direction order by currency <> $1, ${lineOrder}) as n from open_line
  where ${line} is not null and type not in ('fee', 'settlement')),
e as (select *, ${expectation} as key, row_number() over (partition by ${expectation}, direction order by ${expectationOrder}) as n from open_expectation
  where ${expectation} is not null and is_covered and of_match is null),
pair as (select l.file_no, l.line_no, l.part, l.day, l.currency, e.merchant_id, e.transfer_no, coalesce(l.order_no, e.order_no) as order_no,
    case when l.currency = $1 then (l.amount - e.amount) else -e.amount end * ${signed('l')} as amount
  from l join e on e.key = l.key and e.direction = l.direction and e.n = l.n),
wanted as (insert into wanted_break select 'line ' || file_no || '/' || line_no || '/' || part, case when currency = $1 then 'amount' else 'currency' end, amount, day,
    file_no, line_no, part, merchant_id, transfer_no, order_no from pair),
gone as (delete from open_line o using pair p where o.file_no = p.file_no and o.line_no = p.line_no and o.part = p.part)
delete from open_expectation o using pair p where o.merchant_id = p.merchant_id and o.transfer_no = p.transfer_no`,
);
