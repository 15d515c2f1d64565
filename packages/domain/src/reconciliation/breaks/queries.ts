import type { MikroORM } from '@mikro-orm/postgresql';
import { columnsOf } from '../../database/columns.ts';
import { ReconciliationBreakRow } from '../../database/entities/reconciliation.ts';
import { isBehind } from '../days/queries.ts';
import { isSuperseded, lastBreakSql, repetition } from '../files/queries.ts';
import { hasReferenceOf, placeOf, postedReferenceOf } from '../identity/queries.ts';
import { hasOwnEntry } from '../versions/queries.ts';

const sign = (row: string): string => `(case ${row}.direction when 'in' then 1 else -1 end)`;

/** The order of an open line, also where its number must match nothing. */
export const orderOfLine = 'coalesce(l.order_no, l.foreign_order)';

/**
 * The same movement on another line that is matched, or that comes before. A line of another order repeats nothing: one bank reference can pay several
 * orders. A line without an order number is of the order that its match names. $1 and $2: tenant and channel.
 */
export const isRepeated = `exists (select from statement_line d
  join statement_file f on f.merchant_id = d.merchant_id and f.file_no = d.file_no and f.state = 'imported'
  left join matched_line m on m.merchant_id = d.merchant_id and m.file_no = d.file_no and m.line_no = d.line_no and m.part = d.part
  where d.merchant_id = $1 and d.channel_id = $2 and ${hasReferenceOf('d', 'l')} and d.direction = l.direction and d.gross = l.amount and d.currency = l.currency and d.type = l.type
    and (d.file_no, d.line_no, d.part) <> (l.file_no, l.line_no, l.part)
    and (m.match_no is not null or (d.file_no, d.line_no, d.part) < (l.file_no, l.line_no, l.part))
    and m.rule is distinct from 'same_line' and not ${isSuperseded('d')}
    and (${orderOfLine} is null or coalesce(d.order_no, (select e.order_no from matched_expectation s
      join statement_expectation e on e.merchant_id = s.merchant_id and e.transfer_no = s.transfer_no
      where s.tenant = $1 and s.match_no = m.match_no limit 1), ${orderOfLine}) = ${orderOfLine}))`;

/**
 * Whether the bank took back a movement of the reference and amount of the line `l`. A line that shows it after that repeats nothing. A return or a refund
 * that the ledger has takes no booking back. $1 and $2 as above.
 */
const isReversed = `exists (select from statement_line d
  join matched_line m on m.merchant_id = d.merchant_id and m.file_no = d.file_no and m.line_no = d.line_no and m.part = d.part and m.rule <> 'same_line'
  where d.merchant_id = $1 and d.channel_id = $2 and d.channel_ref = l.channel_ref and d.direction <> l.direction and d.gross = l.amount and d.currency = l.currency
    and l.type not in ('refund', 'payout_return') and not ${hasOwnEntry('d')} and not ${isSuperseded('d')})`;

/**
 * Whether the ledger has a payment of the reference of the line `l` that a line of another file explains. As long as that line counts, both do, and the
 * ledger has nothing of this one. But its report would be taken for the payment, and book nothing.
 */
const isKnown = `exists (select from statement_line d
  join statement_file f on f.merchant_id = d.merchant_id and f.file_no = d.file_no and f.state = 'imported'
  join matched_line m on m.merchant_id = d.merchant_id and m.file_no = d.file_no and m.line_no = d.line_no and m.part = d.part and m.rule <> 'same_line'
  join matched_expectation s on s.tenant = $1 and s.match_no = m.match_no join statement_expectation e on e.merchant_id = s.merchant_id and e.transfer_no = s.transfer_no
  where d.merchant_id = $1 and d.channel_id = $2 and d.channel_ref = l.channel_ref and d.currency = l.currency and d.type = l.type and d.direction = l.direction
    and (d.file_no <> l.file_no or ${isReversed}) and e.direction = l.direction and not ${isSuperseded('d')}
    and coalesce(${orderOfLine}, e.order_no) is not distinct from e.order_no)`;

/** Whether the order of a line waits for this channel to say how it went. The number has four characters of its merchant. */
const isOpenOrder = `exists (select from merchant m join orders o on o.merchant_id = m.merchant_id and o.order_no = ${orderOfLine}
  where m.tag = substr(${orderOfLine}, 12, 4) and o.channel_id = $2 and o.kind = l.type and o.status in ('created', 'processing', 'partial_paid'))`;

/**
 * The settlement that a line `l` names, or else the bank file: a whole number of either. A line that names several is left to people. The settlement
 * travels with a payment, and the file with its message (docs/adr/0022-settlement-from-closed-days.md). A line is read again for each decision on money:
 * what its break says is for lists. `orderNo` is SQL.
 */
export const namesOf = (
  orderNo = 'l.order_no',
): string => `(select case when count(distinct n.no) filter (where n.no like 'ST%') = 1 then min(n.no) filter (where n.no like 'ST%')
    when count(distinct n.no) = 1 then min(n.no) end
  from (select found[1] as no from regexp_matches(concat_ws(' ', ${orderNo}, l.channel_ref, l.bank_ref, l.settlement_ref),
    '\\m(ST[0-9A-Z]{4}[0-9]{6,29}|SF[A-Z]{2}[0-9]{6,29}|SP[0-9A-HJKMNP-TV-Z]{25})\\M', 'g') as found) n)`;

/** The lines of statements that are still open. $3: the currency of the tenant. */
export const wantLineBreaksSql = `insert into wanted_break
  select 'line ' || ${placeOf('l')},
    case when l.currency <> $3 then 'currency' when l.type = 'fee' then 'fee' when ${isRepeated} and not ${isReversed} then 'duplicate'
      when l.type <> 'settlement' and ${isKnown} then 'amount' when l.type in ('refund', 'payout_return') then 'late_reversal'
      when l.type in ('payin', 'payout') and ${isOpenOrder} then 'status' else 'missing_in_ledger' end,
    case when l.currency = $3 then l.amount * ${sign('l')} else 0 end, l.day, l.file_no, l.line_no, l.part, null, null, ${orderOfLine},
    ${namesOf(orderOfLine)}
  from open_line l`;

/** The open expectations on days that a statement covers, and those whose line is gone. */
export const wantMissingAtChannelSql = `insert into wanted_break
  select coalesce(e.withdrawn, 'transfer ' || e.merchant_id || ' ' || e.transfer_no), 'missing_at_channel', -e.amount * ${sign('e')}, e.day, null, null, null, e.merchant_id, e.transfer_no, e.order_no
  from open_expectation e where e.is_covered or e.withdrawn is not null`;

/** Breaks whose line or expectation is explained now, or has become part of another break. Those that were being posted are posted. */
export const endExplainedSql = `update reconciliation_break b
  set state = case b.state when 'posting' then 'posted' else 'matched' end, closed_at = clock_timestamp()
  where b.merchant_id = $1 and b.channel_id = $2 and b.state in ('open', 'posting') and (b.part is not null or b.match_no is not null or b.subject like 'transfer %')
    and not exists (select from wanted_break w where w.subject = b.subject)`;

/** Changes the reason of breaks that still exist for another reason. */
export const changeReasonSql = `update reconciliation_break b set kind = w.kind, amount = w.amount, owner_id = w.owner_id, transfer_no = w.transfer_no,
    names = w.names, answers = w.answers, credited_id = null, credited_transfer_no = null
  from wanted_break w where b.merchant_id = $1 and b.subject = w.subject and b.state = 'open'
    and (b.kind, b.amount, b.owner_id, b.transfer_no, b.names, b.answers) is distinct from (w.kind, w.amount, w.owner_id, w.transfer_no, w.names, w.answers)`;

/** Adds new breaks. A break that an operator decided during the matching is left out. */
export const openBreaksSql = `insert into reconciliation_break
    (merchant_id, break_no, channel_id, day, subject, kind, amount, file_no, line_no, part, owner_id, transfer_no, order_no, names, answers)
  select $1, ${lastBreakSql} + row_number() over (order by w.day, w.subject), $2, w.day, w.subject, w.kind, w.amount, w.file_no, w.line_no, w.part,
    w.owner_id, w.transfer_no, w.order_no, w.names, w.answers
  from wanted_break w where not exists (select from reconciliation_break b where b.merchant_id = $1 and b.subject = w.subject and b.state in ('open', 'posting'))
    and not exists (select from matched_line m where m.merchant_id = $1 and m.file_no = w.file_no and m.line_no = w.line_no and m.part = w.part)
    and not exists (select from matched_expectation m where m.merchant_id = w.owner_id and m.transfer_no = w.transfer_no)`;

/** Whether the break `b` may miss money of the platform that a merchant was credited. */
const mayBeCredited = `b.owner_id = b.merchant_id and b.credited_id is null and b.amount < 0 and b.state in ('open', 'posted')
  and b.kind in ('missing_at_channel', 'amount')`;
/** An expectation `t` that was posted when the case `c` ended. */
const isOfEnd = `t.tenant = e.tenant and t.channel_id = e.channel_id and t.day between c.closed_at::date - 1 and c.closed_at::date + 1 and t.posted_at = c.closed_at`;
/** Merchants that took the money of the case `c` over when it ended, that of all cases which were credited together by one movement. */
const takenOver = `select t.merchant_id, t.transfer_no from statement_expectation t
  where c.state = 'credited' and ${isOfEnd} and t.direction = 'in' and t.cause = 'suspense_in' and t.merchant_id <> t.tenant`;
/** The payments of merchants with which people linked the return of the case `c`: the channel had reported its money for their orders. */
const linkedWithReturn = `select o.merchant_id, o.transfer_no from statement_expectation t
  join matched_expectation k on k.merchant_id = t.merchant_id and k.transfer_no = t.transfer_no and k.match_no < 0
  join matched_expectation m on m.tenant = k.tenant and m.match_no = k.match_no and m.merchant_id <> m.tenant
  join statement_expectation o on o.merchant_id = m.merchant_id and o.transfer_no = m.transfer_no and o.direction = 'in' and o.amount = t.amount
  where c.state = 'returned' and ${isOfEnd} and t.merchant_id = t.tenant and t.direction = 'out' and t.cause = 'suspense_out' and t.amount = c.amount`;
/**
 * Lets breaks over the platform's money carry the merchant that was credited it. If it is not certain which one, the break stays the platform's.
 */
export const carryCreditsSql = `
with found as (
  select b.merchant_id, b.break_no, x.merchant_id as credited, x.transfer_no
  from reconciliation_break b
  join statement_expectation e on e.merchant_id = b.owner_id and e.transfer_no = b.transfer_no and e.direction = 'in' and e.cause = 'suspense_in'
  join money_case c on c.merchant_id = e.merchant_id and c.opened_at = e.posted_at and c.amount = e.amount
    and c.channel_id = e.channel_id and coalesce(c.reference = e.channel_ref, true)
  cross join lateral (select min(t.merchant_id) as merchant_id, min(t.transfer_no) as transfer_no from (${takenOver} union all ${linkedWithReturn}) t
    having count(distinct t.merchant_id) = 1) x
  where ${mayBeCredited} for update of b skip locked)
update reconciliation_break b set credited_id = f.credited, credited_transfer_no = f.transfer_no
from found f where b.merchant_id = f.merchant_id and b.break_no = f.break_no`;

/**
 * Opens the breaks $3 again that were entered as reports of the channel before $4, and are still `posting`. The expectations include the whole ledger up
 * to $4. So entering the report changed nothing: the ledger had the payment already.
 */
export const returnEnteredSql = `update reconciliation_break b set state = 'open',
    reason = 'nothing was entered: the ledger has a payment of this reference already (' || b.reason || ')'
  where b.merchant_id = $1 and b.channel_id = $2 and b.state = 'posting' and b.break_no = any($3::bigint[]) and not (${isBehind('$1', '$4::timestamptz')})`;

export const nowSql = 'select clock_timestamp()::text as at';

/** The days that were matched are no longer due, except those that changed meanwhile. */
export const matchedDaysSql = `update reconciliation_day d set is_due = false from due_day t
  where d.merchant_id = $1 and d.channel_id = $2 and d.day = t.day and d.xmin::text = t.version`;

const breakColumns = (orm: MikroORM): string => columnsOf(orm, ReconciliationBreakRow);

/** A break of the tenant $1 by its number $2, locked until the decision is written. */
export const lockBreakSql = (orm: MikroORM): string =>
  `select ${breakColumns(orm)} from reconciliation_break t where t.merchant_id = $1 and t.break_no = $2 for update`;

/** Whether another break, which has not ended, may show the money of the break $2 of the tenant $1. */
export const isAnsweredSql =
  "select from reconciliation_break where merchant_id = $1 and answers = $2 and state in ('open', 'posting') limit 1";

export const seenBreakSql = `select kind, amount::text as amount, owner_id as "ownerId", transfer_no::float8 as "transferNo" from reconciliation_break
  where merchant_id = $1 and break_no = $2`;

/** The line of a break, and the status of the order that it names. */
export const lineOfBreakSql = `select l.type, l.gross::text as gross, l.order_no as "orderNo",
    (select o.status from merchant m join orders o on o.merchant_id = m.merchant_id and o.order_no = l.order_no where m.tag = substr(l.order_no, 12, 4)) as "orderStatus"
  from statement_line l where l.merchant_id = $1 and l.file_no = $2 and l.line_no = $3 and l.part = $4`;

/** What the line `l` names: one settlement or bank file, or several settlements. */
const numbersOf = `case when ${namesOf()} is not null then array[${namesOf()}] else array(select distinct found[1]
    from regexp_matches(concat_ws(' ', l.order_no, l.channel_ref, l.bank_ref, l.settlement_ref), '\\m(ST[0-9A-Z]{4}[0-9]{6,29})\\M', 'g') as found) end`;
/**
 * A row if the line of the break $2 of the tenant $1 shows the payment, or the return, of the bank file or of all settlements that it names: what was
 * recorded of them, and in all no more than that. Other lines count as long as their statement shows them: those that proved it, that people posted, and that
 * show what was gone. A number that several merchants have is ambiguous.
 */
export const isSettledSql = `
with line as (select ${numbersOf} as names, l.direction, l.gross from reconciliation_break b
  join statement_line l on l.merchant_id = b.merchant_id and l.file_no = b.file_no and l.line_no = b.line_no and l.part = b.part
  where b.merchant_id = $1 and b.break_no = $2::bigint and b.kind in ('missing_in_ledger', 'late_reversal')
    and l.type = any(case l.direction when 'out' then array['payout', 'settlement', 'adjustment', 'unknown'] else array['payout_return'] end)),
named as (
  select o.number, s.* from line n cross join unnest(n.names) o(number) join merchant m on m.tag = substr(o.number, 3, 4) and 'PLATFORM-' || m.country = $1
    join settlement s on s.merchant_id = m.merchant_id and s.settlement_no = o.number where o.number like 'ST%'
  union all select o.number, s.* from line n cross join unnest(n.names) o(number) join settlement s on s.file_no = o.number join merchant m on m.merchant_id = s.merchant_id and 'PLATFORM-' || m.country = $1
    where o.number like 'SF%' and n.direction = 'out'),
due as (select sum(s.amount) filter (where s.channel_id is null and s.confirmed_at is not null and (n.direction = 'out' or s.state = 'failed')) as amount,
    array_agg(s.settlement_no) || array_agg(s.file_no) || array_agg(s.number) as numbers
  from named s cross join line n left join settlement_file f on f.merchant_id = $1 and f.file_no = s.number
  having count(*) = max(cardinality(n.names)) and count(distinct s.number) = count(*) or bool_and(f.file_no is not null)),
shown as (
  select m.file_no, m.line_no, m.part from reconciliation_break b join matched_line m on m.merchant_id = b.merchant_id and m.match_no = -b.break_no
    and m.rule <> '${repetition}' where b.merchant_id = $1 and b.state = 'posted'
  union select b.file_no, b.line_no, b.part from reconciliation_break b
  where b.merchant_id = $1 and b.state = 'open' and b.answers is not null and b.part is not null and b.break_no <> $2::bigint)
select from line n, due d where n.gross <= d.amount - coalesce((select sum(l.gross) from shown s
  join statement_line l on l.merchant_id = $1 and l.file_no = s.file_no and l.line_no = s.line_no and l.part = s.part and l.direction = n.direction
  where ${numbersOf} && d.numbers and not ${isSuperseded('l')}), 0)`;

/** Why nothing of the day $3 of a channel is decided now: it is closed, or it was opened again and its lines are not matched yet. */
export const obstacleOfDaySql = `select case state when 'closed' then 'day_closed' else 'day_not_matched' end as rejection from reconciliation_day
  where merchant_id = $1 and channel_id = $2 and day = $3 and (state = 'closed' or is_due and reopened_at is not null) for share`;

/** Ends a break ($2 of the tenant $1) as $3, by $4 and $5 because of $6. A break that is being posted is not ended yet. */
export const decideBreakSql = `update reconciliation_break set state = $3, decided_by = $4, approver = $5, reason = $6, decided_at = clock_timestamp(),
    closed_at = case when $3 = 'posting' then null else clock_timestamp() end
  where merchant_id = $1 and break_no = $2`;

/** Keeps what the platform bears of the break $2 of the tenant $1 from now on ($3), and the account to which the rest is posted ($4). */
export const keepPostingSql =
  'update reconciliation_break set written_off = written_off + $3::numeric, account = $4 where merchant_id = $1 and break_no = $2';

/**
 * Explains the line and the expectation of the break $2 by the decision on the break $3. What an earlier line was matched with keeps its match. A line that
 * shows what was gone gets its match again, unless it is linked with another one.
 */
export const explainLineSql = `insert into matched_line (merchant_id, file_no, line_no, part, match_no, rule)
  select b.merchant_id, b.file_no, b.line_no, b.part, coalesce(o.match_no, -$3::bigint), case when o.match_no is null then $4 else 'corrected_line' end
  from reconciliation_break b left join reconciliation_break o on o.merchant_id = b.merchant_id and o.break_no = b.answers and o.owner_id is null and $4 <> 'linked'
  where b.merchant_id = $1 and b.break_no = $2 and b.part is not null`;
/** The match of the movement that the line `l` repeats. */
const matchOfRepeated = `(select m.match_no from statement_line l
    join statement_line d on d.merchant_id = l.merchant_id and d.channel_id = l.channel_id and ${hasReferenceOf('d', 'l')} and d.direction = l.direction
      and d.gross = l.gross and d.currency = l.currency and d.type = l.type and (d.file_no, d.line_no, d.part) <> (l.file_no, l.line_no, l.part)
      and (l.order_no is null or d.order_no is null or d.order_no = l.order_no) and not ${isSuperseded('d')}
    join matched_line m on m.merchant_id = d.merchant_id and m.file_no = d.file_no and m.line_no = d.line_no and m.part = d.part and m.rule <> 'same_line'
      and exists (select from matched_line o where o.merchant_id = m.merchant_id and o.match_no = m.match_no and o.rule <> '${repetition}')
  where l.merchant_id = b.merchant_id and l.file_no = b.file_no and l.line_no = b.line_no and l.part = b.part
  order by d.file_no, d.line_no, d.part limit 1)`;
/** Explains the line of the break $2 by the movement that it repeats, or by the decision alone. */
export const explainRepetitionSql = `insert into matched_line (merchant_id, file_no, line_no, part, match_no, rule)
  select b.merchant_id, b.file_no, b.line_no, b.part, coalesce(${matchOfRepeated}, -b.break_no), '${repetition}'
  from reconciliation_break b where b.merchant_id = $1 and b.break_no = $2 and b.part is not null`;
export const explainExpectationSql = `insert into matched_expectation (merchant_id, transfer_no, tenant, match_no)
  select owner_id, transfer_no, merchant_id, -$3::bigint from reconciliation_break where merchant_id = $1 and break_no = $2 and owner_id is not null
  on conflict (merchant_id, transfer_no) do nothing`;

/** Says on an open break ($2 of the tenant $1), that people have not decided, why its line proves nothing ($3). */
export const noteProblemSql = `update reconciliation_break set reason = $3
  where merchant_id = $1 and break_no = $2 and state = 'open' and decided_at is null and reason is distinct from $3`;

/** The expectations `e` of the orders, and of the order numbers without an order, that the line `l` names. Both of its own direction and amount. */
const ofLine = 'e.channel_id = l.channel_id and e.direction = l.direction and e.amount = l.gross';
/** Whether a decision explains it, or a line that still counts. */
const isMatched = `exists (select from matched_expectation m where m.merchant_id = e.merchant_id and m.transfer_no = e.transfer_no and (m.match_no < 0
    or exists (select from matched_line d where d.merchant_id = m.tenant and d.match_no = m.match_no and not ${isSuperseded('d')})))`;
/** How many payments like that of the line `l` its order has that other lines explain. What was booked for a line is explained by it, and does not count. */
const explainedOf = `((select count(*) from merchant o join transfer t on t.merchant_id = o.merchant_id and t.order_no = l.order_no
    join statement_expectation e on e.merchant_id = t.merchant_id and e.transfer_no = t.transfer_no
    where o.tag = substr(l.order_no, 12, 4) and ${ofLine} and ${isMatched} and not exists (select from payment p where p.merchant_id = t.merchant_id
      and p.order_no = t.order_no and p.batch_no = t.batch_no and p.amount = e.amount and p.line is not null and p.use <> 'confirmed'))
  + (select count(*) from payment p join statement_expectation e on e.tenant = l.merchant_id and e.merchant_id = p.merchant_id and e.posted_at = p.received_at
      and e.day between p.received_at::date - 1 and p.received_at::date + 1
    where p.merchant_id in (select l.merchant_id union all select s.merchant_id from settlement s where s.payment_no = l.order_no)
      and p.order_no = l.order_no and p.amount = l.gross and p.line is null and ${ofLine} and ${isMatched}))::integer`;

/** Breaks that two operators agreed to enter as reports of the channel, the oldest first. */
export const postingSql = `select b.merchant_id as "merchantId", b.break_no::float8 as "breakNo", b.channel_id as "channelId", b.day::text as day, m.currency, b.file_no::float8 as "fileNo",
    b.line_no as "lineNo", b.part, l.type, l.gross::text as gross, l.order_no as "orderNo", ${postedReferenceOf('l')} as reference,
    l.channel_ref is not null as "isOwnReference",
    ${explainedOf} as explained
  from reconciliation_break b join merchant m using (merchant_id)
  join statement_line l on l.merchant_id = b.merchant_id and l.file_no = b.file_no and l.line_no = b.line_no and l.part = b.part
  where b.state = 'posting' and (b.merchant_id, b.break_no) > ($1, $2::bigint) order by b.merchant_id, b.break_no limit $3`;

/** Lets the day $3 of a channel be matched again. */
export const makeDueSql =
  'update reconciliation_day set is_due = true where merchant_id = $1 and channel_id = $2 and day = $3';

/**
 * Lets the days be matched again that have open breaks over lines of the order of the break $2 of the tenant $1: such a line may show what the break has
 * booked as missing.
 */
export const matchOrderAgainSql = `update reconciliation_day d set is_due = true from reconciliation_break f
  join reconciliation_break b on b.merchant_id = f.merchant_id and b.channel_id = f.channel_id and b.state = 'open' and b.owner_id is null and b.break_no <> f.break_no
  join statement_line l on l.merchant_id = b.merchant_id and l.file_no = b.file_no and l.line_no = b.line_no and l.part = b.part
  where f.merchant_id = $1 and f.break_no = $2 and f.owner_id is not null and d.merchant_id = b.merchant_id and d.channel_id = b.channel_id and d.day = b.day
    and (b.order_no = f.order_no or exists (select from payment p where p.reference = l.channel_ref and p.channel_id = f.channel_id and p.order_no = f.order_no))`;

/** The open breaks of each channel by their amounts, and what is expected on days without a statement. */
export const unreconciledSql = `
select "channelId", currency, sum(amount)::text as amount, min(since)::text as since, sum(breaks)::integer as "openBreaks" from (
  select b.channel_id as "channelId", m.currency, abs(b.amount) as amount, b.day as since, 1 as breaks
  from reconciliation_break b join merchant m using (merchant_id) where b.state in ('open', 'posting')
  union all
  select d.channel_id, m.currency, d.ledger_gross, d.day, 0 from reconciliation_day d join merchant m using (merchant_id)
  where not d.is_covered and d.expectations > 0 and d.day < $1::date) t group by 1, 2 order by 1, 2`;

/** Whether a newer version of its statement replaced a line ($2 file, $3 row, $4 part) of the tenant $1. */
export const isLineSupersededSql =
  'select from superseded_line where merchant_id = $1 and file_no = $2 and line_no = $3 and part = $4';
